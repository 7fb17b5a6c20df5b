/** Plays a recording as a live match. Each recorded state is applied at its time. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../runtime/clock.ts';
import { type FeedUpdate, feedUpdate, type MatchUpdateInput } from '../wire/feed-update.ts';
import type { OpenMatch } from './queries.ts';
import type { Recording } from './recording.ts';

const DEFAULT_SPEED = 30;
/** Maximum duration of the time before kick-off, in seconds of real time. A longer time is compressed. */
const BEFORE_KICK_OFF_MAX_S = 20;

export interface PlayDeps {
  /** `applyUpdates` bound to the caller's stores, for one match at a time, with events. */
  apply: (updates: FeedUpdate[]) => Promise<readonly { outcome: string; errors?: unknown }[]>;
  clock: Clock;
  /** Waits for some milliseconds. Rejects at once when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface PlayOptions {
  /** The provider's id for this showing. Each showing is a match of its own. */
  matchId: string;
  /**
   * When the match kicks off in real time, ms since 1970. If absent, it kicks off once the states before kick-off have been
   * applied.
   */
  start?: number;
  speed?: number;
  /** Replaces the recorded season. */
  season?: MatchUpdateInput['match']['season'];
  /** The stored state of a match that was interrupted when the process stopped. The match continues from there. */
  resume?: StoredState;
  signal: AbortSignal;
}

type StoredState = Pick<OpenMatch, 'status_detail' | 'lineup_confirmed' | 'minute' | 'incidents'> & { status: string };

/**
 * Plays a recording. Resolves as soon as the match is over or the signal aborts.
 * @throws if an update is not valid or is rejected
 */
export async function play(deps: PlayDeps, recording: Recording, options: PlayOptions): Promise<void> {
  const { signal, speed = DEFAULT_SPEED } = options;
  const { sleep = pause } = deps;
  const skipped = options.resume ? firstAfter(recording, options.resume) : 0;
  const [listed] = recording;
  const first = recording[skipped];
  if (listed === undefined || first === undefined) return;
  const realTime = scale(listed.at, speed);
  const start = options.resume || options.start === undefined ? deps.clock.now() - realTime(first.at) : options.start;
  for (const { at, update } of recording.slice(skipped)) {
    try {
      await sleep(Math.max(0, start + realTime(at) - deps.clock.now()), signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (signal.aborted) return;
    await show(deps, at, shownNow(update, deps.clock.now(), start, options), options);
  }
}

/**
 * Applies the state at a certain minute, so that the match is live at once. If the match is not listed yet, the first
 * recorded state is applied before it. `play` then resumes the match from that minute.
 * @throws if an update is rejected
 */
export async function beginInTheMiddle(
  deps: PlayDeps,
  recording: Recording,
  {
    minute,
    isListed,
    ...options
  }: Omit<PlayOptions, 'signal' | 'start' | 'resume'> & { minute: number; isListed: boolean },
): Promise<void> {
  const [listed] = recording;
  const middle = recording.find(({ update: { match } }) => match.status === 'live' && (match.minute ?? 0) >= minute);
  if (listed === undefined || middle === undefined) throw new Error(`the recording has no minute ${minute}`);
  const now = deps.clock.now();
  const start = now - scale(listed.at, options.speed ?? DEFAULT_SPEED)(middle.at);
  for (const { at, update } of isListed ? [middle] : [listed, middle])
    await show(deps, at, shownNow(update, now, start, options), options);
}

async function show({ apply }: PlayDeps, at: number, update: MatchUpdateInput, { matchId }: { matchId: string }) {
  const [result] = await apply([feedUpdate.parse(update)]);
  if (result?.outcome === 'rejected') {
    throw new Error(`${matchId}: the update ${at} s after kick-off was rejected: ${JSON.stringify(result.errors)}`);
  }
}

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });

/** Returns a function that converts a time in the recording to milliseconds of real time after the kick-off. */
function scale(firstAt: number, speed: number): (at: number) => number {
  const before = Math.min(1 / speed, BEFORE_KICK_OFF_MAX_S / Math.max(1, -firstAt));
  return (at) => Math.round(at * 1000 * (at < 0 ? before : 1 / speed));
}

/** Returns a recorded state with this showing's id, start and time of observation. */
function shownNow(
  update: MatchUpdateInput,
  now: number,
  start: number,
  options: Pick<PlayOptions, 'matchId' | 'season' | 'resume'>,
): MatchUpdateInput {
  const match = { ...update.match, id: options.matchId, ...(options.season ? { season: options.season } : {}) };
  // A match that was interrupted during play keeps the announced start.
  if (options.resume?.status === 'live') delete match.scheduled_start;
  else match.scheduled_start = new Date(Math.round(start / 1000) * 1000).toISOString();
  return { ...update, observed_at: new Date(now).toISOString(), match };
}

const PHASES = ['scheduled', 'live', 'finished'];
const LINEUPS = [null, false, true];

/** Returns the index of the first state that is at least as far into the match as the stored state. */
function firstAfter(states: Recording, stored: StoredState): number {
  const index = states.findIndex(({ update: { match } }) => {
    const phase = PHASES.indexOf(match.status ?? 'scheduled') - PHASES.indexOf(stored.status);
    if (phase !== 0) return phase > 0;
    if (LINEUPS.indexOf(match.lineup_confirmed ?? null) < LINEUPS.indexOf(stored.lineup_confirmed)) return false;
    const further = (match.minute ?? 0) >= (stored.minute ?? 0) && (match.incidents?.length ?? 0) >= stored.incidents;
    return further && (match.minute !== stored.minute || match.status_detail === stored.status_detail);
  });
  return index === -1 ? states.length : index;
}
