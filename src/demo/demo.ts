/**
 * The demo, in which a match is always live. It repeats a recorded final, and plays recorded matches of an invented league
 * and of other sports.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { type FeedUpdate, feedUpdate } from '../wire/feed-update.ts';
import { currentSeason, findFixture, fixturesToPlay, LEAGUE, nextSeason, sampleUpdates } from './invented-league.ts';
import { LANE_CYCLE_MS, LANE_OFFSET_MS, LANES, SPORT_LANES } from './matches-at-once.ts';
import { beginInTheMiddle, play } from './play.ts';
import { newestSeason, type OpenMatch, openMatches } from './queries.ts';
import { type RecordedState, recordedSports, shippedRecording, sportRecording } from './recording.ts';

const CUP = 'Touchline Demo Cup';
const FINAL = 'world-cup-final-2022';
const FINAL_SPEED = 30;
const LEAGUE_SPEED = 20;
/** The minute in which the first showing begins. A goal follows two minutes later, which is 4 s at the demo's speed. */
const FIRST_MINUTE = 78;
/** Pause between two showings of the final. */
const INTERVAL_MS = 20_000;
const FINAL_PREFIX = 'cup-final-';
const LEAGUE_PREFIX = 'league-';
const SPORT_PREFIX = 'sport-';
const SPORT_SPEED = 15;
const SPORT_IMPORTANCE = 60;
const IMPORT_BATCH = 500;
const RETRY_MS = 10_000;

export interface DemoDeps {
  pool: Queryable;
  clock: Clock;
  logger: Logger;
  /** `applyUpdates` bound to the caller's stores. */
  apply: (
    updates: FeedUpdate[],
    options: { events: boolean },
  ) => Promise<readonly { outcome: string; errors?: unknown }[]>;
}

/**
 * Loads the sample catalogue unless it has already been loaded, and makes sure that a match is live. If no match from an
 * earlier run is in play, the final starts midway. Resolves to the number of sample updates.
 */
export async function prepareDemo(deps: DemoDeps): Promise<number> {
  const loaded = await loadDemoLeague(deps);
  const [finals, league] = [await openMatches(deps.pool, FINAL_PREFIX), await openMatches(deps.pool, LEAGUE_PREFIX)];
  if ([...finals, ...league].some(({ status }) => status === 'live')) return loaded;
  const recording = await shippedRecording(FINAL);
  await beginInTheMiddle({ ...deps, apply: live(deps) }, recording, {
    ...showing(FINAL_PREFIX, FINAL_SPEED, finals[0], deps.clock.now()),
    minute: FIRST_MINUTE,
    isListed: finals.length > 0,
  });
  return loaded;
}

/** Loads the sample catalogue unless it has already been loaded. Resolves to the number of applied updates. */
export async function loadDemoLeague(deps: DemoDeps): Promise<number> {
  if ((await newestSeason(deps.pool, LEAGUE)) !== null) return 0;
  const updates = await sampleUpdates(deps.clock.now());
  await applyHistory(deps, updates);
  return updates.length;
}

async function applyHistory(deps: DemoDeps, updates: FeedUpdate[]): Promise<void> {
  for (let index = 0; index < updates.length; index += IMPORT_BATCH) {
    const results = await deps.apply(updates.slice(index, index + IMPORT_BATCH), { events: false });
    const rejected = results.find((result) => result.outcome === 'rejected');
    if (rejected) throw new Error(`the sample was rejected: ${JSON.stringify(rejected.errors)}`);
  }
}

/**
 * Plays until the signal aborts. An error in one match is logged and does not stop the others. Matches that an earlier run
 * left unfinished are resumed.
 */
export async function playDemo(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  await loadDemoLeague(deps);
  await Promise.all([playFinals(deps, signal), playLeague(deps, signal), playSports(deps, signal)]);
}

const live = (deps: DemoDeps) => (updates: FeedUpdate[]) => deps.apply(updates, { events: true });

/** Resolves after the given time, to true, or when the signal aborts, to false. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(Math.max(0, ms), undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

/** Returns the options for a recording's unfinished match, or for a new match if there is none. */
const showing = (prefix: string, speed: number, cut: OpenMatch | undefined, now: number) => ({
  matchId: cut?.external_id ?? `${prefix}${now}`,
  season: { label: String(new Date(cut?.start ?? now).getUTCFullYear()) },
  speed,
});

async function playFinals(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  const recording = await shippedRecording(FINAL);
  const turn = async () => {
    const [cut] = await openMatches(deps.pool, FINAL_PREFIX);
    const shown = showing(FINAL_PREFIX, FINAL_SPEED, cut, deps.clock.now());
    const options = { ...shown, signal, ...(cut ? { resume: cut } : {}) };
    await play({ ...deps, apply: live(deps) }, recording, options);
  };
  do await guarded(deps, CUP, turn, signal);
  while (await waited(INTERVAL_MS, signal));
}

/** Plays matches in other sports. Several are live at once, and the sports take turns. */
async function playSports(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  const sports = await recordedSports();
  const lane = async (first: number): Promise<void> => {
    for (let index = first; !signal.aborted; index = (index + SPORT_LANES) % sports.length) {
      const sport = sports[index];
      if (sport === undefined) return;
      await guarded(deps, sport, () => playSport(deps, sport, signal), signal);
      await waited(INTERVAL_MS, signal);
    }
  };
  await Promise.all(Array.from({ length: SPORT_LANES }, (_, index) => lane(index)));
}

/** Continues a sport's unfinished match, or plays a new one. */
async function playSport(deps: DemoDeps, sport: string, signal: AbortSignal): Promise<void> {
  const recording = await sportRecording(sport);
  await applyHistory(deps, recording.slice(0, 1).map(demoTournament));
  const prefix = `${SPORT_PREFIX}${sport}-`;
  const [cut] = await openMatches(deps.pool, prefix);
  const shown = showing(prefix, SPORT_SPEED, cut, deps.clock.now());
  const options = { ...shown, signal, ...(cut ? { resume: cut } : {}) };
  await play({ ...deps, apply: live(deps) }, recording, options);
}

/** Returns the tournament of a recorded match, marked as invented. */
function demoTournament({ update }: RecordedState): FeedUpdate {
  const { match, ...envelope } = update;
  const { id: _id, ...tournament } = match.tournament;
  return feedUpdate.parse({
    ...envelope,
    kind: 'tournament',
    tournament: { ...tournament, sport: match.sport, importance: SPORT_IMPORTANCE, demo: true },
  });
}

/** Runs one turn. If it fails, logs the error and waits; the next turn resumes the unfinished match. */
async function guarded(deps: DemoDeps, name: string, turn: () => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await turn();
  } catch (error) {
    if (signal.aborted) return;
    deps.logger.error({ err: error, demo: name }, 'demo match failed, retrying');
    await waited(RETRY_MS, signal);
  }
}

/** Runs several lanes, each of which plays one match at a time. All take fixtures from the same queue, in playing order. */
async function playLeague(deps: DemoDeps, signal: AbortSignal): Promise<void> {
  const queue = fixtureQueue(deps);
  const turn = async (offset: number): Promise<void> => {
    const match = await queue.take();
    try {
      const late = match.status === 'scheduled' && match.start <= deps.clock.now();
      if (late && !(await waited(offset, signal))) return;
      await playFixture(deps, match, signal);
    } catch (error) {
      queue.giveBack(match);
      throw error;
    }
  };
  const lane = async (index: number): Promise<void> => {
    let offset = index * LANE_OFFSET_MS;
    while (!signal.aborted) {
      await guarded(deps, LEAGUE, () => turn(offset), signal);
      offset = 0;
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)));
}

async function playFixture(deps: DemoDeps, match: OpenMatch, signal: AbortSignal): Promise<void> {
  const fixture = await findFixture(match.external_id);
  if (!fixture) throw new Error(`${match.external_id} is not a fixture of the demo league`);
  const now = deps.clock.now();
  // A match that is due soon keeps its planned start. It starts now if that start is too far ahead, or was missed while the
  // service was stopped.
  const due = match.start > now && match.start < now + LANE_CYCLE_MS;
  const options = {
    matchId: match.external_id,
    season: { label: fixture.season },
    speed: LEAGUE_SPEED,
    signal,
    ...(due ? { start: match.start } : {}),
    ...(match.status === 'live' || match.lineup_confirmed !== null ? { resume: match } : {}),
  };
  await play({ ...deps, apply: live(deps) }, fixture.recording, options);
}

interface FixtureQueue {
  take(): Promise<OpenMatch>;
  /** Puts a match back after an error. It is taken again later, with the state that is stored then. */
  giveBack(match: OpenMatch): void;
}

/** Creates a queue that yields each unfinished fixture once. When it is empty, the next season's fixtures fill it. */
function fixtureQueue(deps: DemoDeps): FixtureQueue {
  let waiting: OpenMatch[] = [];
  const taken = new Set<string>();
  let filling: Promise<void> | null = null;
  const openFixtures = async () =>
    (await openMatches(deps.pool, LEAGUE_PREFIX)).filter((match) => !taken.has(match.external_id));
  async function fill(): Promise<void> {
    waiting = await openFixtures();
    if (waiting.length > 0) return;
    const now = deps.clock.now();
    const newest = await newestSeason(deps.pool, LEAGUE);
    const season = newest === null ? currentSeason(now) : nextSeason(newest);
    await applyHistory(deps, await fixturesToPlay(season, now, 0));
    waiting = await openFixtures();
  }
  return {
    async take() {
      while (waiting.length === 0) {
        filling ??= fill().finally(() => {
          filling = null;
        });
        await filling;
      }
      const match = waiting.shift()!;
      taken.add(match.external_id);
      return match;
    },
    giveBack(match) {
      taken.delete(match.external_id);
      waiting = [];
    },
  };
}
