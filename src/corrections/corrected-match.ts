/** A match as an operator sees it before correcting it. */
import { loadBlocks, type MatchState, parseList } from '../apply/index.ts';
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Incident } from '../wire/match.ts';

/** Maximum number of venues to choose from. */
const MOST_VENUES = 20;
/** How many of the tournament's newest matches are searched for names of periods. */
const PERIOD_MATCHES = 200;

export interface ListedPlayer {
  side: 'home' | 'away';
  player_name: string;
  player_participant_id: number | null;
}

export interface CorrectedMatchPage
  extends Pick<
    MatchState,
    'status' | 'status_detail' | 'home_score' | 'away_score' | 'period_scores' | 'scheduled_start' | 'time_tbd'
  > {
  id: number;
  tournament: string;
  home: string;
  away: string;
  venue: string | null;
  goals: Incident[];
  /** Players in the line-ups, home side first. */
  players: ListedPlayer[];
  /** Venues where the home side has played, the most frequent ones first. */
  venues: { id: number; name: string; city: string | null }[];
  /** Periods of the tournament's newest matches that this match does not have, in the order of play. */
  furtherPeriods: string[];
  /** The match as one line of text. */
  text: string;
}

/** Fields that are not in the match's own row. */
type ReadApart = 'goals' | 'text' | 'players' | 'venues' | 'furtherPeriods';

/** Returns null for an unknown match. */
export async function readCorrectedMatch(db: Queryable, id: number): Promise<CorrectedMatchPage | null> {
  const { rows } = await db.query<Omit<CorrectedMatchPage, ReadApart>>(
    `SELECT m.id, t.name AS tournament, home.name AS home, away.name AS away, v.name AS venue, m.status, m.status_detail, m.home_score,
       m.away_score, m.period_scores, ${wireTimeSql('m.scheduled_start')} AS scheduled_start, m.time_tbd
     FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN participant home ON home.id = m.home_id
     JOIN participant away ON away.id = m.away_id LEFT JOIN venue v ON v.id = m.venue_id WHERE m.id = $1`,
    [id],
  );
  const [match] = rows;
  if (match === undefined) return null;
  const blocks = (await loadBlocks(db, [id], ['incidents', 'lineups'])).get(id);
  const incidents = parseList<Incident>(blocks?.get('incidents'));
  const lineups = parseList<ListedPlayer>(blocks?.get('lineups'));
  const goals = incidents.filter(({ kind }) => kind === 'goal' || kind === 'point');
  const players = lineups
    .map(({ side, player_name, player_participant_id }) => ({ side, player_name, player_participant_id }))
    .sort((a, b) => b.side.localeCompare(a.side) || a.player_name.localeCompare(b.player_name));
  const [venues, furtherPeriods] = await Promise.all([homeVenues(db, id), periodsBeside(db, match)]);
  return { ...match, goals, players, venues, furtherPeriods, text: matchText(match) };
}

async function periodsBeside(
  db: Queryable,
  { id, period_scores }: Pick<CorrectedMatchPage, 'id' | 'period_scores'>,
): Promise<string[]> {
  const { rows } = await db.query<{ period: string }>(
    `SELECT e.score->>'period' AS period
     FROM (SELECT o.period_scores FROM match m JOIN match o ON o.tournament_id = m.tournament_id WHERE m.id = $1
           ORDER BY o.id DESC LIMIT $2) newest, json_array_elements(newest.period_scores) WITH ORDINALITY AS e (score, position)
     GROUP BY 1 ORDER BY max(e.position), 1`,
    [id, PERIOD_MATCHES],
  );
  const present = new Set(period_scores.map(({ period }) => period));
  return rows.map(({ period }) => period).filter((period) => !present.has(period));
}

async function homeVenues(db: Queryable, matchId: number): Promise<CorrectedMatchPage['venues']> {
  const { rows } = await db.query<CorrectedMatchPage['venues'][number]>(
    `SELECT v.id, v.name, v.city FROM match m JOIN match other ON other.home_id = m.home_id JOIN venue v ON v.id = other.venue_id
     WHERE m.id = $1 GROUP BY v.id ORDER BY count(*) DESC, v.id LIMIT $2`,
    [matchId, MOST_VENUES],
  );
  return rows;
}

function matchText(match: Omit<CorrectedMatchPage, ReadApart>): string {
  const { id, home, away, tournament, status_detail, home_score, away_score, scheduled_start, venue } = match;
  const score = home_score === null ? '' : ` ${home_score}:${away_score}`;
  return `match ${id}: ${home} v ${away}${score}, ${status_detail}, ${tournament}, ${scheduled_start}${venue === null ? '' : `, ${venue}`}`;
}
