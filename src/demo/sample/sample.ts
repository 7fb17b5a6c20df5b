/**
 * Data that the first start of a demo loads: two demo tournaments, clubs, stadiums, a season of results and fixtures.
 * All invented.
 */
import { FEED_SCHEMA_VERSION, type FeedUpdateInput } from '../../wire/feed-update.ts';
import { DEMO_PROVIDER } from '../recordings/states.ts';
import { CLUBS } from './clubs.ts';
import { LEAGUE } from './fixture.ts';
import { team } from './generate.ts';
import { firstYear, fixturesToPlay, formerResults, pastResults, seasonLabel } from './league.ts';

export const CUP = { name: 'Touchline Demo Cup', name_ru: 'Демонстрационный кубок Touchline', country: 'INT' };
/** League rounds that are already played at the first start. */
export const PLAYED_ROUNDS = 16;
/** Seasons before the current one, for head-to-heads and models. */
const FORMER_SEASONS = 2;
const WEEKS_WITHOUT_MATCHES = 10;
const WEEK_MS = 7 * 86_400_000;
/** League matches that the demo plays at the same time. */
export const LANES = 4;
/** Time between the starts of the matches of one wave. */
export const LANE_OFFSET_MS = 40_000;
/** Time from one match of a lane to its next: longer than the longest match at the demo's speed. */
export const LANE_CYCLE_MS = 390_000;
const FIRST_KICK_OFF_MS = 15_000;
const SEASON_STARTS_MONTH = 6;

/** Returns the season that contains `now`: before SEASON_STARTS_MONTH, the one that began in the previous year. */
export function currentSeason(now: number): string {
  const date = new Date(now);
  return seasonLabel(date.getUTCMonth() >= SEASON_STARTS_MONTH ? date.getUTCFullYear() : date.getUTCFullYear() - 1);
}

/** Kick-offs of the fixtures that the demo plays, ms since 1970. */
export const demoKickOff = (now: number) => (index: number) =>
  now + FIRST_KICK_OFF_MS + (index % LANES) * LANE_OFFSET_MS + Math.floor(index / LANES) * LANE_CYCLE_MS;

/**
 * The sample catalogue: history, to be applied without events.
 * @param now ms since 1970: results are from the weeks before it, fixtures from the time after it.
 */
export function sampleUpdates(now: number): FeedUpdateInput[] {
  const envelope = {
    schema: FEED_SCHEMA_VERSION,
    provider: DEMO_PROVIDER,
    observed_at: new Date(now).toISOString(),
  } as const;
  const season = currentSeason(now);
  const tournaments: FeedUpdateInput[] = [
    {
      ...envelope,
      kind: 'tournament',
      tournament: {
        ...LEAGUE,
        sport: 'football',
        tier: 1,
        importance: 70,
        demo: true,
        single_home_fixture: true,
        seasons: [{ label: season }],
      },
    },
    {
      ...envelope,
      kind: 'tournament',
      tournament: { ...CUP, sport: 'football', importance: 85, demo: true, rules: { table: false } },
    },
  ];
  const clubs = CLUBS.flatMap((club): FeedUpdateInput[] => [
    {
      ...envelope,
      kind: 'participant',
      participant: {
        ...team(club),
        type: 'team',
        sport: 'football',
        extra: { stadium: club.venue.name, city: club.venue.city },
      },
    },
    { ...envelope, kind: 'venue', venue: { ...club.venue, country: LEAGUE.country, sport: 'football' } },
  ]);
  const first = firstYear(season);
  const former = Array.from({ length: FORMER_SEASONS }, (_, index) => ({
    label: seasonLabel(first - 1 - index),
    end: now - (PLAYED_ROUNDS + WEEKS_WITHOUT_MATCHES + index * 52) * WEEK_MS,
  }));
  return [
    ...tournaments,
    ...clubs,
    ...former.toReversed().flatMap(({ label, end }) => formerResults(label, end)),
    ...pastResults(season, now, PLAYED_ROUNDS),
    ...fixturesToPlay(season, now, PLAYED_ROUNDS, demoKickOff(now)),
  ];
}
