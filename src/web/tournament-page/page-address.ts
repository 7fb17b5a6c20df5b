/** The request as the parts of a tournament's page see it, and the addresses of the page with other choices. */
import type { PageOptions } from '../page-options.ts';
import type { TournamentQuery } from './read-tournament-page.ts';

export interface View extends PageOptions {
  id: number;
  path: string;
  sport: string;
  seasonId: number | null;
  query: TournamentQuery;
}

/** Returns this page's query with some values changed. Values that are the default are left out. */
export function queryOf(
  { query }: View,
  changed: Partial<Record<keyof TournamentQuery, string | undefined>> = {},
): string {
  const given: Record<string, string | undefined> = {
    tab: query.tab === 'overview' ? undefined : query.tab,
    season: query.season === undefined ? undefined : String(query.season),
    table: query.table === 'total' ? undefined : query.table,
    grouping: query.grouping,
    stat: query.stat === 'goals' ? undefined : query.stat,
    round: query.round,
    month: query.month,
    date: query.date,
    ...changed,
  };
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries).toString();
}

/** Returns this page's relative URL with some values of the query changed. */
export const pageAddress = (view: View, changed: Parameters<typeof queryOf>[1]) => {
  const query = queryOf(view, changed);
  return `${view.root}${view.path}${query && '?'}${query}`;
};
/** Returns the same with a section to scroll to. @param part id of the section */
export const link = (view: View, changed: Parameters<typeof queryOf>[1], part: string) =>
  `${pageAddress(view, changed)}#${part}`;

/** Path of the page, with the season if the query names one. */
export const subjectAddress = ({ path, query: { season } }: View): string =>
  season === undefined ? path : `${path}?season=${season}`;
