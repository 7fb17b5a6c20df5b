/** Writes resource statuses, within the rate limit, and records an Event for each changed condition. */
import type { Clock } from '../../src/runtime/clock.ts';
import { ROTATION_OVERLAP_HOURS } from '../../src/webhooks/subscriptions/index.ts';
import type { Recorder } from '../runtime/event-recorder.ts';
import type { Api } from '../runtime/kube-api.ts';
import type { Acceptance } from './acceptance.ts';
import { type Status, SUBSCRIPTIONS, type WebhookSubscription } from './crd.ts';
import { ownerReference } from './desired-state.ts';
import { changed, GAP, lastTransition, writeIn } from './resource-status.ts';

/** Messages for the Events about applied changes. */
const MESSAGES: Readonly<Record<Acceptance['done'][number], string>> = {
  SecretCreated: 'The missing Secret was created.',
  SecretRotated: `The Secret has changed. The old secret signs too for ${ROTATION_OVERLAP_HOURS} hours.`,
  Enabled: 'Enabled again with the new URL.',
};

interface StatusWriterDeps {
  api: Api;
  clock: Clock;
  recorder: Recorder;
}

export class StatusWriter {
  readonly #deps: StatusWriterDeps;
  /** When each status was last written, by uid, in milliseconds since 1970. */
  readonly #writtenAt = new Map<string, number>();

  constructor(deps: StatusWriterDeps) {
    this.#deps = deps;
  }

  forget(uid: string): void {
    this.#writtenAt.delete(uid);
  }

  async recordDone(resource: WebhookSubscription, done: Acceptance['done']): Promise<void> {
    for (const reason of done) await this.#record(resource, 'Normal', reason, MESSAGES[reason]);
  }

  /**
   * Writes a status if it may be written now.
   * @returns milliseconds until it may be written; undefined if it was written or has not changed
   */
  async write(resource: WebhookSubscription, next: Status): Promise<number | undefined> {
    const { api, clock } = this.#deps;
    const { metadata, status: previous } = resource;
    const { namespace, name, uid } = metadata;
    const last = this.#writtenAt.get(uid) ?? lastTransition(previous);
    const wait = writeIn(next, previous, last, clock.now());
    if (wait === null) return undefined;
    if (wait > 0) return wait;
    await api.apply(
      SUBSCRIPTIONS,
      { namespace, name, subresource: 'status' },
      { metadata: { namespace, name, uid }, status: next },
    );
    this.#writtenAt.set(uid, clock.now());
    await this.#recordConditions(resource, next);
    return undefined;
  }

  async #recordConditions(resource: WebhookSubscription, next: Status): Promise<void> {
    const { status: previous } = resource;
    for (const { type, status, reason, message } of changed(next, previous)) {
      // Records no Events for a new resource, since it has no dispatcher yet, or for a healthy state.
      const isNew = previous?.conditions === undefined;
      // What stalls a resource is recorded for the condition that causes it.
      if (
        type === 'Stalled' ||
        status === 'Unknown' ||
        reason === 'NotAccepted' ||
        (isNew && (status === 'True' || type === 'Ready'))
      )
        continue;
      const severity = status === 'True' && reason !== GAP ? 'Normal' : 'Warning';
      await this.#record(resource, severity, reason, `${type}: ${message}`);
    }
  }

  #record(resource: WebhookSubscription, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> {
    const { namespace } = resource.metadata;
    return this.#deps.recorder.record({ ...ownerReference(resource), namespace }, type, reason, message);
  }
}
