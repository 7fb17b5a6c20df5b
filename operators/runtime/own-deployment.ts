/** The Deployment that owns the operator's pods. Objects that it owns are deleted together with the release. */
import { type Api, apiVersion, DEPLOYMENTS, type KubeObject, type OwnerReference } from './kube-api.ts';

/**
 * @param name the Deployment's name; undefined if the operator does not run in a Deployment or does not know the name
 * @returns a function that reads the Deployment once
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
