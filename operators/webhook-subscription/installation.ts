/** This installation's identity in shared rows: its name in the cluster, and the cluster. */
import type { ManagedBy } from '../../src/webhooks/subscriptions/index.ts';
import { type Api, isStatus, type KubeObject, NAMESPACES } from './kube-api.ts';

/** A permanent namespace in every cluster. Its uid serves as the cluster's. */
const KUBE_SYSTEM = 'kube-system';

export class Installation {
  /** `<namespace>/<name>` */
  readonly id: string;
  readonly #api: Api;
  #cluster: string | null = null;

  /** @param namespace the operator's namespace */
  constructor(api: Api, namespace: string, name: string) {
    this.#api = api;
    this.id = `${namespace}/${name}`;
  }

  /** The cluster's uid. Null if unknown, or not read yet. */
  get cluster(): string | null {
    return this.#cluster;
  }

  /** Call it before `cluster` is used. Without the right to read namespaces, the cluster stays unknown. */
  async readCluster(): Promise<void> {
    if (this.#cluster !== null) return;
    try {
      this.#cluster = (await this.#api.get<KubeObject>(NAMESPACES, KUBE_SYSTEM)).metadata.uid;
    } catch (error) {
      if (!isStatus(error, 403)) throw error;
    }
  }

  owns({ installation, cluster }: Pick<ManagedBy, 'installation' | 'cluster'>): boolean {
    return installation === this.id && cluster === this.#cluster;
  }

  /** Whether a row may belong to a namespace in this cluster. */
  mayBeHere({ cluster }: Pick<ManagedBy, 'cluster'>): boolean {
    return cluster === null || this.#cluster === null || cluster === this.#cluster;
  }

  /** Whether a namespace is known to be deleted. Without the right to read namespaces, the answer is no. */
  async isGone(namespace: string): Promise<boolean> {
    try {
      await this.#api.get(NAMESPACES, namespace);
      return false;
    } catch (error) {
      if (isStatus(error, 404)) return true;
      if (isStatus(error, 403)) return false;
      throw error;
    }
  }
}
