/** What a resource's status says, and when it may be written. Pure. */
import type { Subscription } from '../../src/webhooks/queries.ts';
import { gapText, stateOf } from '../../src/webhooks/subscription.ts';
import { wireTime } from '../../src/wire/time.ts';
import { CONDITIONS, type Condition, type ConditionType, type Status } from './crd.ts';

/** Outcomes change all the time: a status is written at most so often, a new spec aside, which is answered at once. */
export const STATUS_INTERVAL_MS = 30_000;
const MESSAGE_CHARACTERS = 1_000;
/** Events were lost: no success as such, though deliveries succeed. */
export const GAP = 'EventsExpired';

/** Why a spec cannot be followed. The message never holds a secret. */
export interface Fault {
  reason: string;
  message: string;
}

export interface Observed {
  generation: number;
  fault: Fault | null;
  /** The row, of an earlier spec where there is a fault; null: there is none. */
  row: Subscription | null;
  /** Is a dispatcher of the row's group alive? */
  dispatcherAlive: boolean;
  dispatcher: string;
  secret: string;
}

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

function delivering(row: Subscription | null): Verdict {
  if (row === null) return { status: 'False', reason: 'NotAccepted', message: 'There is no subscription.' };
  const why = row.lastFailure === null ? '' : `: ${row.lastFailure}`;
  switch (stateOf(row)) {
    case 'ended':
      return { status: 'False', reason: 'Ended', message: 'The subscription was deleted.' };
    case 'disabled':
      return row.disabledReason === 'gone'
        ? { status: 'False', reason: 'Gone', message: 'Disabled: the receiver answered 410.' }
        : { status: 'False', reason: 'Disabled', message: `Disabled after 72 hours without a success${why}` };
    case 'suspended':
      return { status: 'False', reason: 'Suspended', message: `The plan ${row.plan} does not include webhooks.` };
    case 'paused':
      return { status: 'False', reason: 'Paused', message: 'Nothing is sent until the pause is lifted.' };
    case 'failing':
      return { status: 'False', reason: 'Failing', message: `Deliveries fail and are repeated${why}` };
    case 'active':
      if (row.lastSuccessAt !== null && row.gap !== null)
        return { status: 'True', reason: GAP, message: `Deliveries succeed, but ${gapText(row.gap)}.` };
      if (row.lastSuccessAt !== null) return { status: 'True', reason: 'Delivered', message: 'Deliveries succeed.' };
      if (row.failures === 0)
        return { status: 'Unknown', reason: 'NothingSent', message: 'Nothing has been sent yet.' };
      return { status: 'False', reason: 'NoSuccess', message: `No delivery has succeeded yet${why}` };
  }
}

function verdicts({ fault, row, dispatcherAlive, dispatcher }: Observed): Record<ConditionType, Verdict> {
  return {
    Accepted:
      fault === null
        ? { status: 'True', reason: 'Accepted', message: 'The subscription is as the spec says.' }
        : { status: 'False', reason: fault.reason, message: fault.message },
    Ready:
      row === null
        ? { status: 'False', reason: 'NotAccepted', message: 'There is no subscription.' }
        : dispatcherAlive
          ? { status: 'True', reason: 'DispatcherAlive', message: `${dispatcher} delivers.` }
          : { status: 'False', reason: 'NoDispatcher', message: `No dispatcher of ${dispatcher} is running.` },
    Delivering: delivering(row),
  };
}

/** @param now the time of a transition, where there is one */
export function statusOf(observed: Observed, previous: Status | undefined, now: number): Status {
  const said = verdicts(observed);
  const conditions = CONDITIONS.map((type): Condition => {
    const { status, reason, message } = said[type];
    const before = previous?.conditions?.find((one) => one.type === type);
    return {
      type,
      status,
      reason,
      message: message.slice(0, MESSAGE_CHARACTERS),
      observedGeneration: observed.generation,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : wireTime(now),
    };
  });
  return {
    observedGeneration: observed.generation,
    ...(observed.row !== null && { subscription: String(observed.row.id), dispatcher: observed.dispatcher }),
    secret: observed.secret,
    conditions,
  };
}

/** What a condition says: its text alone is nothing new, but for another gap. */
const said = ({ type, status, reason, message }: Condition) => [type, status, reason, reason === GAP && message].join();

/** What makes a write worth while. */
const gist = (status: Status | undefined) =>
  JSON.stringify([
    status?.observedGeneration,
    status?.subscription,
    status?.dispatcher,
    status?.secret,
    (status?.conditions ?? []).map(said),
  ]);

/** Conditions that say something new. */
export const changed = (next: Status, previous: Status | undefined): Condition[] =>
  (next.conditions ?? []).filter((condition) => {
    const before = previous?.conditions?.find(({ type }) => type === condition.type);
    return before === undefined || said(before) !== said(condition);
  });

/**
 * In how many ms the status may be written: 0 now, null not at all.
 * @param lastWrite when this resource's status was last written, by this process or as its transitions tell
 */
export function writeIn(next: Status, previous: Status | undefined, lastWrite: number, now: number): number | null {
  if (gist(next) === gist(previous)) return null;
  if (next.observedGeneration !== previous?.observedGeneration) return 0;
  // A clock that was set back must not hold it up for ever.
  return Math.min(STATUS_INTERVAL_MS, Math.max(0, lastWrite + STATUS_INTERVAL_MS - now));
}

/** What a new leader knows of the last write. */
export const lastTransition = (status: Status | undefined): number =>
  Math.max(0, ...(status?.conditions ?? []).map(({ lastTransitionTime }) => Date.parse(lastTransitionTime) || 0));
