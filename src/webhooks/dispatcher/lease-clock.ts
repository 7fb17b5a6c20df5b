/** Measures a lease's age by two clocks, since the monotonic clock stands still while a machine sleeps, and the wall clock may be set. */

export interface ClockReading {
  monotonic: number;
  wall: number;
}

export const readClocks = (): ClockReading => ({ monotonic: performance.now(), wall: Date.now() });

/** @returns elapsed milliseconds, by the clock that has advanced more */
export const elapsedSince = (then: ClockReading): number =>
  Math.max(performance.now() - then.monotonic, Date.now() - then.wall);
