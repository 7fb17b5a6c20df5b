/** Reads the Twenty20 matches on which the win probability by ball is fitted and measured. */
import type { Queryable } from '../../db/postgres.ts';
import {
  type InningsState,
  inFirst,
  inningsStates,
  type RunsInput,
  runsInputs,
  twenty20,
} from '../../in-play/index.ts';
import { FINAL_WINNER } from '../../sports/winner-sql.ts';
import type { Innings } from '../../wire/innings.ts';
import type { Period } from '../history/match-source.ts';

export interface MeasuredInnings extends RunsInput {
  /** Seconds since 1970. */
  start: number;
  tournament: string;
  /** The side that bats first. */
  first: 'home' | 'away';
  /** True if the side that bats first has won, also in a super over. */
  firstWon: boolean;
  /** Runs of the first innings if it was full, for the level; null otherwise. */
  total: number | null;
  /** The states after each ball in the order of play. */
  states: InningsState[];
  /** The state before the first ball. */
  before: InningsState;
}

interface Row {
  id: number;
  start: number;
  tournament: string;
  winner: 'home' | 'away';
  innings: string;
}

/** Returns the matches whose deliveries are known, and that have a winner, oldest first. */
export async function readInnings(db: Queryable, period: Period): Promise<MeasuredInnings[]> {
  const inputs = await runsInputs(db, period);
  const { rows } = await db.query<Row>({
    name: 'innings by ball',
    text: `SELECT m.id, extract(epoch FROM m.scheduled_start)::float8 AS start, t.name AS tournament, ${FINAL_WINNER} AS winner, b.json AS innings
     FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN match_block b ON b.match_id = m.id AND b.block = 'innings'
     WHERE m.id = ANY ($1::bigint[]) AND m.home_score IS NOT NULL AND ${FINAL_WINNER} IN ('home', 'away')
       AND m.status_detail IN ('ended', 'after_extra_time', 'after_penalties')`,
    values: [inputs.map(({ match_id }) => match_id)],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return inputs.flatMap((input) => {
    const row = byId.get(input.match_id);
    return row === undefined ? [] : (toMeasured(input, row) ?? []);
  });
}

function toMeasured(input: RunsInput, { start, tournament, winner, innings }: Row): MeasuredInnings | null {
  const both = twenty20(JSON.parse(innings) as Innings[]);
  if (both === null) return null;
  const { first, second } = both;
  const played = [first, ...(second ? [second] : [])];
  if (played.some(({ by_over }) => by_over.some(({ deliveries }) => deliveries === undefined))) return null;
  const isFull = first.max_overs === '20' && (first.all_out || first.overs === '20');
  return {
    ...input,
    start,
    tournament,
    first: first.batting,
    firstWon: winner === first.batting,
    total: isFull ? first.runs : null,
    before: inFirst(both, { runs: 0, wickets: 0, balls: 0 }),
    states: inningsStates(both).map(({ state }) => state),
  };
}
