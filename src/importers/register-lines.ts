/** Says after an import how many entries of registers are linked. */
import type pg from 'pg';
import { linkRegisters } from '../register/index.ts';

const count = (number: number) => number.toLocaleString('en');
const PLURAL: Readonly<Record<string, string>> = { team: 'teams', player: 'players', tournament: 'tournaments' };

/** Links the entries again, because the import may have changed the catalogue. @returns no lines if there is no register */
export async function registerLines(pool: pg.Pool): Promise<string[]> {
  return (await linkRegisters(pool)).map(
    ({ register, entity, entries, linked, doubtful }) =>
      `${register}: ${count(linked)} of ${count(entries)} ${PLURAL[entity]} linked to ours, ${count(doubtful)} in doubt`,
  );
}
