/** Builds the conditions of a status, by the conventions of the Kubernetes API. */
import { wireTime } from '../../src/wire/time.ts';

const MESSAGE_CHARACTERS = 1_000;

export interface ConditionState {
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}

export interface Condition<Type extends string> extends ConditionState {
  type: Type;
  observedGeneration: number;
  lastTransitionTime: string;
}

interface Observation<Type extends string> {
  states: Readonly<Record<Type, ConditionState>>;
  generation: number;
  previous: readonly Condition<Type>[] | undefined;
  /** The time to note if a condition changes, in milliseconds since 1970. */
  now: number;
}

/** @param types the types of the conditions, in their order */
export const buildConditions = <Type extends string>(
  types: readonly Type[],
  { states, generation, previous, now }: Observation<Type>,
): Condition<Type>[] =>
  types.map((type) => {
    const { status, reason, message } = states[type];
    const before = previous?.find((one) => one.type === type);
    return {
      type,
      status,
      reason,
      message: message.slice(0, MESSAGE_CHARACTERS),
      observedGeneration: generation,
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : wireTime(now),
    };
  });
