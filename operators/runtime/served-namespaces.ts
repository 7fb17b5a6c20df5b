/**
 * The namespaces that this installation serves. Only one installation serves a namespace, because a second one would
 * deliver every event again. A Lease in the namespace names the installation. It does not expire, since the
 * dispatchers still deliver after the operator has stopped. In the operator's own namespace, the Lease is deleted
 * together with the operator's Deployment. Elsewhere, it is deleted by hand.
 */

import type pg from 'pg';
import type { Logger } from 'pino';
import { errorMessage } from '../../src/runtime/unknown-values.ts';
import type { Installation } from './installation.ts';
import { ALL_NAMESPACES, type Api, apiVersion, isStatus, LEASES, type OwnerReference } from './kube-api.ts';
import { GROUP, MANAGED_LABEL, MANAGER } from './labels.ts';
import type { Lease } from './leader-election.ts';
import { markServed, SERVED_MS, wasServedBy } from './namespace-queries.ts';

/** Name of the Lease. All installations use the same name and compete for it. */
export const CLAIM = `webhooksubscriptions.${GROUP}`;

/** How many claims are made at the same time. */
const CLAIMS_AT_ONCE = 8;
/** How often claims are renewed if all namespaces are served. */
const RENEWAL_MS = 10_000;
/** How old a claim becomes before it is checked again. */
const RECHECK_MS = 240_000;

interface NamespacesDeps {
  api: Api;
  pool: pg.Pool;
  logger: Logger;
  installation: Installation;
  /** The operator's namespace. */
  namespace: string;
  /** The namespaces to serve. ALL_NAMESPACES alone for every namespace with a resource. */
  namespaces: readonly string[];
  /** Returns the namespaces with a resource. */
  occupied(): readonly string[];
  owner(): Promise<OwnerReference | undefined>;
}

/** Why this installation may not serve a namespace. */
interface Refusal {
  reason: string;
  /** True if the installation that serves the namespace uses the same database. */
  sameDatabase: boolean;
}

/** Thrown if another installation serves a namespace from the same database. The message is for the service's operator. */
export class NamespaceTaken extends Error {}

const namespaceRow = ({ cluster }: Installation, namespace: string) => ({ cluster: cluster ?? '', namespace });

const readOwner = (api: Api, namespace: string): Promise<Lease | null> =>
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
 * Checks at startup that no other installation serves these namespaces from this database. Two installations on the
 * same namespaces never work. An installation that serves all namespaces serves only those that are free.
 * @throws {NamespaceTaken}
 */
export async function assertFree(asking: Asking, namespaces: readonly string[]): Promise<void> {
  const { api, installation } = asking;
  await installation.readCluster();
  if (namespaces.includes(ALL_NAMESPACES)) return;
  for (const namespace of namespaces) {
    const holder = (await readOwner(api, namespace))?.spec.holderIdentity;
    if (!holder || holder === installation.id) continue;
    const { reason, sameDatabase } = await refusalBy(asking, namespace, holder);
    if (sameDatabase) throw new NamespaceTaken(`${reason}. Both installations use the same database`);
  }
}

export class ServedNamespaces {
  readonly #deps: NamespacesDeps;
  /** When each claim was last checked, in milliseconds by a steady clock, by namespace. */
  readonly #served = new Map<string, number>();
  readonly #refusals = new Map<string, Refusal>();

  constructor(deps: NamespacesDeps) {
    this.#deps = deps;
  }

  has(namespace: string): boolean {
    return this.#served.has(namespace);
  }

  /** Returns whether a namespace that is not served could be claimed now. */
  mayClaim(namespace: string): boolean {
    return this.#deps.namespaces.includes(ALL_NAMESPACES) && !this.#refusals.has(namespace);
  }

  /** Number of namespaces that this installation may not serve. */
  get refused(): number {
    return this.#refusals.size;
  }

  /** Returns whether a second installation serves one of the namespaces from the same database. */
  get conflicts(): boolean {
    return [...this.#refusals.values()].some(({ sameDatabase }) => sameDatabase);
  }

  /**
   * Claims free namespaces, and renews existing claims.
   * @param onServed called for each namespace that is served from now on
   */
  async renew(onServed: (namespace: string) => void): Promise<void> {
    await this.#deps.installation.readCluster();
    const due = this.#due();
    for (let i = 0; i < due.length; i += CLAIMS_AT_ONCE)
      await Promise.all(due.slice(i, i + CLAIMS_AT_ONCE).map((namespace) => this.#renewOne(namespace, onServed)));
  }

  /** Returns the namespaces whose claims have to be checked now. If there are many, the checks are spread over time. */
  #due(): readonly string[] {
    const { namespaces, occupied } = this.#deps;
    if (!namespaces.includes(ALL_NAMESPACES)) return namespaces;
    const now = performance.now();
    const all = new Set(occupied());
    for (const known of [...this.#served.keys(), ...this.#refusals.keys()])
      if (!all.has(known)) {
        this.#served.delete(known);
        this.#refusals.delete(known);
      }
    const isFresh = (namespace: string) => now - (this.#served.get(namespace) ?? -Infinity) < RECHECK_MS;
    const rechecks = Math.ceil((all.size * RENEWAL_MS) / RECHECK_MS) + 1;
    const stale = [...all].filter((namespace) => !isFresh(namespace));
    const known = stale.filter((namespace) => this.#served.has(namespace));
    return [...stale.filter((namespace) => !this.#served.has(namespace)), ...known.slice(0, rechecks)];
  }

  async #renewOne(namespace: string, onServed: (namespace: string) => void): Promise<void> {
    const refusal = await this.#claim(namespace);
    this.#tell(namespace, refusal);
    if (refusal !== null) {
      this.#served.delete(namespace);
      this.#refusals.set(namespace, refusal);
      return;
    }
    this.#refusals.delete(namespace);
    const isNew = !this.#served.has(namespace);
    this.#served.set(namespace, performance.now());
    if (isNew) onServed(namespace);
  }

  /** Forgets all claims when a leadership term starts, because the leader may have changed meanwhile. */
  clear(): void {
    this.#served.clear();
    this.#refusals.clear();
  }

  /** Reports a refusal, once for each reason. */
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
      const lease = await readOwner(api, namespace);
      const holder = lease?.spec.holderIdentity;
      if (holder && holder !== installation.id) return await refusalBy(this.#deps, namespace, holder);
      if (lease === null) await this.#create(namespace);
      else if (!holder) await api.replace<Lease>(LEASES, { ...lease, spec: { holderIdentity: installation.id } });
    } catch (error) {
      // The namespace no longer exists, or this installation has no Role in it.
      if (!isStatus(error, 403, 404)) throw error;
      return { reason: errorMessage(error), sameDatabase: false };
    }
    if (await markServed(pool, namespaceRow(installation, namespace), installation.id)) return null;
    const reason = `an installation in a different cluster serves a namespace ${namespace} with this database`;
    return { reason, sameDatabase: true };
  }

  /** Creates the Lease. If two installations do so at the same time, one of them gets 409 and retries. */
  async #create(namespace: string): Promise<void> {
    const { api, installation, owner } = this.#deps;
    // Only a Lease in the operator's namespace gets an owner. Elsewhere, Kubernetes would treat the owner as deleted.
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
