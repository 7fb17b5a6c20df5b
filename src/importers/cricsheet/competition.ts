/** Finds the tournament, season, sides and ground of a Cricsheet match. */
import { type KnownTournament, seasonOn, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import { dataRows } from '../../wire/data-file.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import type { MatchFile } from './match-file.ts';

export const PROVIDER = 'cricsheet';
type Info = MatchFile['info'];

/** Tournaments of the matches on tours, which have no tournament of their own. */
const TOURS: Readonly<Record<string, string>> = {
  Test: 'Test Matches',
  ODI: 'One-Day Internationals',
  T20: 'Twenty20 Internationals',
  IT20: 'Twenty20 Internationals',
};
/** Rounds that have other names elsewhere. */
const ROUNDS: Readonly<Record<string, string>> = {
  'Quarter Final': 'Quarter-finals',
  'Semi Final': 'Semi-finals',
  '3rd Place Play-Off': 'Third place',
  'Elimination Final': 'Eliminator',
};

const CITIES = dataRows('identity/cricket-cities.csv', ['city', 'country', 'alias', 'home']);
const CITY_BY_NAME = new Map(
  CITIES.flatMap((row) =>
    [row.city, ...row.alias.split('|').filter(Boolean)].map((name) => [name.trim(), row] as const),
  ),
);

/** Returns the tournament, the season and the round. */
export function competition(info: Info): Pick<MatchInput, 'tournament' | 'season' | 'round_name' | 'group_name'> {
  const { event, gender, match_type, team_type, dates } = info;
  const isInternational = team_type === 'international';
  // The Ashes are also a part of the World Test Championship: "The Ashes (ICC World Test Championship)".
  const name = event?.name.replace(/ \([^()]*\)$/u, '');
  const known =
    name === undefined ? undefined : tournamentBySource(PROVIDER, gender === 'female' ? `${name} (women)` : name);
  const tour = isInternational && known === undefined && (name === undefined || / tour of /u.test(name));
  const shown = known?.name ?? (tour ? TOURS[match_type] : undefined) ?? name ?? `${match_type} matches`;
  const group = event?.group;
  return {
    tournament: {
      name: shown,
      country: known?.country ?? 'INT',
      gender: gender === 'female' ? 'women' : 'men',
    },
    season: { label: seasonLabel(info, known, dates[0]!) },
    round_name: event?.stage ? (ROUNDS[event.stage] ?? event.stage) : tour && name !== undefined ? name : null,
    group_name: group === undefined ? null : /^group/iu.test(String(group)) ? String(group) : `Group ${group}`,
  };
}

/** The source names three seasons of the IPL by two years, although each was played in one. */
function seasonLabel({ season }: Info, known: KnownTournament | undefined, day: string): string {
  if (known?.calendar_year) return seasonOn(known, day);
  const label = String(season);
  return /^\d{4}(?:\/\d{2})?$/u.test(label) ? label : day.slice(0, 4);
}

export const findCountry = (name: string, { team_type }: Info, tournament: string): string =>
  team_type === 'international' ? (nationTeam(name)?.country ?? 'INT') : tournament;

/** Returns the ground without the city that newer files write behind its name; undefined if the file names none. */
export function ground({ venue, city }: Info, tournament: string): MatchInput['venue'] | undefined {
  if (venue === undefined) return undefined;
  const [plain = venue, ...behind] = venue.split(', ');
  const where = [city, ...behind.toReversed()]
    .map((one) => CITY_BY_NAME.get(one ?? ''))
    .find((one) => one !== undefined);
  const place = where ?? CITIES.find((row) => plain.startsWith(`${row.city} `));
  const name = plain.replace(/^M\.(?=\S)/u, 'M ').replace(/ IS Bindra(?= Stadium)/u, '');
  return {
    name,
    ...((place?.city ?? city) !== undefined && { city: place?.city ?? city! }),
    country: place?.country ?? tournament,
  };
}

/**
 * Returns the team that plays in its own city. The file does not say who is at home.
 * @returns null on neutral ground abroad, undefined if it is not known
 */
export function homeTeam(
  { teams }: Info,
  venue: MatchInput['venue'] | undefined,
  tournament: string,
): string | null | undefined {
  if (!venue) return undefined;
  if (tournament !== 'INT' && venue.country !== tournament) return null;
  const homes = CITY_BY_NAME.get(venue.city ?? '')?.home.split('|') ?? [];
  const [first, second] = teams.filter((team) => homes.includes(team));
  return second === undefined ? first : undefined;
}
