/** Time source, so that tests can move the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** True if, on request, it shows a different time than this machine. */
  readonly isSet?: boolean;
}

/** Returns the time for other machines, such as a signature time, which a clock that was set must not change. */
export const sharedTime = (clock: Clock): number => (clock.isSet ? systemClock : clock).now();

export const systemClock: Clock = { now: () => Date.now() };

/** Creates a clock that shows `time` (ms since 1970) now and runs on from there. */
export function createSetClock(time: number): Clock {
  const ahead = time - Date.now();
  return { now: () => Date.now() + ahead, isSet: true };
}
