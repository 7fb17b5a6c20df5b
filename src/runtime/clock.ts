/** A source of time, which tests can replace to change the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** True if the clock has been set to a time other than this machine's. */
  readonly isSet?: boolean;
}

/**
 * Returns the time as other machines see it, for example for a signature. It is the machine's time even if the clock
 * has been set.
 */
export const sharedTime = (clock: Clock): number => (clock.isSet ? systemClock : clock).now();

export const systemClock: Clock = { now: () => Date.now() };

/** Creates a clock that shows `time` (ms since 1970) now and continues from there. */
export function createSetClock(time: number): Clock {
  const ahead = time - Date.now();
  return { now: () => Date.now() + ahead, isSet: true };
}
