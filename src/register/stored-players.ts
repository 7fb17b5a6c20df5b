/**
 * Reads the players of the catalogue by birth date, in slices, and decides which entries of a register mean them. Memory depends on
 * the size of a slice, not on the register.
 */
import type { Queryable } from '../db/postgres.ts';
import { grouped } from '../wire/grouped.ts';
import type { Decision, Entry } from './decision.ts';
import type { BirthDates } from './decisions.ts';
import { decidePlayers, type Player } from './match-players.ts';
import { ENTRY } from './stored-clubs.ts';

const SLICE_PLAYERS = 2_000;

interface Row extends Player {
  born: string;
}
interface Slice extends BirthDates {
  players: readonly Row[];
}

/** A slice has all players who were born on its days. The first of January is left out: registers write it if only the year is known. */
const PLAYERS = `SELECT p.id, p.country, p.born,
    ARRAY(SELECT DISTINCT a.name FROM participant_alias a WHERE a.participant_id = p.id AND a.locale = 'en') AS names
  FROM (SELECT p.id, p.country, p.birth_date::text AS born FROM participant p
    WHERE p.type = 'player' AND p.sport = $1 AND p.person_id IS NULL AND p.birth_date > $2 AND to_char(p.birth_date, 'MM-DD') <> '01-01'
    ORDER BY p.birth_date FETCH FIRST ${SLICE_PLAYERS} ROWS WITH TIES) p ORDER BY p.born`;

/** Yields slices that together have all birth dates. */
export async function* birthDateSlices(db: Queryable, sport: string): AsyncGenerator<Slice> {
  let last = '-infinity';
  for (;;) {
    const { rows } = await db.query<Row>(PLAYERS, [sport, last]);
    const to = rows.length < SLICE_PLAYERS ? 'infinity' : rows.at(-1)!.born;
    yield { from: last, to, players: rows };
    if (to === 'infinity') return;
    last = to;
  }
}

/** @param known decisions that stand; the entries and players in them are not compared */
export async function decideBornIn(
  db: Queryable,
  register: string,
  { players }: Slice,
  known: readonly Decision[],
): Promise<Decision[]> {
  const taken = new Set(known.map(({ entity_id }) => entity_id));
  const decided = new Set(known.map(({ register_id }) => register_id));
  const byDate = grouped(
    players.filter(({ id }) => !taken.has(id)),
    ({ born }) => born,
  );
  const { rows } = await db.query<Entry & { since: string }>(
    `SELECT ${ENTRY} FROM register_entry e WHERE e.register = $1 AND e.entity = 'player' AND e.since = ANY ($2::date[]) ORDER BY e.register_id`,
    [register, [...byDate.keys()]],
  );
  const entries = grouped(
    rows.filter(({ register_id }) => !decided.has(register_id)),
    ({ since }) => since,
  );
  return [...entries].flatMap(([date, born]) => decidePlayers(born, byDate.get(date) ?? []));
}
