/** Builds the statuses of tenancy resources. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { buildConditions, type ConditionState } from '../runtime/conditions.ts';
import { CONDITIONS, type Details, type Fault, type Status } from './kind.ts';

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

function conditionStates({ fault, isPaused }: Observed): Record<(typeof CONDITIONS)[number], ConditionState> {
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
    conditions: buildConditions(CONDITIONS, { states, generation: observed.generation, previous: before, now }),
  };
}

/** Returns whether two statuses say the same. The API server sorts the members of an object. */
export const isSameStatus = (one: Status, other: Status | undefined): boolean => isDeepStrictEqual(one, other);
