/** The list item of a match, which is stored as text. */
import type { MatchItem } from '../wire/match.ts';

/** Tests compare what is stored with the schema. */
export const readItem = (stored: string): MatchItem => JSON.parse(stored);

/** A match of a list, with the Russian name of its tournament. */
export interface ListedMatch {
  item: MatchItem;
  tournament_name_ru: string | null;
}

/** The columns and joins of `ListedMatch`, for a match `m`. */
export const LISTED = 'c.item, t.name_ru AS tournament_name_ru';
export const LISTED_JOINS = 'JOIN match_card c ON c.match_id = m.id JOIN tournament t ON t.id = m.tournament_id';

export const withItem = <R extends { item: string }>({ item, ...row }: R) => ({ ...row, item: readItem(item) });
