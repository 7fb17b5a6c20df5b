/** A match as an operator sees it before correcting it. */
import { loadBlocks, type MatchState, parseList } from '../apply/index.ts';
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Incident } from '../wire/match.ts';

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
  /** The match as one line of text. */
  text: string;
}

/** Returns null for an unknown match. */
export async function readCorrectedMatch(db: Queryable, id: number): Promise<CorrectedMatchPage | null> {
  const { rows } = await db.query<Omit<CorrectedMatchPage, 'goals' | 'text'>>(
    `SELECT m.id, t.name AS tournament, home.name AS home, away.name AS away, v.name AS venue, m.status, m.status_detail, m.home_score,
       m.away_score, m.period_scores, ${wireTimeSql('m.scheduled_start')} AS scheduled_start, m.time_tbd
     FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN participant home ON home.id = m.home_id
     JOIN participant away ON away.id = m.away_id LEFT JOIN venue v ON v.id = m.venue_id WHERE m.id = $1`,
    [id],
  );
  const [match] = rows;
  if (match === undefined) return null;
  const incidents = parseList<Incident>((await loadBlocks(db, [id], ['incidents'])).get(id)?.get('incidents'));
  const goals = incidents.filter(({ kind }) => kind === 'goal' || kind === 'point');
  return { ...match, goals, text: matchText(match) };
}

function matchText(match: Omit<CorrectedMatchPage, 'goals' | 'text'>): string {
  const { id, home, away, tournament, status_detail, home_score, away_score, scheduled_start, venue } = match;
  const score = home_score === null ? '' : ` ${home_score}:${away_score}`;
  return `match ${id}: ${home} v ${away}${score}, ${status_detail}, ${tournament}, ${scheduled_start}${venue === null ? '' : `, ${venue}`}`;
}
