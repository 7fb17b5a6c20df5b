/** Finds a season's conferences and divisions in data/divisions.csv. */
import { dataRows } from '../wire/data-file.ts';
import { grouped } from '../wire/grouped.ts';
import type { Conference } from './rules.ts';
import { isWithin } from './zones.ts';

const COLUMNS = ['sport', 'country', 'tournament', 'from', 'until', 'conference', 'division', 'team'] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

let rows: ReadonlyMap<string, readonly Row[]> | undefined;

const key = ({ sport, country, tournament }: Pick<Row, 'sport' | 'country' | 'tournament'>) =>
  `${sport}|${country}|${tournament}`;

/** Returns the season's conferences; undefined if the file has none for it. */
export function listedConferences(season: {
  sport: string;
  country: string;
  tournament: string;
  season_label: string | null;
}): Conference[] | undefined {
  rows ??= grouped(dataRows('divisions.csv', COLUMNS), key);
  const { season_label } = season;
  if (season_label === null) return undefined;
  const own = (rows.get(key(season)) ?? []).filter((row) => isWithin(row, season_label));
  if (own.length === 0) return undefined;
  return [...grouped(own, ({ conference }) => conference)].map(([name, members]) => {
    const divisions = [...grouped(members, ({ division }) => division)].map(([division, teams]) => ({
      name: division,
      teams: teams.map(({ team }) => team),
    }));
    return divisions[0]?.name === '' ? { name, teams: divisions[0].teams } : { name, divisions };
  });
}
