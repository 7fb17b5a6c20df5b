/** Finds what a table's places lead to, from data/zones.csv or the rules of the tournament or season. */
import { dataRows } from '../wire/data-file.ts';
import { type ZoneRule, zone } from './rules.ts';

const COLUMNS = ['sport', 'country', 'tournament', 'from', 'until', 'kind', 'first', 'last'] as const;
type Row = Record<(typeof COLUMNS)[number], string>;

let rows: Row[] | undefined;

/** Compares season labels as text. Labels begin with a year, so that 1994 and 1994/95 sort by year. */
export const isWithin = ({ from, until }: Pick<Row, 'from' | 'until'>, label: string) =>
  from <= label && label <= (until || '9999');

/** Returns the zones for a season; an empty list if the file does not list the tournament. */
export function listedZones(season: {
  sport: string;
  country: string;
  tournament: string;
  season_label: string | null;
}): ZoneRule[] {
  rows ??= dataRows('zones.csv', COLUMNS);
  const { sport, country, tournament, season_label } = season;
  if (season_label === null) return [];
  return rows
    .filter(
      (row) =>
        row.sport === sport && row.country === country && row.tournament === tournament && isWithin(row, season_label),
    )
    .map(({ kind, first, last }) => zone.parse({ kind, first: Number(first), last: Number(last) }));
}

/**
 * @param position from 1
 * @param count places in the table
 * @returns null if the place leads to nothing, or if it is unknown what it leads to
 */
export function zoneAt(zones: readonly ZoneRule[], position: number, count: number): ZoneRule['kind'] | null {
  const place = (given: number) => (given < 0 ? count + 1 + given : given);
  return zones.find(({ first, last }) => place(first) <= position && position <= place(last))?.kind ?? null;
}
