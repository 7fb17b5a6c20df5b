/** The Deployment that owns the operator's pods. Objects owned by it are deleted with the release. */
import { type Api, apiVersion, DEPLOYMENTS, type KubeObject, type OwnerReference } from './kube-api.ts';

/**
 * @param name undefined if the operator runs in no Deployment, or does not know it
 * @returns a function that reads it once
 */
export function ownDeployment(
  api: Api,
  namespace: string,
  name: string | undefined,
): () => Promise<OwnerReference | undefined> {
  let found: Promise<OwnerReference | undefined> | null = null;
  async function find(): Promise<OwnerReference | undefined> {
    if (name === undefined) return undefined;
    const { metadata } = await api.get<KubeObject>(DEPLOYMENTS, namespace, name);
    return { apiVersion: apiVersion(DEPLOYMENTS), kind: DEPLOYMENTS.kind, name: metadata.name, uid: metadata.uid };
  }
  return () => {
    found ??= find().catch((error) => {
      found = null;
      throw error;
    });
    return found;
  };
}
