/** The Deployment that the operator's own pods are of: what is owned by it is deleted with the release. */
import { type Api, apiVersion, DEPLOYMENTS, type KubeObject, type OwnerReference } from './api.ts';

/**
 * @param name undefined: the operator runs in no Deployment, or does not know it
 * @returns reads it once
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
