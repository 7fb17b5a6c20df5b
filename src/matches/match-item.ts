/** The list item of a match, which is stored as text. */
import type { MatchItem } from '../wire/match.ts';

/** Parses a stored list item. It is not validated here, because tests compare stored items with the schema. */
export const readItem = (stored: string): MatchItem => JSON.parse(stored);

/** A match in a list, with the tournament's Russian name. */
export interface ListedMatch {
  item: MatchItem;
  tournament_name_ru: string | null;
}

/** Columns and joins for `ListedMatch`, given a match `m`. */
export const LISTED = 'c.item, t.name_ru AS tournament_name_ru';
export const LISTED_JOINS = 'JOIN match_card c ON c.match_id = m.id JOIN tournament t ON t.id = m.tournament_id';

export const withItem = <R extends { item: string }>({ item, ...row }: R) => ({ ...row, item: readItem(item) });
