/** Converts a live API game to a feed update, from the available replies: Header, Boxscore, PlaybyPlay. Pure. */
import { DateTime } from 'luxon';
import type { MatchInput } from '../../wire/feed-update.ts';
import type { GameRead } from '../game-updates.ts';
import { isSameScore, type Score, totalScore } from '../side.ts';
import type { CodedTeam } from '../team-codes.ts';
import { CLUBS } from './clubs.ts';
import { gameReference, isForfeit, phaseRound, readPhase, readVenue } from './game.ts';
import { boxScoreBlocks, quarterScores } from './live-box-score.ts';
import { readPlays } from './live-plays.ts';
import { personName } from './player-name.ts';
import { momentum, PERIOD_END, type Play, periodScores, pointIncidents } from './plays.ts';
import type { BoxScoreReply, HeaderReply, PlayByPlayReply } from './replies.ts';

export interface GameReplies {
  /** First year of the season, and the game's number in the season. The replies do not state them. */
  season: number;
  code: number;
  header?: HeaderReply | undefined;
  boxScore?: BoxScoreReply | undefined;
  playByPlay?: PlayByPlayReply | undefined;
}

/** Time zone for dates in a header. */
const ZONE = 'Europe/Madrid';
const QUARTERS = 4;

/** @returns an error text if the replies do not identify the game */
export function readGame(replies: GameReplies): GameRead | string {
  const { season, code, header, playByPlay } = replies;
  const named = header ?? playByPlay;
  if (!named) return 'neither a Header nor a PlaybyPlay names the teams';
  const [home, away] = [CLUBS.find(named.CodeTeamA, season), CLUBS.find(named.CodeTeamB, season)];
  if (!home || !away) return CLUBS.unknown(home ? named.CodeTeamB : named.CodeTeamA);
  const warnings: string[] = [];
  const state = readState(replies, warnings);
  const match: MatchInput = {
    ...gameReference(season, code, home, away),
    ...(header && readHeader(header, home)),
    ...state,
    ...(replies.boxScore && readBoxScore(replies.boxScore)),
    ...(playByPlay && readPlayBlocks(playByPlay, state, warnings)),
  };
  return { match, warnings };
}

/** Reads status, score and periods. */
function readState(replies: GameReplies, warnings: string[]): Partial<MatchInput> {
  const { header, boxScore, playByPlay } = replies;
  const isLive = [header, boxScore, playByPlay].some((reply) => reply?.Live);
  const plays = playByPlay ? readPlays(playByPlay) : [];
  const periods = boxScore ? quarterScores(boxScore) : periodScores(plays);
  const score = readScore(header) ?? (periods.length > 0 ? totalScore(periods) : undefined);
  if (!score || (!isLive && score.home === 0 && score.away === 0)) return { status: 'scheduled' };
  const sum = totalScore(periods);
  const agrees = isSameScore(sum, score);
  if (!agrees && periods.length > 0 && !isLive)
    warnings.push(`the periods add up to ${sum.home}:${sum.away}, not to ${score.home}:${score.away}`);
  const hasOvertime = periods.some(({ period }) => period === 'OT');
  // If the periods do not add up to the score, one reply is newer than the other. The periods are then left out.
  const shown = agrees && periods.length > 0 ? { period_scores: periods } : {};
  if (isLive) {
    const quarter = playByPlay?.ActualQuarter ?? periods.length;
    return {
      status: 'live',
      status_detail: quarter > QUARTERS ? 'extra_time' : isBreak(header, plays) ? 'break' : 'in_play',
      ...readMinute(header),
      score,
      ...shown,
    };
  }
  if (score.home === score.away) {
    warnings.push(`${score.home}:${score.away} is a tie, which basketball does not have`);
    return {};
  }
  const detail = isForfeit(score) ? 'awarded' : hasOvertime ? 'after_extra_time' : 'ended';
  return { status: 'finished', status_detail: detail, score, ...shown };
}

const readScore = (header: HeaderReply | undefined): Score | undefined =>
  typeof header?.ScoreA === 'number' && typeof header.ScoreB === 'number'
    ? { home: header.ScoreA, away: header.ScoreB }
    : undefined;

/** True if the clock stands at the quarter's end, or if the last play ends the quarter. */
const isBreak = (header: HeaderReply | undefined, plays: readonly Play[]) =>
  header?.RemainingPartialTime === '00:00' || plays.at(-1)?.type === PERIOD_END;

function readMinute(header: HeaderReply | undefined): Partial<MatchInput> {
  const played = /^(\d+):\d\d$/u.exec(header?.GameTime ?? '')?.[1];
  return played === undefined ? {} : { minute: Number(played) + 1 };
}

function readHeader(header: HeaderReply, home: CodedTeam): Partial<MatchInput> {
  const start = DateTime.fromFormat(`${header.Date} ${header.Hour}`, 'dd/MM/yyyy HH:mm', { zone: ZONE });
  const referees = [header.Referee1, header.Referee2, header.Referee3].filter((name) => name !== null);
  return {
    ...(start.isValid && { scheduled_start: start.toUTC().toISO({ suppressMilliseconds: true }), time_tbd: false }),
    ...readRound(header),
    ...readVenue(header.Stadium, header.Capacity, home),
    ...(referees.length > 0 && { referee: referees.map(personName).join(', ') }),
  };
}

function readRound({ PhaseReducedName, Round }: HeaderReply): Partial<MatchInput> {
  const phase = readPhase(PhaseReducedName ?? '');
  return { ...phaseRound(phase, Round), ...(phase === 'FF' && { neutral: true }) };
}

function readBoxScore(reply: BoxScoreReply): Partial<MatchInput> {
  return {
    ...boxScoreBlocks(reply),
    ...(reply.Attendance && !reply.Live && { attendance: reply.Attendance }),
  };
}

/** Once the game is over, plays that do not add up to the score are left out. */
function readPlayBlocks(
  reply: PlayByPlayReply,
  { status, score }: Partial<MatchInput>,
  warnings: string[],
): Partial<MatchInput> {
  const plays = readPlays(reply);
  if (plays.length === 0 || status === 'scheduled') return {};
  const sum = totalScore(periodScores(plays));
  if (status === 'finished' && score && !isSameScore(sum, score)) {
    warnings.push(`the plays add up to ${sum.home}:${sum.away}, not to ${score.home}:${score.away}`);
    return {};
  }
  return { incidents: pointIncidents(plays), momentum: momentum(plays) };
}
