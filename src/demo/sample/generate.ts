/**
 * Generates a league match, minute by minute, as a recording. Goals are Poisson counts from the clubs' strengths; the
 * same seed gives the same match. All data is fictional.
 */
import { type Recording, type RecordingInput, recordingSchema, SIDES, type Side } from '../recordings/recording.ts';
import { type Club, generateSquad } from './clubs.ts';
import { comment } from './comments.ts';
import { LEAGUE_AVERAGE, ownFigures, pressure } from './figures.ts';
import { type Fixture, LEAGUE } from './fixture.ts';
import { type Random, seededRandom } from './random.ts';

const REFEREES = ['A. Brenneke', 'J. Calloway-Stone', 'M. Dravic', 'P. Eskelund', 'R. Fontenay', 'T. Gallimore'];
const HALF_MINUTES = 45;
const BREAK_MINUTES = 15;
const SHOTS_WITHOUT_GOAL = 10.5;
const YELLOW_CARDS = 1.9;
const PENALTY_XG = 0.78;

type Entry = RecordingInput['timeline'][number];
type Draft = { second: number; side: Side; what: 'goal' | 'shot' | 'yellow' | 'red' | 'substitution' };
type Row = [number, string, string, string];

/** Likelihood by position of a shot or goal, and of a booking. */
const SHOOTS: Record<string, number> = {
  GK: 0,
  CB: 1.2,
  RB: 1,
  LB: 1,
  DM: 1.5,
  CM: 3,
  RM: 3,
  LM: 3,
  AM: 5,
  RW: 6,
  LW: 6,
  ST: 9,
};
const BOOKED: Record<string, number> = {
  GK: 0.4,
  CB: 4,
  RB: 3,
  LB: 3,
  DM: 5,
  CM: 3,
  RM: 2,
  LM: 2,
  AM: 2,
  RW: 1.5,
  LW: 1.5,
  ST: 2,
};

/** Goals that the sides score on average. */
export const fixtureStrengths = ({ home, away }: Pick<Fixture, 'home' | 'away'>): Record<Side, number> => ({
  home: LEAGUE_AVERAGE.home * home.attack * away.defence,
  away: LEAGUE_AVERAGE.away * away.attack * home.defence,
});

export function generateMatch(fixture: Fixture): Recording {
  const random = seededRandom(fixture.id);
  const squads = { home: generateSquad(fixture.home), away: generateSquad(fixture.away) };
  const strengths = fixtureStrengths(fixture);
  const added = [random.int(1, 4), random.int(2, 7)] as const;
  const timeline = playOut(fixture, squads, added, draft(random, strengths, added), random);
  return recordingSchema.parse({
    format: 1,
    name: fixture.id,
    title: `${fixture.home.name} against ${fixture.away.name}, generated`,
    sport: 'football',
    tournament: LEAGUE,
    season: { label: fixture.season },
    round_num: fixture.round,
    kick_off: fixture.kickOff,
    home: team(fixture.home),
    away: team(fixture.away),
    venue: { ...fixture.home.venue, country: LEAGUE.country },
    referee: random.pick(REFEREES),
    attendance: Math.round(fixture.home.venue.capacity * (0.72 + 0.27 * random.next())),
    before: { listed: 20, lineups: 15, confirmed: 8 },
    strengths,
    sheets: { home: sheet(fixture.home, squads.home), away: sheet(fixture.away, squads.away) },
    periods: [
      { period: '1H', from: 0, to: HALF_MINUTES, lasts: HALF_MINUTES + added[0] + 0.5, break: BREAK_MINUTES },
      { period: '2H', from: HALF_MINUTES, to: 2 * HALF_MINUTES, lasts: HALF_MINUTES + added[1] + 0.5 },
    ],
    statistics: ownFigures(random, strengths),
    momentum: pressure(random, strengths, timeline),
    timeline,
  } satisfies RecordingInput);
}

export const team = (one: Club) => ({ id: one.id, name: one.name, name_ru: one.name_ru, country: LEAGUE.country });
const sheet = (one: Club, squad: { eleven: Row[]; bench: Row[] }) => ({
  formation: one.formation,
  coach: one.coach,
  ...squad,
});

/** Drafts the events and their times in seconds of play, without names. */
function draft(random: Random, strengths: Record<Side, number>, added: readonly [number, number]): Draft[] {
  const length = (2 * HALF_MINUTES + added[0] + added[1]) * 60;
  const anyTime = () => Math.floor(random.next() * length);
  const drafts: Draft[] = [];
  const times = (count: number, side: Side, what: Draft['what'], when = anyTime) => {
    for (let index = 0; index < count; index++) drafts.push({ second: when(), side, what });
  };
  for (const side of SIDES) {
    times(random.poisson(strengths[side]), side, 'goal');
    times(random.poisson(SHOTS_WITHOUT_GOAL * Math.sqrt(strengths[side] / LEAGUE_AVERAGE.home)), side, 'shot');
    times(random.poisson(YELLOW_CARDS), side, 'yellow');
    times(random.next() < 0.05 ? 1 : 0, side, 'red', () => length - Math.floor(random.next() * 2_400));
    const secondHalf = (HALF_MINUTES + added[0]) * 60;
    times(random.int(3, 5), side, 'substitution', () => secondHalf + random.int(60, 41 * 60));
  }
  return drafts.filter((one) => one.second < length).sort((a, b) => a.second - b.second);
}

interface Pitch {
  on: Row[];
  bench: Row[];
  booked: Set<string>;
}

/** Assigns names to the events, from the players on the pitch at that moment. */
function playOut(
  fixture: Fixture,
  squads: Record<Side, { eleven: Row[]; bench: Row[] }>,
  added: readonly [number, number],
  drafts: Draft[],
  random: Random,
): Entry[] {
  const pitches: Record<Side, Pitch> = {
    home: { on: [...squads.home.eleven], bench: [...squads.home.bench], booked: new Set() },
    away: { on: [...squads.away.eleven], bench: [...squads.away.bench], booked: new Set() },
  };
  const score = { home: 0, away: 0 };
  const board = (at: number, minutes: number): Entry => ({ at: String(at), second: 50, kind: 'added_time', minutes });
  const entries: Entry[] = [board(HALF_MINUTES, added[0]), board(2 * HALF_MINUTES, added[1])];
  for (const one of drafts) {
    const moment = label(one.second, added);
    const entry = { ...moment, ...entryDetails(one, pitches[one.side], random) } as Entry | typeof moment;
    if (!('kind' in entry)) continue;
    if (entry.kind === 'goal') score[one.side] += 1;
    entries.push({ ...entry, ...comment(entry, fixture, score) });
  }
  return entries;
}

/** Returns `45+2` and the seconds into it. */
function label(second: number, added: readonly [number, number]): { at: string; second: number } {
  const first = (HALF_MINUTES + added[0]) * 60;
  const [from, played] = second < first ? [0, second] : [HALF_MINUTES, second - first];
  const minute = Math.floor(played / 60) + 1;
  const at = minute > HALF_MINUTES ? `${from + HALF_MINUTES}+${minute - HALF_MINUTES}` : String(from + minute);
  return { at, second: played % 60 };
}

type EntryDetails<E = Entry> = E extends Entry ? Omit<E, 'at' | 'second'> : never;

function entryDetails(one: Draft, pitch: Pitch, random: Random): EntryDetails | null {
  const { side } = one;
  const shooter = () => random.weighted(pitch.on, (row) => SHOOTS[row[1]] ?? 2);
  switch (one.what) {
    case 'goal':
      return goal(side, shooter(), pitch, random);
    case 'shot':
      return {
        kind: 'shot',
        side,
        player: shooter()[2],
        outcome: random.weighted(
          ['save', 'miss', 'block', 'post'] as const,
          (key) => ({ save: 29, miss: 42, block: 27, post: 2 })[key],
        ),
        xg: round(0.02 + 0.22 * random.next() ** 3),
        ...place(random),
      };
    case 'yellow':
    case 'red': {
      const [, , player] = random.weighted(
        pitch.on,
        (row) => (pitch.booked.has(row[2]) ? 0.2 : 1) * (BOOKED[row[1]] ?? 2),
      );
      const card = one.what === 'red' ? 'red' : pitch.booked.has(player) ? 'second_yellow' : 'yellow';
      if (card === 'yellow') pitch.booked.add(player);
      else pitch.on = pitch.on.filter((row) => row[2] !== player);
      return {
        kind: 'card',
        side,
        player,
        card,
        reason: random.pick(['Foul', 'Foul', 'Dissent', 'Time wasting', 'Handball']),
      };
    }
    case 'substitution': {
      const coming = pitch.bench.filter((row) => row[1] !== 'GK');
      if (coming.length === 0) return null;
      const chosen = random.pick(coming);
      const going = random.pick(pitch.on.filter((row) => row[1] !== 'GK'));
      pitch.bench = pitch.bench.filter((row) => row !== chosen);
      pitch.on = pitch.on.map((row) => (row === going ? chosen : row));
      return { kind: 'substitution', side, out: going[2], in: chosen[2] };
    }
  }
}

function goal(side: Side, scorer: Row, pitch: Pitch, random: Random): EntryDetails {
  const [, , player] = scorer;
  if (random.next() < 0.1) {
    const spot = { situation: 'penalty', body: 'right_foot', x: 89, y: 50 };
    return { kind: 'goal', side, player, type: 'penalty', xg: PENALTY_XG, ...spot };
  }
  const others = pitch.on.filter((row) => row !== scorer && row[1] !== 'GK');
  const assist = random.next() < 0.72 ? random.weighted(others, (row) => SHOOTS[row[1]] ?? 2)[2] : undefined;
  return {
    kind: 'goal',
    side,
    player,
    ...(assist ? { assist } : {}),
    xg: round(0.06 + 0.6 * random.next() ** 2),
    ...place(random),
  };
}

const place = (random: Random) => ({
  situation: random.weighted(
    ['regular', 'corner', 'fast_break', 'free_kick'] as const,
    (key) => ({ regular: 66, corner: 18, fast_break: 10, free_kick: 6 })[key],
  ),
  body: random.weighted(
    ['right_foot', 'left_foot', 'head'] as const,
    (key) => ({ right_foot: 52, left_foot: 31, head: 17 })[key],
  ),
  x: Math.round(Math.max(66, Math.min(98, random.around(85, 9)))),
  y: Math.round(Math.max(8, Math.min(92, random.around(50, 18)))),
});

const round = (value: number) => Math.round(value * 100) / 100;
