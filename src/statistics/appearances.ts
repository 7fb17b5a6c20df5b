/** Players in finished matches, and what each of them did in the match. */
import { type PlayerPart, type PlayerTotals, playerPart, wholeMatchMinutes } from '../catalogue/index.ts';
import { foldName } from '../db/fold-name.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import { findSport } from '../sports/sports.ts';
import type { Blocks, Incident } from '../wire/match.ts';
import type { SideMatch } from './side-matches.ts';

type Lineup = NonNullable<Blocks['lineups']>;

export interface Appearance {
  match: SideMatch;
  /** Null for a player known only by name. */
  participant_id: number | null;
  /** Identifies a player in the team, by id or, if there is none, by folded name. */
  player_key: string;
  player_name: string;
  part: PlayerPart;
  /** From the line-up; null without a line-up. */
  shirt_number: string | null;
  position: string | null;
  /** The player's figures in the match, {} if there are none; null if no source gives figures of players. */
  stats: Readonly<Record<string, unknown>> | null;
}

interface Row extends PlayerTotals {
  match_id: number;
  participant_id: number | null;
  player_key: string;
}

const ROWS = prepared(
  'appearances',
  `SELECT match_id, side, participant_id, player_key, player_name, appeared, goals, penalties, assists, yellow_cards, red_cards
   FROM match_player WHERE match_id = ANY ($1) ORDER BY match_id, player_key`,
);
const BLOCKS = prepared(
  'blocks of appearances',
  `SELECT match_id, block, json FROM match_block WHERE match_id = ANY ($1) AND (block IN ('incidents', 'lineups') OR block = 'player_stats' AND $2)`,
);

/** Returns the matches' players, in match order. Players on the opposing side are left out. */
export async function listAppearances(db: Queryable, matches: readonly SideMatch[]): Promise<Appearance[]> {
  const ids = [...new Set(matches.map(({ match_id }) => match_id))];
  const { rows } = await db.query<Row>(ROWS([ids]));
  const byMatch = new Map<string, Row[]>();
  for (const row of rows) {
    const at = `${row.match_id} ${row.side}`;
    byMatch.set(at, [...(byMatch.get(at) ?? []), row]);
  }
  const hasOwnFigures = matches.some(({ sport }) => findSport(sport)?.wickets);
  const blocks = await readBlocks(db, [...new Set(rows.map(({ match_id }) => match_id))], hasOwnFigures);
  return matches.flatMap((match) => {
    const known = blocks.get(match.match_id) ?? NOTHING;
    return (byMatch.get(`${match.match_id} ${match.side}`) ?? []).map((row) => toAppearance(row, match, known));
  });
}

interface MatchBlocks {
  /** Null if the match has no stored incidents. */
  incidents: readonly Incident[] | null;
  lineups: Lineup;
  /** Null if the match has none, or in a sport whose figures of players are not added up. */
  player_stats: Blocks['player_stats'] | null;
}
const NOTHING: MatchBlocks = { incidents: null, lineups: [], player_stats: null };

async function readBlocks(
  db: Queryable,
  ids: readonly number[],
  hasOwnFigures: boolean,
): Promise<Map<number, MatchBlocks>> {
  const { rows } = await db.query<{ match_id: number; block: keyof MatchBlocks; json: string }>(
    BLOCKS([ids, hasOwnFigures]),
  );
  const found = new Map<number, MatchBlocks>();
  for (const { match_id, block, json } of rows)
    found.set(match_id, { ...(found.get(match_id) ?? NOTHING), [block]: JSON.parse(json) });
  return found;
}

function toAppearance(row: Row, match: SideMatch, { incidents, lineups, player_stats }: MatchBlocks): Appearance {
  const { match_id: _, participant_id, player_key, ...totals } = row;
  const name = foldName(row.player_name);
  const isPlayer = (side: string, id: number | null, shown: string) =>
    side === row.side && (participant_id === null ? foldName(shown) === name : id === participant_id);
  const entry = lineups.find((one) => isPlayer(one.side, one.player_participant_id, one.player_name));
  const own = player_stats?.find((one) => isPlayer(one.side, one.participant_id, one.player_name));
  // Incidents are found by id. For a player without an id, only the row's totals, which are counted by name, can be used.
  const lineup = entry === undefined ? [] : [entry];
  const wholeMatch = wholeMatchMinutes(match.sport, match.had_extra_time);
  const part = playerPart({
    id: participant_id ?? NOBODY,
    totals,
    sport: match.sport,
    known: incidents,
    lineups: lineup,
    wholeMatch,
  });
  return {
    match,
    participant_id,
    player_key,
    player_name: row.player_name,
    part: participant_id === null ? { ...part, ...unidentified(entry) } : part,
    shirt_number: entry?.shirt_number ?? null,
    position: entry?.position ?? null,
    stats: player_stats ? (own?.stats ?? {}) : null,
  };
}

/** Id for players without one. No participant has it. */
const NOBODY = 0;
/** The minutes of a player without an id are unknown, because substitutions give the id of the player who comes on. */
const unidentified = (entry: Lineup[number] | undefined) => ({
  started: entry === undefined ? null : !entry.is_substitute,
  minutes: null,
});

export const isGoalkeeper = ({ position }: Pick<Appearance, 'position'>): boolean =>
  position !== null && LINE_OF_POSITION.get(position.toLowerCase()) === 0;
