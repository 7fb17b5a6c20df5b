/**
 * Which namespaces this installation serves. Each is served by one installation: several would each deliver every event. A Lease in the
 * namespace says which. It does not expire: the dispatchers of an operator that is down go on delivering. It is deleted with the Deployment
 * of its operator where both are in one namespace; otherwise by hand.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Api, apiVersion, isStatus, LEASES, type OwnerReference } from './api.ts';
import { GROUP } from './crd.ts';
import { MANAGED_LABEL, MANAGER } from './desired.ts';
import type { Installation } from './installation.ts';
import type { Lease } from './leader.ts';
import { markServed, SERVED_MS, wasServedBy } from './queries.ts';

/** The same for all installations: it is what they compete for. */
const CLAIM = `webhooksubscriptions.${GROUP}`;

interface NamespacesDeps {
  api: Api;
  pool: pg.Pool;
  logger: Logger;
  installation: Installation;
  /** The operator's own. */
  namespace: string;
  /** Those that it is to serve. */
  namespaces: readonly string[];
  owner(): Promise<OwnerReference | undefined>;
}

/** Why a namespace is not served. */
interface Refusal {
  reason: string;
  /** Whether the installation that serves it uses the same database. */
  sameDatabase: boolean;
}

/** Another installation serves a namespace, from the same database. Its message is for the operator of the service. */
export class NamespaceTaken extends Error {}

const namespaceRow = ({ cluster }: Installation, namespace: string) => ({ cluster: cluster ?? '', namespace });

const readClaim = (api: Api, namespace: string): Promise<Lease | null> =>
  api.get<Lease>(LEASES, namespace, CLAIM).catch((error) => {
    if (isStatus(error, 404)) return null;
    throw error;
  });

type Asking = Pick<NamespacesDeps, 'api' | 'pool' | 'installation'>;

async function refusalBy({ pool, installation }: Asking, namespace: string, holder: string): Promise<Refusal> {
  return {
    reason: `the namespace ${namespace} is served by the installation ${holder}, as its Lease ${CLAIM} says`,
    sameDatabase: await wasServedBy(pool, namespaceRow(installation, namespace), holder, SERVED_MS),
  };
}

/**
 * To be called when the process starts: such a configuration is never of use.
 * @throws {NamespaceTaken}
 */
export async function assertFree(asking: Asking, namespaces: readonly string[]): Promise<void> {
  const { api, installation } = asking;
  await installation.readCluster();
  for (const namespace of namespaces) {
    const holder = (await readClaim(api, namespace))?.spec.holderIdentity;
    if (!holder || holder === installation.id) continue;
    const { reason, sameDatabase } = await refusalBy(asking, namespace, holder);
    if (sameDatabase) throw new NamespaceTaken(`${reason}, from the same database`);
  }
}

export class ServedNamespaces {
  readonly #deps: NamespacesDeps;
  readonly #served = new Set<string>();
  readonly #refusals = new Map<string, Refusal>();

  constructor(deps: NamespacesDeps) {
    this.#deps = deps;
  }

  has(namespace: string): boolean {
    return this.#served.has(namespace);
  }

  /** How many of those to be served are not. */
  get refused(): number {
    return this.#refusals.size;
  }

  /** Whether another installation serves one of them from the same database. */
  get conflicts(): boolean {
    return [...this.#refusals.values()].some(({ sameDatabase }) => sameDatabase);
  }

  /** Claims those that are free, and renews the others. @param onServed called for each that is served from now on */
  async renew(onServed: (namespace: string) => void): Promise<void> {
    const { installation, namespaces } = this.#deps;
    await installation.readCluster();
    for (const namespace of namespaces) {
      const refusal = await this.#claim(namespace);
      this.#tell(namespace, refusal);
      if (refusal !== null) {
        this.#served.delete(namespace);
        this.#refusals.set(namespace, refusal);
        continue;
      }
      this.#refusals.delete(namespace);
      if (this.#served.has(namespace)) continue;
      this.#served.add(namespace);
      onServed(namespace);
    }
  }

  /** A term of leadership begins: another replica has led. */
  clear(): void {
    this.#served.clear();
    this.#refusals.clear();
  }

  /** Once for each reason. */
  #tell(namespace: string, refusal: Refusal | null): void {
    const { logger } = this.#deps;
    const before = this.#refusals.get(namespace);
    if (refusal === null) {
      if (before !== undefined) logger.info({ namespace }, 'namespace is served now');
      return;
    }
    if (before?.reason === refusal.reason) return;
    const level = refusal.sameDatabase ? 'error' : 'warn';
    logger[level]({ namespace, reason: refusal.reason }, 'namespace is not served');
  }

  async #claim(namespace: string): Promise<Refusal | null> {
    const { api, pool, installation } = this.#deps;
    try {
      const lease = await readClaim(api, namespace);
      const holder = lease?.spec.holderIdentity;
      if (holder && holder !== installation.id) return await refusalBy(this.#deps, namespace, holder);
      if (lease === null) await this.#create(namespace);
      else if (!holder) await api.replace<Lease>(LEASES, { ...lease, spec: { holderIdentity: installation.id } });
    } catch (error) {
      // It is not there any more, or without the Role of this installation.
      if (!isStatus(error, 403, 404)) throw error;
      return { reason: (error as Error).message, sameDatabase: false };
    }
    if (await markServed(pool, namespaceRow(installation, namespace), installation.id)) return null;
    const reason = `an installation of another cluster serves a namespace ${namespace} from this database`;
    return { reason, sameDatabase: true };
  }

  /** Another installation may create it at the same time: then it fails with 409, and is tried again. */
  async #create(namespace: string): Promise<void> {
    const { api, installation, owner } = this.#deps;
    // Kubernetes would take an owner in another namespace for a deleted one.
    const of = namespace === this.#deps.namespace ? await owner() : undefined;
    await api.create(LEASES, namespace, {
      apiVersion: apiVersion(LEASES),
      kind: LEASES.kind,
      metadata: {
        name: CLAIM,
        namespace,
        labels: { [MANAGED_LABEL]: MANAGER },
        ...(of !== undefined && { ownerReferences: [of] }),
      },
      spec: { holderIdentity: installation.id },
    });
  }
}
