/** Reconciles tenancy resources of one kind: applies specs, keeps finalizers, and writes statuses and Events. */
import type { Logger } from 'pino';
import { findOwned, type ManagedKind, type ManagingResource, releaseTarget } from '../../src/accounts/index.ts';
import type { Recorder } from '../runtime/event-recorder.ts';
import type { Installation } from '../runtime/installation.ts';
import { apiVersion } from '../runtime/kube-api.ts';
import { GROUP, isPaused } from '../runtime/labels.ts';
import {
  type Declared,
  type Details,
  Fault,
  type Kind,
  NO_ACCOUNT,
  type Outcome,
  type TenancyDeps,
  toFault,
} from './kind.ts';
import { buildStatus, isSameStatus } from './status.ts';

/** A resource with the policy Delete has this finalizer, so that it stays until what it declares has been deleted. */
export const FINALIZER = `${GROUP}/deletion-policy`;
/** Time after which a spec that cannot be applied is retried. */
const FAULT_RETRY_MS = 30_000;
const PAUSED = new Fault('ReconciliationPaused', 'Paused by an annotation of the resource.');

interface ControllerDeps extends TenancyDeps {
  logger: Logger;
  installation: Installation;
  recorder: Recorder;
  /** Milliseconds until an unchanged resource is reconciled again. */
  idleMs(): number;
  /** Returns whether a namespace has an Account that has not been reconciled yet. */
  hasNewAccount(namespace: string): boolean;
  /** Called when a status was written, since other resources may have waited for it. */
  onReported(kind: ManagedKind, namespace: string): void;
}

export class TenancyController {
  readonly #kind: Kind;
  readonly #deps: ControllerDeps;

  constructor(kind: Kind, deps: ControllerDeps) {
    this.#kind = kind;
    this.#deps = deps;
  }

  /** @returns milliseconds until the next reconciliation; undefined if none is needed before the next change */
  async reconcile(resource: Declared): Promise<number | undefined> {
    if (resource.metadata.deletionTimestamp !== undefined) return this.#delete(resource);
    if (isPaused(resource)) return this.#report(resource, PAUSED, null);
    const spec = this.#kind.spec.safeParse(resource.spec);
    if (!spec.success) {
      const message = spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      return this.#report(resource, new Fault('InvalidSpec', message), null);
    }
    await this.#setFinalizer(resource, spec.data.deletionPolicy === 'Delete');
    let outcome: Outcome;
    try {
      outcome = await this.#kind.apply(this.#work({ ...resource, spec: spec.data }));
    } catch (error) {
      const fault = toFault(error);
      if (fault === null) throw error;
      const { namespace } = resource.metadata;
      // The resource is added again when the Account has been reconciled.
      if (fault.reason === NO_ACCOUNT && this.#deps.hasNewAccount(namespace)) return FAULT_RETRY_MS;
      return this.#report(resource, fault, null);
    }
    for (const [reason, message] of outcome.done) await this.#record(resource, 'Normal', reason, message);
    await this.#report(resource, null, outcome.details);
    return Math.min(this.#deps.idleMs(), outcome.dueMs ?? Number.POSITIVE_INFINITY);
  }

  /** Forgets what a deleted resource owned. */
  async end(uid: string): Promise<void> {
    await releaseTarget(this.#deps.pool, uid);
  }

  #work<Spec>(resource: Declared<Spec>) {
    return { ...this.#deps, resource, managing: this.#managing(resource) };
  }

  #managing({ metadata: { namespace, name, uid } }: Declared): ManagingResource {
    const { id, cluster } = this.#deps.installation;
    return { kind: this.#kind.resource.kind as ManagedKind, namespace, name, uid, installation: id, cluster };
  }

  /** Deletes what a resource declares, if the policy says so, and then lets the resource go. */
  async #delete(resource: Declared): Promise<number | undefined> {
    const { uid, finalizers } = resource.metadata;
    const spec = this.#kind.spec.safeParse(resource.spec);
    const owned = await findOwned(this.#deps.pool, uid);
    if (owned !== null && spec.success && spec.data.deletionPolicy === 'Delete')
      try {
        await this.#kind.remove(this.#work({ ...resource, spec: spec.data }), owned);
      } catch (error) {
        const fault = toFault(error);
        if (fault === null) throw error;
        return this.#report(resource, fault, null);
      }
    await this.end(uid);
    if (finalizers?.includes(FINALIZER)) await this.#setFinalizer(resource, false);
    return undefined;
  }

  async #setFinalizer(resource: Declared, isWanted: boolean): Promise<void> {
    const { namespace, name, uid, finalizers = [] } = resource.metadata;
    if (finalizers.includes(FINALIZER) === isWanted) return;
    await this.#deps.api.apply(
      this.#kind.resource,
      { namespace, name },
      { metadata: { namespace, name, uid, finalizers: isWanted ? [FINALIZER] : [] } },
    );
  }

  /** Writes the status if it has changed. @returns milliseconds until the next attempt */
  async #report(resource: Declared, fault: Fault | null, details: Details | null): Promise<number> {
    const { api, clock, installation, onReported } = this.#deps;
    const { metadata, status: previous } = resource;
    const { namespace, name, uid, generation } = metadata;
    const observed = { generation, installation: installation.id, fault, isPaused: fault === PAUSED, details };
    const next = buildStatus(observed, previous, clock.now());
    if (!isSameStatus(next, previous)) {
      const target = { namespace, name, subresource: 'status' } as const;
      await api.apply(this.#kind.resource, target, { metadata: { namespace, name, uid }, status: next });
      if (fault !== null && fault !== PAUSED) await this.#record(resource, 'Warning', fault.reason, fault.message);
      onReported(this.#managing(resource).kind, namespace);
    }
    return FAULT_RETRY_MS;
  }

  #record({ metadata }: Declared, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const { resource } = this.#kind;
    const { namespace, name, uid } = metadata;
    const involved = { apiVersion: apiVersion(resource), kind: resource.kind, namespace, name, uid };
    return this.#deps.recorder.record(involved, type, reason, message);
  }
}
