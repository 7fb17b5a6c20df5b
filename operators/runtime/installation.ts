/** This installation's identity in rows that several installations share: its name and the cluster. */
import { type Api, isStatus, type KubeObject, NAMESPACES } from './kube-api.ts';

/** A namespace that every cluster always has. Its uid identifies the cluster. */
const KUBE_SYSTEM = 'kube-system';

/** The installation that a row belongs to. */
interface Owner {
  /** `<namespace>/<name>`; null in rows that older versions have written. */
  installation: string | null;
  /** The cluster's uid. Null if it is unknown. */
  cluster: string | null;
}

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

  /** The cluster's uid. Null if it has not been read yet or cannot be read. */
  get cluster(): string | null {
    return this.#cluster;
  }

  /** Reads the cluster's uid. Call it before `cluster` is used. If the operator may not read namespaces, the uid stays null. */
  async readCluster(): Promise<void> {
    if (this.#cluster !== null) return;
    try {
      this.#cluster = (await this.#api.get<KubeObject>(NAMESPACES, KUBE_SYSTEM)).metadata.uid;
    } catch (error) {
      if (!isStatus(error, 403)) throw error;
    }
  }

  owns({ installation, cluster }: Owner): boolean {
    return installation === this.id && cluster === this.#cluster;
  }

  /** Returns whether a row may belong to a namespace in this cluster. */
  mayBeHere({ cluster }: Pick<Owner, 'cluster'>): boolean {
    return cluster === null || this.#cluster === null || cluster === this.#cluster;
  }

  /** Returns whether a namespace is known to be deleted. False if the operator may not read namespaces. */
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
