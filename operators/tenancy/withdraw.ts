/** Ends an installation's service for tenancy resources. What they declare stays, whatever their deletion policies say. */
import { type Api, isStatus, type KubeList } from '../runtime/kube-api.ts';
import { FINALIZER } from './controller.ts';
import { type Declared, Fault, type Kind } from './kind.ts';
import { KINDS } from './kinds.ts';
import { buildStatus } from './status.ts';

/**
 * Removes our finalizer from the resources that an installation has served, since nothing else would remove it, and
 * notes in their statuses that they are not served.
 * @param id the installation: `<namespace>/<name>`
 * @returns how many resources there were
 */
export async function releaseDeclared(api: Api, namespace: string, id: string): Promise<number> {
  let count = 0;
  for (const kind of KINDS) {
    const own = (await list(api, kind, namespace)).filter(({ status }) => status?.installation === id);
    for (const resource of own) await releaseOne(api, kind, resource, id);
    count += own.length;
  }
  return count;
}

/** Returns no resources if the cluster does not know the kind, or if the rights do not include it. */
async function list(api: Api, { resource }: Kind, namespace: string): Promise<Declared[]> {
  try {
    return ((await api.list(resource, namespace)) as KubeList<Declared>).items;
  } catch (error) {
    if (isStatus(error, 403, 404)) return [];
    throw error;
  }
}

async function releaseOne(api: Api, { resource }: Kind, declared: Declared, id: string): Promise<void> {
  const { namespace, name, uid, generation, finalizers } = declared.metadata;
  const target = { namespace, name };
  const message = `The installation ${id} was uninstalled: nothing is changed until another one serves this namespace.`;
  const fault = new Fault('NotServed', message);
  const observed = { generation, installation: undefined, fault, isPaused: false, details: null };
  const status = buildStatus(observed, declared.status, Date.now());
  try {
    await api.apply(resource, { ...target, subresource: 'status' }, { metadata: { ...target, uid }, status });
    if (finalizers?.includes(FINALIZER))
      await api.apply(resource, target, { metadata: { ...target, uid, finalizers: [] } });
  } catch (error) {
    // The resource has been deleted or changed meanwhile.
    if (!isStatus(error, 404, 409)) throw error;
  }
}
