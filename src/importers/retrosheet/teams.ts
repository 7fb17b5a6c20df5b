/** Teams by Retrosheet's codes (data/identity/retrosheet-teams.csv), which differ from the codes elsewhere. */
import { dataRows } from '../../wire/data-file.ts';

const BY_CODE = new Map(
  dataRows('identity/retrosheet-teams.csv', ['code', 'name', 'country', 'league', 'since']).map(
    ({ code, name, country, league, since }) => [code, { team: { name, country }, league, since: Number(since) }],
  ),
);

/** Returns a known team's league in a season. */
export function findLeague(code: string, year: number): 'American League' | 'National League' {
  const { league, since = 0 } = BY_CODE.get(code) ?? {};
  const isOfToday = year >= since;
  return (league === 'American League') === isOfToday ? 'American League' : 'National League';
}

/** @returns undefined for a team that no longer exists, or an invalid code */
export const findTeam = (code: string): { name: string; country: string } | undefined => BY_CODE.get(code)?.team;
