/** Source of time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** True if it shows another time than this machine, on request. */
  readonly isSet?: boolean;
}

/** Returns the time for other machines, such as the time of a signature, which a clock that was set must not change. */
export const sharedTime = (clock: Clock): number => (clock.isSet ? systemClock : clock).now();

export const systemClock: Clock = { now: () => Date.now() };

/** Creates a clock that shows `time` (ms since 1970) now and runs on from there. */
export function createSetClock(time: number): Clock {
  const ahead = time - Date.now();
  return { now: () => Date.now() + ahead, isSet: true };
}
