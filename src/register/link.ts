/**
 * Links the entries of registers to our entities, and stores the ids of linked entries. The result depends only on the stored
 * entries and on the catalogue, so the order of imports does not matter, and an interrupted run is repeated as a whole.
 */
import type pg from 'pg';
import { firstRow, type Queryable } from '../db/postgres.ts';
import { replaceRegisterIds } from '../identity/external-ids.ts';
import { ALL, bornBetween, noteClaims, storeDecisions, UNDATED } from './decisions.ts';
import { decideKnown } from './known-entries.ts';
import { storeListedIds } from './listed-ids.ts';
import { REGISTERS } from './registers.ts';
import { decideStoredClubs } from './stored-clubs.ts';
import { birthDateSlices, decideBornIn } from './stored-players.ts';

interface RegisterCounts {
  register: string;
  entity: string;
  entries: number;
  linked: number;
  doubtful: number;
}

/** @returns how many entries are linked, by register and entity; none if no register has been imported */
export async function linkRegisters(pool: pg.Pool): Promise<RegisterCounts[]> {
  await storeListedIds(pool);
  const counts: RegisterCounts[] = [];
  for (const [register, { sport }] of Object.entries(REGISTERS)) {
    const { rows } = await pool.query<{ exists: boolean }>(
      'SELECT EXISTS (SELECT FROM register_entry WHERE register = $1)',
      [register],
    );
    if (!firstRow(rows).exists) continue;
    await linkRegister(pool, register, sport);
    counts.push(...(await countEntries(pool, register)));
  }
  return counts;
}

async function linkRegister(pool: pg.Pool, register: string, sport: string): Promise<void> {
  const known = await decideKnown(pool, register);
  await storeDecisions(pool, register, 'tournament', ALL, known.tournament);
  const clubs = await decideStoredClubs(pool, register, sport, known.team);
  await storeDecisions(pool, register, 'team', ALL, [...known.team, ...clubs]);
  await storeDecisions(pool, register, 'player', UNDATED, known.player);
  if (!(await hasBirthDates(pool, register))) return finishLinks(pool, register);
  for await (const slice of birthDateSlices(pool, sport)) {
    const players = await decideBornIn(pool, register, slice, known.player);
    await storeDecisions(pool, register, 'player', bornBetween(slice), [...known.player, ...players]);
  }
  await finishLinks(pool, register);
}

async function finishLinks(pool: pg.Pool, register: string): Promise<void> {
  await noteClaims(pool, register);
  await replaceRegisterIds(pool, register);
}

async function hasBirthDates(db: Queryable, register: string): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>(
    "SELECT EXISTS (SELECT FROM register_entry WHERE register = $1 AND entity = 'player' AND since IS NOT NULL)",
    [register],
  );
  return firstRow(rows).exists;
}

async function countEntries(db: Queryable, register: string): Promise<RegisterCounts[]> {
  const { rows } = await db.query<RegisterCounts>(
    `SELECT register, entity, count(*)::int AS entries, count(entity_id)::int AS linked,
       count(*) FILTER (WHERE entity_id IS NULL AND reason IS NOT NULL AND cardinality(candidates) > 0)::int AS doubtful
     FROM register_entry WHERE register = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [register],
  );
  return rows;
}
