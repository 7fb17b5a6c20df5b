/**
 * The demo league. It has results from three seasons, fixtures from one season, and a recording of each match in that season.
 * All recordings were made for one season. Every season gets these matches with adapted labels and days.
 */
import { type FeedUpdate, feedUpdate } from '../wire/feed-update.ts';
import { DAY_MS, wireTime } from '../wire/time.ts';
import { LANE_CYCLE_MS, LANE_OFFSET_MS, LANES } from './matches-at-once.ts';
import { demoFile, loadRecording, parseLines, type Recording, readText } from './recording.ts';

export const LEAGUE = 'Touchline Demo League';
const FIRST_KICK_OFF_MS = 15_000;
/** Number of league rounds that have already been played at the first start. */
export const PLAYED_ROUNDS = 16;
const SEASON_STARTS_MONTH = 6;

const RECORDED_SEASON = 2026;
/** The Saturday of the last round with results in the recorded season. */
const RECORDED_SATURDAY = Date.parse('2026-11-14T00:00:00Z');

/** `2026/27` for a season that begins in 2026. */
const seasonLabel = (year: number) => `${year}/${String((year + 1) % 100).padStart(2, '0')}`;

/** Returns the season that contains `now`. Before SEASON_STARTS_MONTH, this is the season that began in the previous year. */
export function currentSeason(now: number): string {
  const date = new Date(now);
  return seasonLabel(date.getUTCMonth() >= SEASON_STARTS_MONTH ? date.getUTCFullYear() : date.getUTCFullYear() - 1);
}
export const nextSeason = (label: string): string => seasonLabel(Number(label.slice(0, 4)) + 1);

/** Returns the last Saturday whose Sunday match is over, ms since 1970. */
function saturdayBefore(now: number): number {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const weekday = new Date(midnight).getUTCDay();
  return midnight - ((weekday + 1) % 7 || 7) * DAY_MS - (weekday === 0 ? 7 * DAY_MS : 0);
}

/** Returns the kick-off time of a fixture that the demo plays, in ms since 1970. */
const kickOff = (now: number, index: number) =>
  now + FIRST_KICK_OFF_MS + (index % LANES) * LANE_OFFSET_MS + Math.floor(index / LANES) * LANE_CYCLE_MS;

/**
 * Returns the sample catalogue, which is history, so it is applied without events.
 * @param now ms since 1970; results are from the weeks before it, and fixtures come after it
 */
export async function sampleUpdates(now: number): Promise<FeedUpdate[]> {
  const season = currentSeason(now);
  const years = Number(season.slice(0, 4)) - RECORDED_SEASON;
  const later = saturdayBefore(now) - RECORDED_SATURDAY;
  const updates = await readUpdates('sample.ndjson.gz');
  for (const update of updates) {
    if (update.kind === 'match') {
      moveSeason(update, years);
      update.match.scheduled_start = wireTime(Date.parse(update.match.scheduled_start!) + later);
      update.observed_at = new Date(Date.parse(update.observed_at) + later).toISOString();
    } else {
      update.observed_at = new Date(now).toISOString();
      if (update.kind === 'tournament' && update.tournament.seasons) update.tournament.seasons = [{ label: season }];
    }
  }
  return [...updates, ...(await fixturesToPlay(season, now, PLAYED_ROUNDS))];
}

/** Returns a season's fixtures after the first `playedRounds` rounds, in playing order, with starts from `now` on. */
export async function fixturesToPlay(season: string, now: number, playedRounds: number): Promise<FeedUpdate[]> {
  const fixtures = (await readUpdates('fixtures.ndjson.gz')).filter(
    (update) => update.kind === 'match' && update.match.round_num! > playedRounds,
  );
  for (const [index, update] of fixtures.entries()) {
    if (update.kind !== 'match') continue;
    moveSeason(update, Number(season.slice(0, 4)) - RECORDED_SEASON);
    update.match.scheduled_start = wireTime(kickOff(now, index));
    update.observed_at = new Date(now).toISOString();
  }
  return fixtures;
}

const readUpdates = async (name: string): Promise<FeedUpdate[]> =>
  parseLines(await readText(demoFile(name)), (line) => feedUpdate.parse(line));

const fixtureId = (season: string, name: string) => `league-${season.replace('/', '-')}-${name}`;

/** Moves a match by years. This changes the season and also the id, which contains the season. */
function moveSeason({ match }: Extract<FeedUpdate, { kind: 'match' }>, years: number): void {
  const label = seasonLabel(Number(match.season!.label.slice(0, 4)) + years);
  match.season = { ...match.season!, label };
  match.id = fixtureId(label, match.id.replace(/^league-\d{4}-\d\d-/, ''));
}

/** Returns a fixture's season and recording. Undefined if the id does not belong to a fixture. */
export async function findFixture(id: string): Promise<{ season: string; recording: Recording } | undefined> {
  const [, year, name] = /^league-(\d{4})-\d\d-(r\d+-[a-z-]+)$/.exec(id) ?? [];
  if (name === undefined) return undefined;
  return { season: seasonLabel(Number(year)), recording: await loadRecording(demoFile(`league/${name}.ndjson.gz`)) };
}
