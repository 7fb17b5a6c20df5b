/** Converts an NHL game to a feed update, from the available replies. Pure. */
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import type { GameRead } from '../game-updates.ts';
import { isSameScore, isScore, type Score, totalScore } from '../side.ts';
import { readLineups, readOfficials, readStatistics } from './blocks.ts';
import { lastPeriodType, readGame } from './game.ts';
import { landingIncidents, playIncidents } from './incidents.ts';
import { periodScores } from './periods.ts';
import type { GameReply, LandingReply, PlayByPlayReply, RightRailReply } from './replies.ts';

export interface GameReplies {
  /** The game as the schedule has it. */
  scheduled?: GameReply | undefined;
  landing?: LandingReply | undefined;
  playByPlay?: PlayByPlayReply | undefined;
  /** This reply does not identify the game. */
  rightRail?: RightRailReply | undefined;
}

/** @returns an error text if the replies do not identify the game */
export function readReplies({ scheduled, landing, playByPlay, rightRail }: GameReplies): GameRead | string {
  const game = playByPlay ?? landing ?? scheduled;
  if (!game) return 'no schedule, landing or play-by-play tells which game it is';
  const found = readGame(game);
  if (typeof found === 'string') return found;
  const { match, warnings } = found;
  // The play-by-play has ids for penalties and their players, which the landing lacks.
  const incidents = playByPlay ? playIncidents(playByPlay) : landing && landingIncidents(landing);
  return {
    match: {
      ...match,
      ...(incidents && readScoring(game, match, incidents, warnings)),
      ...(playByPlay && readLineups(playByPlay)),
      ...(rightRail && readRightRail(rightRail)),
    },
    warnings,
  };
}

export function readRightRail(reply: RightRailReply): Partial<MatchInput> {
  const statistics = readStatistics(reply);
  return { ...readOfficials(reply), ...(statistics.length > 0 && { statistics }) };
}

/** Reads periods and incidents. If a game is over and the goals do not add up to the score, both are left out. */
function readScoring(
  game: GameReply,
  { status, score, period_scores }: MatchInput,
  incidents: IncidentInput[],
  warnings: string[],
): Partial<MatchInput> {
  if (status !== 'live' && status !== 'finished') return {};
  const goals = incidents.flatMap(({ kind, period, side }) =>
    kind === 'goal' && period && side ? [{ period, side }] : [],
  );
  // A game that has just begun has no period yet.
  const last = game.periodDescriptor ?? { number: status === 'live' ? 1 : 3, periodType: lastPeriodType(game) };
  const periods = periodScores(goals, last);
  const sum = totalScore(periods);
  if (score && !isSameScore(sum, score)) {
    if (status === 'live') return { incidents };
    warnings.push(`the goals add up to ${sum.home}:${sum.away}, not to ${score.home}:${score.away}`);
    return {};
  }
  const shootOut = shootOutScore(incidents) ?? period_scores?.[0];
  return {
    incidents,
    period_scores: [...periods, ...(last.periodType === 'SO' && shootOut ? [{ ...shootOut, period: 'SO' }] : [])],
  };
}

/** The last shot has the shoot-out score. */
function shootOutScore(incidents: readonly IncidentInput[]): Score | undefined {
  const score = incidents.findLast(({ kind }) => kind === 'penalty_shootout')?.payload?.score;
  return isScore(score) ? score : undefined;
}
