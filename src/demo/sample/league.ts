/** Seasons of the demo league: a double round robin, played weekly in the past and by the minute in the demo. */
import { FEED_SCHEMA_VERSION, type MatchUpdateInput } from '../../wire/feed-update.ts';
import { wireTime } from '../../wire/time.ts';
import type { Recording } from '../recordings/recording.ts';
import { DEMO_PROVIDER, finalState, listedState } from '../recordings/states.ts';
import { CLUBS, type Club } from './clubs.ts';
import { type Fixture, LEAGUE } from './fixture.ts';
import { fixtureStrengths, generateMatch, team } from './generate.ts';
import { generateOdds } from './odds.ts';
import { seededRandom } from './random.ts';

const DAY_MS = 24 * 3_600_000;
const MATCHES_A_ROUND = CLUBS.length / 2;
export const ROUNDS = 2 * (CLUBS.length - 1);
/** Usual kick-offs of a round, in hours after midnight UTC of its Saturday. */
const KICK_OFF_HOURS = [12.5, 15, 15, 15, 17.5, 40];

/** `2026/27` for a season that begins in 2026. */
export const seasonLabel = (year: number) => `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
export const firstYear = (label: string) => Number(label.slice(0, 4));

export interface Pairing {
  round: number;
  home: Club;
  away: Club;
}

/** Returns all pairings of a season in playing order (circle method; the second half mirrors the first). */
export function pairings(): Pairing[] {
  const [fixed, ...others] = CLUBS;
  const first = Array.from({ length: CLUBS.length - 1 }, (_, round) => {
    const turned = [fixed!, ...others.slice(round), ...others.slice(0, round)];
    return Array.from({ length: MATCHES_A_ROUND }, (_, index): Pairing => {
      const pair = [turned[index]!, turned[CLUBS.length - 1 - index]!] as const;
      const [home, away] = (round + index) % 2 === 0 ? pair : [pair[1], pair[0]];
      return { round: round + 1, home, away };
    });
  });
  const mirrored = first.map((round) =>
    round.map(
      ({ round: number, home, away }): Pairing => ({ round: number + CLUBS.length - 1, home: away, away: home }),
    ),
  );
  return [...first, ...mirrored].flat();
}

export const fixtureId = (season: string, { round, home, away }: Pairing) =>
  `league-${season.replace('/', '-')}-r${round}-${home.id}-v-${away.id}`;

/** The fixture that an id stands for; undefined for another id. */
export function findFixture(id: string, kickOff: string): Fixture | undefined {
  const [, year, years, round, home, away] = /^league-(\d{4})-(\d\d)-r(\d+)-(.+)-v-(.+)$/.exec(id) ?? [];
  const clubs = [home, away].map((one) => CLUBS.find((club) => club.id === one));
  if (year === undefined || round === undefined || !clubs[0] || !clubs[1]) return undefined;
  return { id, home: clubs[0], away: clubs[1], round: Number(round), season: `${year}/${years}`, kickOff };
}

/** Returns the season's first rounds, one a week, the newest of them in the days before `now`. */
function played(season: string, now: number, rounds: number): Fixture[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const weekday = new Date(midnight).getUTCDay();
  // The last Saturday whose Sunday match is over.
  const saturday = midnight - ((weekday + 1) % 7 || 7) * DAY_MS - (weekday === 0 ? 7 * DAY_MS : 0);
  return pairings()
    .filter(({ round }) => round <= rounds)
    .map((pairing, index) => {
      const hours = KICK_OFF_HOURS[index % MATCHES_A_ROUND]!;
      const kickOff = wireTime(saturday - (rounds - pairing.round) * 7 * DAY_MS + hours * 3_600_000);
      return { id: fixtureId(season, pairing), season, kickOff, ...pairing };
    });
}

/** Results of the season's first rounds, one a week, the newest of them in the days before `now`. */
export const pastResults = (season: string, now: number, rounds: number): MatchUpdateInput[] =>
  played(season, now, rounds).map((fixture) => {
    const match = generateMatch(fixture);
    // Tables and scorers need no more of an old match; the rest would only slow down the first start.
    const isNew = fixture.round > rounds - 2;
    const state = finalState(match, isNew);
    return isNew ? withOdds(state, match) : state;
  });

function withOdds(state: MatchUpdateInput, recording: Recording): MatchUpdateInput {
  const { home, away } = state.match.score!;
  const winner = home > away ? '1' : home < away ? '2' : 'X';
  return { ...state, match: { ...state.match, odds: generateOdds(recording, winner) } };
}

/** A past season: its results only. @param end ms since 1970: its last round is in the days before */
export const formerResults = (season: string, end: number): MatchUpdateInput[] =>
  played(season, end, ROUNDS).map((fixture) => {
    const random = seededRandom(fixture.id);
    const strengths = fixtureStrengths(fixture);
    return {
      schema: FEED_SCHEMA_VERSION,
      kind: 'match',
      provider: DEMO_PROVIDER,
      observed_at: fixture.kickOff,
      match: {
        id: fixture.id,
        sport: 'football',
        tournament: LEAGUE,
        season: { label: season },
        round_num: fixture.round,
        home: team(fixture.home),
        away: team(fixture.away),
        scheduled_start: fixture.kickOff,
        status: 'finished',
        status_detail: 'ended',
        score: { home: random.poisson(strengths.home), away: random.poisson(strengths.away) },
        finalized: true,
      },
    };
  });

/**
 * Fixtures still to be played, from the round after `playedRounds`; `startOf` returns their kick-offs, ms since 1970.
 */
export function fixturesToPlay(
  season: string,
  now: number,
  playedRounds: number,
  startOf: (index: number) => number,
): MatchUpdateInput[] {
  return pairings()
    .filter(({ round }) => round > playedRounds)
    .map((pairing, index) => {
      const fixture: Fixture = {
        id: fixtureId(season, pairing),
        season,
        kickOff: wireTime(startOf(index)),
        ...pairing,
      };
      const recording = generateMatch(fixture);
      const { update } = listedState(recording);
      return {
        ...update,
        observed_at: new Date(now).toISOString(),
        match: { ...update.match, odds: generateOdds(recording) },
      };
    });
}
