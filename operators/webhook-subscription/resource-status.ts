/** Builds a resource's status, and decides when to write it next. Pure. */
import type { OfferedPlans } from '../../src/accounts/plans/index.ts';
import { faultText, gapText, unconfirmedText } from '../../src/webhooks/api/subscription-texts.ts';
import { DISABLED_AFTER_MS, type Subscription, subscriptionState } from '../../src/webhooks/subscriptions/index.ts';
import { buildConditions, type ConditionState } from '../runtime/conditions.ts';
import { CONDITIONS, type Condition, type ConditionType, type Status } from './crd.ts';

/**
 * Minimum time between two writes of a status, since outcomes change all the time. A status is written at once for a
 * new spec, when a spec is accepted or refused, when a dispatcher has become ready, and when this installation has
 * taken over the resource.
 */
const STATUS_INTERVAL_MS = 30_000;
/** Minimum time before a status that has become worse is written, so that a broken resource is noticed within 10 s. */
const WORSE_INTERVAL_MS = 4_000;
/** The condition's reason if deliveries succeed but events have been lost. */
export const GAP = 'EventsExpired';

/** Why a spec cannot be applied. The message never contains a secret. */
export interface Rejection {
  reason: string;
  message: string;
}

export interface Observed {
  generation: number;
  fault: Rejection | null;
  /** True if the fault is that reconciliation is paused. */
  paused: boolean;
  /** The resource's row. If there is a fault, the row is from an earlier spec. Null if there is no row. */
  row: Subscription | null;
  plans: OfferedPlans;
  /** True if a dispatcher in the row's group is alive. */
  dispatcherAlive: boolean;
  dispatcher: string;
  secret: string;
  /** `<namespace>/<name>` */
  installation: string;
}

function delivering(row: Subscription | null, plans: OfferedPlans): ConditionState {
  if (row === null) return { status: 'False', reason: 'NotAccepted', message: 'There is no subscription.' };
  const why = row.lastFailure === null ? '' : `: ${row.lastFailure}`;
  switch (subscriptionState(row, plans)) {
    case 'ended':
      return { status: 'False', reason: 'Ended', message: 'The subscription was deleted.' };
    case 'disabled':
      return row.disabledReason === 'gone'
        ? { status: 'False', reason: 'Gone', message: 'Disabled: the endpoint answered 410.' }
        : {
            status: 'False',
            reason: 'Disabled',
            message: `Disabled after ${DISABLED_AFTER_MS / 3_600_000} hours without a success${why}`,
          };
    case 'suspended':
      return {
        status: 'False',
        reason: 'Suspended',
        message:
          row.suspendedAt === null
            ? `The plan ${row.plan} does not include webhooks.`
            : 'The account has been suspended by the operator of the service.',
      };
    case 'paused':
      return { status: 'False', reason: 'Paused', message: 'Nothing is sent until the pause is lifted.' };
    case 'unconfirmed':
      return { status: 'False', reason: 'Unconfirmed', message: unconfirmedText(row)! };
    case 'failing':
      if (row.fault !== null)
        return { status: 'False', reason: 'Unreadable', message: `The subscription is broken: ${faultText(row)}.` };
      return { status: 'False', reason: 'Failing', message: `Deliveries fail and are retried${why}` };
    case 'active':
      if (row.lastSuccessAt !== null && row.gap !== null)
        return { status: 'True', reason: GAP, message: `Deliveries succeed, but ${gapText(row.gap)}.` };
      if (row.lastSuccessAt !== null) return { status: 'True', reason: 'Delivered', message: 'Deliveries succeed.' };
      if (row.failures === 0)
        return { status: 'Unknown', reason: 'NothingSent', message: 'Nothing has been sent yet.' };
      return { status: 'False', reason: 'NoSuccess', message: `No delivery has succeeded yet${why}` };
  }
}

/** The reasons why nothing is delivered although nothing is broken. */
const INTENDED = ['NotAccepted', 'Paused', 'Unconfirmed'];

/** @param accepted the state of Accepted @param delivers the state of Delivering */
function stalled(accepted: ConditionState, delivers: ConditionState): ConditionState {
  const isBroken = delivers.status === 'False' && !INTENDED.includes(delivers.reason);
  const broken = accepted.status === 'False' ? accepted : isBroken ? delivers : null;
  if (broken !== null) return { ...broken, status: 'True' };
  return { status: 'False', reason: accepted.reason, message: 'Nothing has to be repaired.' };
}

function conditionStates({
  fault,
  paused,
  row,
  plans,
  dispatcherAlive,
  dispatcher,
}: Observed): Record<ConditionType, ConditionState> {
  const accepted: ConditionState =
    fault === null
      ? { status: 'True', reason: 'Accepted', message: 'The spec is applied.' }
      : { status: paused ? 'Unknown' : 'False', reason: fault.reason, message: fault.message };
  const delivers = delivering(row, plans);
  return {
    Accepted: accepted,
    Ready:
      row === null
        ? { status: 'False', reason: 'NotAccepted', message: 'There is no subscription.' }
        : dispatcherAlive
          ? { status: 'True', reason: 'DispatcherAlive', message: `${dispatcher} is running.` }
          : { status: 'False', reason: 'NoDispatcher', message: `No dispatcher of ${dispatcher} is running.` },
    Delivering: delivers,
    Stalled: stalled(accepted, delivers),
  };
}

/** @param now the time to note if a condition changes */
export function buildStatus(observed: Observed, previous: Status | undefined, now: number): Status {
  const states = conditionStates(observed);
  const { generation } = observed;
  const conditions = buildConditions(CONDITIONS, { states, generation, previous: previous?.conditions, now });
  const shown = conditions.filter(({ type }) => type !== 'Stalled');
  return {
    observedGeneration: observed.generation,
    ...(observed.row !== null && { subscription: String(observed.row.id), dispatcher: observed.dispatcher }),
    secret: observed.secret,
    installation: observed.installation,
    reason: (shown.find(({ status }) => status !== 'True') ?? shown.at(-1)!).reason,
    conditions,
  };
}

/** Returns the part of a condition that counts as a change. A new message alone does not count, except for a new gap. */
const essence = ({ type, status, reason, message }: Condition) =>
  [type, status, reason, reason === GAP && message].join();

/** Returns the part of a status that counts as a change. */
const digest = (status: Status | undefined) =>
  JSON.stringify([
    status?.observedGeneration,
    status?.subscription,
    status?.dispatcher,
    status?.secret,
    status?.installation,
    (status?.conditions ?? []).map(essence),
  ]);

/** Returns the conditions that have changed since the previous status. */
export const changed = (next: Status, previous: Status | undefined): Condition[] =>
  (next.conditions ?? []).filter((condition) => {
    const before = previous?.conditions?.find(({ type }) => type === condition.type);
    return before === undefined || essence(before) !== essence(condition);
  });

/**
 * Returns whether a change has to be noticed at once: Ready has become true, or the spec is accepted or refused. A
 * condition that changes back and forth quickly is not noticed here, because writing `false` is delayed.
 */
const isUrgent = (next: Status, previous: Status | undefined): boolean =>
  changed(next, previous).some(({ type, status }) => type === 'Accepted' || (type === 'Ready' && status === 'True'));

/** Returns whether a condition has become false. `Stalled` changes together with another one. */
const isWorse = (next: Status, previous: Status | undefined): boolean =>
  changed(next, previous).some(
    ({ type, status }) =>
      type !== 'Stalled' &&
      status === 'False' &&
      previous?.conditions?.find((before) => before.type === type)?.status !== 'False',
  );

/**
 * @param lastWrite when this process last wrote the status or, for a new leader, the time of the last transition
 * @returns milliseconds until the status may be written, or 0 if it may be written now; null if it has not changed
 */
export function writeIn(next: Status, previous: Status | undefined, lastWrite: number, now: number): number | null {
  if (digest(next) === digest(previous)) return null;
  if (next.observedGeneration !== previous?.observedGeneration || isUrgent(next, previous)) return 0;
  // This installation has taken over the resource, so it alone writes the status now.
  if (next.installation !== previous?.installation) return 0;
  // Limited, so that a clock that is set back does not delay the status for ever.
  const interval = isWorse(next, previous) ? WORSE_INTERVAL_MS : STATUS_INTERVAL_MS;
  return Math.min(interval, Math.max(0, lastWrite + interval - now));
}

/** Returns the time of the latest transition. A new leader assumes that the status was last written at that time. */
export const lastTransition = (status: Status | undefined): number =>
  Math.max(0, ...(status?.conditions ?? []).map(({ lastTransitionTime }) => Date.parse(lastTransitionTime) || 0));
