/** The name of the tournament that a widget is about. */
import { findTournamentName } from '../catalogue/index.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';
import { nameOf } from '../web/index.ts';
import { missing } from './problem-page.ts';

/**
 * Returns the tournament's name in the given language.
 * @throws {Problem} not_found
 */
export async function requireTournamentName(db: Queryable, id: number, lang: Lang): Promise<string> {
  const names = await findTournamentName(db, id);
  if (names === null) throw missing('tournament', `There is no tournament ${id}.`);
  return nameOf(names, lang);
}
