/** Finds openfootball's leagues by code; for example, en.1 is the first division in England. Pure. */
import { findTournament, type KnownTournament, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { COUNTRIES } from '../../wire/countries.ts';
import { findZone } from '../local-time.ts';

export const OPENFOOTBALL = 'openfootball';

export interface League {
  code: string;
  season: string;
  tournament: KnownTournament;
}

/**
 * @param title names the league if our list does not have it
 * @returns an error text if the league is unknown
 */
export function findLeague(code: string, season: string, title: string): League | string {
  const tournament = tournamentBySource(OPENFOOTBALL, code) ?? leagueByTitle(code, title);
  if (!tournament) return `the league ${code} is not known; add it to tournaments.yaml`;
  return { code, season, tournament };
}

/** Returns the season in a title such as "Deutsche Bundesliga 2023/24", "2023-24" or "World Cup 2022". */
export function seasonOfTitle(title: string): string | undefined {
  const [, first, second] = /(\d{4})(?:[/-](?:\d\d)?(\d\d))?\s*$/u.exec(title) ?? [];
  return second ? `${first}/${second}` : first;
}

const CODE_COUNTRIES: Record<string, string> = {
  en: 'GB-ENG',
  eng: 'GB-ENG',
  sco: 'GB-SCT',
  wal: 'GB-WLS',
  nir: 'GB-NIR',
};

/** "English Premier League 2025/26" -> English Premier League */
export const leagueName = (title: string): string => title.replace(/\s*\d{4}.*$/u, '').trim();

/** Returns a league that is missing from our list, if the code ("pl.1") gives the country. */
function leagueByTitle(code: string, title: string): KnownTournament | undefined {
  const [prefix = ''] = code.split('.');
  const country = CODE_COUNTRIES[prefix] ?? prefix.toUpperCase();
  if (!COUNTRIES.some(({ iso }) => iso === country) || !code.includes('.')) return undefined;
  const name = leagueName(title);
  if (name === '') return undefined;
  return findTournament('football', country, 'men', name) ?? unlisted(name, country);
}

function unlisted(name: string, country: string): KnownTournament {
  const like = tournamentBySource(OPENFOOTBALL, 'en.1')!;
  return { ...like, name, country, rounds: {}, groups: {}, one_table: false, timezone: findZone(country) };
}
