/** Builds the statuses of tenancy resources. Pure. */
import { wireTime } from '../../src/wire/time.ts';
import { CONDITIONS, type Condition, type Details, type Fault, type Status } from './kind.ts';

const MESSAGE_CHARACTERS = 1_000;

export interface Observed {
  generation: number;
  /** `<namespace>/<name>`. Undefined if no installation serves the resource. */
  installation: string | undefined;
  fault: Fault | null;
  /** True if the fault is not a mistake, but something that has been asked for. */
  isPaused: boolean;
  /** The kind's own fields. Null if there is a fault: those of the previous status stay. */
  details: Details | null;
}

type State = Pick<Condition, 'status' | 'reason' | 'message'>;

function conditionStates({ fault, isPaused }: Observed): Record<(typeof CONDITIONS)[number], State> {
  if (fault === null)
    return {
      Ready: { status: 'True', reason: 'Applied', message: 'The spec is applied.' },
      Stalled: { status: 'False', reason: 'Applied', message: 'Nothing has to be repaired.' },
    };
  const { reason, message } = fault;
  return {
    Ready: { status: isPaused ? 'Unknown' : 'False', reason, message },
    Stalled: { status: isPaused ? 'False' : 'True', reason, message },
  };
}

/** @param now the time to note if a condition changes */
export function buildStatus(observed: Observed, previous: Status | undefined, now: number): Status {
  const states = conditionStates(observed);
  const { observedGeneration: _, installation: __, reason: ___, conditions: before, ...details } = previous ?? {};
  return {
    ...(observed.details ?? details),
    observedGeneration: observed.generation,
    ...(observed.installation !== undefined && { installation: observed.installation }),
    reason: states.Ready.reason,
    conditions: CONDITIONS.map((type): Condition => {
      const { status, reason, message } = states[type];
      const former = before?.find((one) => one.type === type);
      return {
        type,
        status,
        reason,
        message: message.slice(0, MESSAGE_CHARACTERS),
        observedGeneration: observed.generation,
        lastTransitionTime: former?.status === status ? former.lastTransitionTime : wireTime(now),
      };
    }),
  };
}

/** Returns whether two statuses say the same. */
export const isSameStatus = (one: Status, other: Status | undefined): boolean => {
  const text = (status: Status | undefined) => JSON.stringify(Object.entries(status ?? {}).sort());
  return text(one) === text(other);
};
