/**
 * Russian names for teams and tournaments, for which no provider has given one. They come from data/names.csv and
 * data/tournaments.yaml, and for national teams from country names. A line for a national team applies to every sport and
 * gender.
 */

import { knownTournaments } from '../../identity/canonical-tournaments.ts';
import { identifyParticipant, identifyTournament, isNationalTeam, storedKey } from '../../identity/entity-keys.ts';
import { COUNTRIES } from '../../wire/countries.ts';
import { csvRows } from './csv-rows.ts';

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
export function readRussianNames(text: string): RussianNames {
  const rows = csvRows(text)
    .map(({ record }) => record)
    .filter(({ locale }) => locale === 'ru');
  const of = (kind: string) => rows.filter(({ entity }) => entity === kind);
  return {
    teams: [...of('participant').map(team), ...COUNTRIES.flatMap(nation)],
    tournaments: [
      ...of('tournament').map((row) => tournament({ ...row, nameRu: row.text! } as NamedTournament)),
      ...knownTournaments().all.flatMap((known) =>
        known.name_ru ? tournament({ ...known, nameRu: known.name_ru }) : [],
      ),
    ],
  };
}

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
