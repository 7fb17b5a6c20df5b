/** Converts games in the Euroleague's schedule to feed updates. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import type { GameRead } from '../game-updates.ts';
import { isSameScore, totalScore } from '../side.ts';
import { CLUBS } from './clubs.ts';
import { gameReference, isForfeit, phaseRound, readPhase, readVenue } from './game.ts';

import { personName } from './player-name.ts';
import type { ScheduledGame } from './replies.ts';

/** @returns an error text if the game cannot be read */
export function readScheduledGame(game: ScheduledGame): GameRead | string {
  const season = game.season.year;
  const [home, away] = [game.local, game.road].map(({ club }) => CLUBS.find(club.code, season));
  if (!home || !away) return CLUBS.unknown(home ? game.road.club.code : game.local.club.code);
  const warnings: string[] = [];
  const { venue, audience } = game;
  const referees = [game.referee1, game.referee2, game.referee3].flatMap((one) => one?.name ?? []);
  const match: MatchInput = {
    ...gameReference(season, game.gameCode, home, away),
    scheduled_start: game.utcDate.replace(/\.\d+/u, ''),
    time_tbd: game.confirmedHour === false,
    ...readRound(game),
    ...readResult(game, warnings),
    ...(game.isNeutralVenue && { neutral: true }),
    ...(venue && readVenue(venue.name, venue.capacity, home)),
    ...(audience && { attendance: audience }),
    ...(referees.length > 0 && { referee: referees.map(personName).join(', ') }),
  };
  return { match, warnings };
}

/**
 * Matches a group's name in seasons with groups. Without groups, the member is not empty either, because the source
 * numbers series as groups.
 */
const GROUP = /^(?:group )?([A-H])$/iu;

function readRound({ phaseType, round, group }: ScheduledGame): Partial<MatchInput> {
  const found = phaseRound(readPhase(phaseType.code), round);
  const letter = GROUP.exec(group?.rawName ?? '')?.[1];
  return {
    ...found,
    ...(typeof found?.round_num === 'number' && letter && { group_name: `Group ${letter.toUpperCase()}` }),
  };
}

function readResult({ played, local, road }: ScheduledGame, warnings: string[]): Partial<MatchInput> {
  if (!played) return { status: 'scheduled' };
  if (typeof local.score !== 'number' || typeof road.score !== 'number') {
    warnings.push('played, but without a score');
    return {};
  }
  const score = { home: local.score, away: road.score };
  if (score.home === score.away) {
    warnings.push(`${score.home}:${score.away} is a tie, which basketball does not have`);
    return {};
  }
  const periods = readPeriods(local.partials ?? {}, road.partials ?? {});
  const sum = totalScore(periods);
  const agrees = isSameScore(sum, score);
  if (!agrees && periods.length > 0)
    warnings.push(`the periods add up to ${sum.home}:${sum.away}, not to ${score.home}:${score.away}`);
  const hasOvertime = agrees && periods.some(({ period }) => period === 'OT');
  return {
    status: 'finished',
    status_detail: isForfeit(score) ? 'awarded' : hasOvertime ? 'after_extra_time' : 'ended',
    score,
    ...(agrees && { period_scores: periods }),
  };
}

/**
 * Reads the period scores from `partials1` to `partials4` and `extraPeriods`. Each value is the points in one period,
 * not a running total.
 */
function readPeriods(home: Record<string, unknown>, away: Record<string, unknown>) {
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  const overtime = (side: Record<string, unknown>) => Object.values(side.extraPeriods ?? {}).map(number);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const quarters = [1, 2, 3, 4].filter((quarter) => typeof home[`partials${quarter}`] === 'number');
  const extra = { period: 'OT', home: sum(overtime(home)), away: sum(overtime(away)) };
  return [
    ...quarters.map((quarter) => ({
      period: `Q${quarter}`,
      home: number(home[`partials${quarter}`]),
      away: number(away[`partials${quarter}`]),
    })),
    ...(extra.home + extra.away > 0 ? [extra] : []),
  ];
}
