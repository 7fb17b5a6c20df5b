/**
 * Russian names for teams and tournaments, for which no provider has given one. They come from data/names.csv and
 * data/tournaments.yaml, and for national teams from country names. A line for a national team applies to every sport and
 * gender.
 */

import { readFileSync } from 'node:fs';
import { COUNTRIES } from '../wire/countries.ts';
import { csvRows } from '../wire/csv-rows.ts';
import { knownTournaments } from './canonical-tournaments.ts';
import { identifyParticipant, identifyTournament, isNationalTeam, storedKey } from './entity-keys.ts';
import type { TeamKey } from './participant-names.ts';

export interface RussianTeam {
  /** Null for any sport, or any gender. */
  sport: string | null;
  gender: string | null;
  /** The team's stored key. */
  key: string;
  nameRu: string;
}
export interface RussianTournament {
  sport: string;
  country: string;
  gender: string;
  key: string;
  nameRu: string;
}
/** Russian names by entity. If an entity has several entries, the first one counts. */
export interface RussianNames {
  teams: RussianTeam[];
  tournaments: RussianTournament[];
}

/** In identity, a national team is the same entity in every sport. */
const SOME_SPORT = 'football';

/** Parses the Russian names. @param text the text of names.csv */
export const readRussianNames = (text: string): RussianNames => ({
  teams: readTeams(text),
  tournaments: [
    ...rowsOf('tournament', text).map((row) => tournament({ ...row, nameRu: row.text! } as NamedTournament)),
    ...knownTournaments().all.flatMap((known) =>
      known.name_ru ? tournament({ ...known, nameRu: known.name_ru }) : [],
    ),
  ],
});

const rowsOf = (kind: 'participant' | 'tournament', text: string) =>
  csvRows(text)
    .map(({ record }) => record)
    .filter(({ locale, entity }) => locale === 'ru' && entity === kind);

const readTeams = (text: string): RussianTeam[] => [
  ...rowsOf('participant', text).map(team),
  ...COUNTRIES.flatMap(nation),
];

let teamsByKey: ReadonlyMap<string, readonly RussianTeam[]> | undefined;

function listedTeams(): ReadonlyMap<string, readonly RussianTeam[]> {
  if (teamsByKey) return teamsByKey;
  const teams = new Map<string, RussianTeam[]>();
  for (const one of readTeams(readFileSync(new URL('../../data/names.csv', import.meta.url), 'utf8')))
    if (teams.get(one.key)?.push(one) === undefined) teams.set(one.key, [one]);
  teamsByKey = teams;
  return teams;
}

/** Returns a team's Russian name in the built-in files, or null. The files are read once per process. */
export const listedRussianName = ({ sport, gender, key }: TeamKey): string | null =>
  listedTeams()
    .get(key)
    ?.find((one) => (one.sport ?? sport) === sport && (one.gender ?? gender) === gender)?.nameRu ?? null;

function team({ sport, gender, country, name, text }: Record<string, string>): RussianTeam {
  const identity = identifyParticipant({ type: 'team', sport: sport!, country: country || undefined, name: name! });
  const ofAny = isNationalTeam(identity);
  return { sport: ofAny ? null : sport!, gender: ofAny ? null : gender!, key: storedKey(identity), nameRu: text! };
}

/**
 * Returns a country's national team. Empty for a former state such as the Soviet Union, whose team is the successor's and has
 * a name of its own.
 */
function nation({ iso, name, name_ru }: (typeof COUNTRIES)[number]): RussianTeam[] {
  const identity = identifyParticipant({ type: 'team', sport: SOME_SPORT, country: iso, name });
  if (!isNationalTeam(identity) || identity.name !== name) return [];
  return [{ sport: null, gender: null, key: storedKey(identity), nameRu: name_ru }];
}

type NamedTournament = Record<'sport' | 'country' | 'gender' | 'name' | 'nameRu', string>;

const tournament = ({ sport, country, gender, name, nameRu }: NamedTournament): RussianTournament => ({
  sport,
  country,
  gender,
  key: identifyTournament({ sport, country, gender, name }).key,
  nameRu,
});
