/** Converts an NHL game to a feed update without card blocks: sides, start, round, state. Pure. */
import { splitLabel } from '../../identity/canonical-tournaments.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import type { GameRead } from '../game-updates.ts';
import type { Phase } from '../polled-game.ts';
import { lookUp } from '../reader.ts';
import type { Score } from '../side.ts';
import { TeamCodes } from '../team-codes.ts';
import type { GameReply } from './replies.ts';

export const NHL = 'nhl';
/** NHL teams by their codes. */
export const NHL_TEAMS = new TeamCodes('nhl-teams.csv');
const TOURNAMENT = { name: 'NHL', country: 'US', gender: 'men' } as const;

/** Game types that belong to the season. Pre-season games (1) and All-Star games (4) do not. */
const REGULAR = 2;
const PLAY_OFF = 3;
/** Play-off rounds, by number in the game id. */
const ROUNDS = ['Round of 16', 'Quarter-finals', 'Conference finals', 'Final'];

/** The members that identify the game. */
export interface NamedGame {
  id: number;
  /** For example 20232024. */
  season: number;
  /** Team codes. */
  home: string;
  away: string;
}

/**
 * Returns the members that every update about a game has.
 * @returns an error text if a team is unknown
 */
export function gameReference(game: NamedGame) {
  const season = Math.floor(game.season / 10_000);
  const [home, away] = [NHL_TEAMS.find(game.home, season), NHL_TEAMS.find(game.away, season)];
  if (!home || !away) return NHL_TEAMS.unknown(home ? game.away : game.home);
  if (home === away) return `${home.name} plays against itself`;
  return {
    id: String(game.id),
    sport: 'ice-hockey',
    tournament: TOURNAMENT,
    season: { label: splitLabel(season) },
    home,
    away,
  };
}

/** True if a game is part of the season. */
export const isOfSeason = ({ gameType }: Pick<GameReply, 'gameType'>): boolean =>
  gameType === REGULAR || gameType === PLAY_OFF;

/** @returns an error text if the game cannot be read */
export function readGame(game: GameReply): GameRead | string {
  if (!isOfSeason(game))
    return `the game type ${game.gameType} is neither the regular season (2) nor the play-offs (3)`;
  const { id, season, homeTeam, awayTeam } = game;
  const reference = gameReference({ id, season, home: homeTeam.abbrev, away: awayTeam.abbrev });
  if (typeof reference === 'string') return reference;
  const warnings: string[] = [];
  const match: MatchInput = {
    ...reference,
    scheduled_start: game.startTimeUTC.replace(/\.\d+/u, ''),
    time_tbd: game.gameScheduleState === 'TBD',
    ...(game.gameType === PLAY_OFF && { round_name: playOffRound(game.id) }),
    ...(game.neutralSite && { neutral: true }),
    // A venue is given only together with its city. Otherwise it would differ from the venue in replies that have the
    // city.
    ...(game.venue &&
      game.venueLocation &&
      !game.neutralSite && { venue: { name: game.venue, city: game.venueLocation, country: reference.home.country } }),
    ...readState(game, warnings),
  };
  return { match, warnings };
}

/** For example, 2022030181 is round 1, series 8, game 1. */
function playOffRound(id: number): string | null {
  const digits = String(id);
  const round = ROUNDS[Number(digits[7]) - 1];
  return round === undefined ? null : `${round}, Game ${digits[9]}`;
}

/** The schedule states that mean that a game is not played, whatever the game state is. */
const UNPLAYED: Record<string, Partial<MatchInput>> = {
  PPD: { status: 'scheduled', status_detail: 'postponed' },
  CNCL: { status: 'finished', status_detail: 'cancelled' },
  SUSP: { status: 'live', status_detail: 'suspended' },
};
const LIVE = new Set(['LIVE', 'CRIT']);
const OVER = new Set(['OVER', 'FINAL', 'OFF']);
const AHEAD = new Set(['FUT', 'PRE']);

/** @returns undefined if the reply does not show the phase */
export function readPhase({ gameState, gameScheduleState }: GameReply): Phase | undefined {
  if (gameScheduleState === 'CNCL') return 'final';
  if (gameScheduleState === 'PPD') return 'ahead';
  if (gameScheduleState === 'SUSP') return 'live';
  if (AHEAD.has(gameState)) return 'ahead';
  if (LIVE.has(gameState)) return 'live';
  if (gameState === 'OFF') return 'final';
  return OVER.has(gameState) ? 'over' : undefined;
}

/** True if the schedule says that the game is not played, whatever the game state is. */
export const isUnplayed = ({ gameScheduleState }: GameReply): boolean => Object.hasOwn(UNPLAYED, gameScheduleState);

const STATES = ['FUT', 'PRE', 'LIVE', 'CRIT', 'OVER', 'FINAL', 'OFF'];

/**
 * Returns the entry that is further on. A postponed game also stays listed on its first day, and two schedules may show
 * a game in two states.
 */
export function laterGame(one: GameReply, other: GameReply): GameReply {
  const isPlayed = (game: GameReply) => Number(game.gameScheduleState !== 'PPD');
  const order =
    STATES.indexOf(one.gameState) - STATES.indexOf(other.gameState) ||
    isPlayed(one) - isPlayed(other) ||
    Date.parse(one.startTimeUTC) - Date.parse(other.startTimeUTC);
  return order >= 0 ? one : other;
}

function readState(game: GameReply, warnings: string[]): Partial<MatchInput> {
  const unplayed = lookUp(UNPLAYED, game.gameScheduleState);
  if (unplayed) return unplayed;
  if (!['OK', 'TBD'].includes(game.gameScheduleState))
    warnings.push(`gameScheduleState ${JSON.stringify(game.gameScheduleState)} is not known`);
  if (AHEAD.has(game.gameState)) return { status: 'scheduled', status_detail: 'not_started' };
  const score = readScore(game);
  if (LIVE.has(game.gameState))
    return {
      status: 'live',
      status_detail: liveDetail(game),
      ...liveMinute(game),
      score: score ?? { home: 0, away: 0 },
    };
  if (!OVER.has(game.gameState)) {
    warnings.push(`gameState ${JSON.stringify(game.gameState)} is not known`);
    return {};
  }
  if (!score) {
    warnings.push('over, but without a score');
    return {};
  }
  return readResult(game, score, warnings);
}

/** Returns the kind of the last period that has begun. */
export const lastPeriodType = ({ gameOutcome, periodDescriptor }: GameReply): 'REG' | 'OT' | 'SO' =>
  periodDescriptor?.periodType ?? gameOutcome?.lastPeriodType ?? 'REG';

const DETAILS = { REG: 'ended', OT: 'after_extra_time', SO: 'after_penalties' } as const;

function readResult(game: GameReply, score: Score, warnings: string[]): Partial<MatchInput> {
  const last = game.gameOutcome?.lastPeriodType ?? lastPeriodType(game);
  const { homeTeam, awayTeam } = game;
  if (homeTeam.score === awayTeam.score) {
    warnings.push(`${homeTeam.score}:${awayTeam.score} is a tie, which the NHL does not have`);
    return {};
  }
  const winner = homeTeam.score! > awayTeam.score! ? 'home' : 'away';
  return {
    status: 'finished',
    status_detail: DETAILS[last],
    score,
    // The list shows only who won the shoot-out, so the winner gets one goal in that period. The game's replies have
    // the shots.
    ...(last === 'SO' && {
      period_scores: [{ period: 'SO', home: winner === 'home' ? 1 : 0, away: winner === 'away' ? 1 : 0 }],
    }),
    finalized: game.gameState === 'OFF',
  };
}

/** Returns the score without the additional goal that the source's final score gives the shoot-out winner. */
function readScore(game: GameReply): Score | undefined {
  const [home, away] = [game.homeTeam.score, game.awayTeam.score];
  if (typeof home !== 'number' || typeof away !== 'number') return undefined;
  const level = Math.min(home, away);
  return lastPeriodType(game) === 'SO' ? { home: level, away: level } : { home, away };
}

function liveDetail(game: GameReply): 'break' | 'in_play' | 'extra_time' | 'penalties' {
  if (game.clock?.inIntermission) return 'break';
  return ({ REG: 'in_play', OT: 'extra_time', SO: 'penalties' } as const)[lastPeriodType(game)];
}

const PERIOD_MINUTES = 20;
/** Minutes in a regular-season overtime. */
const SHORT_OVERTIME = 5;

/**
 * Returns the present period's length in minutes, and the seconds that have been played in it. A game that has just
 * begun has no clock.
 */
function readClock({ clock, periodDescriptor, gameType }: GameReply): { length: number; played: number } | undefined {
  const left = /^(\d{1,2}):(\d\d)$/u.exec(clock?.timeRemaining ?? '');
  if (!left || !periodDescriptor || periodDescriptor.periodType === 'SO') return undefined;
  const isShort = periodDescriptor.periodType === 'OT' && gameType === REGULAR;
  const length = isShort ? SHORT_OVERTIME : PERIOD_MINUTES;
  return { length, played: Math.max(0, length * 60 - Number(left[1]) * 60 - Number(left[2])) };
}

function liveMinute(game: GameReply): Partial<MatchInput> {
  const clock = readClock(game);
  if (!clock) return {};
  const minute = Math.min(Math.floor(clock.played / 60) + 1, clock.length);
  return { minute: (game.periodDescriptor!.number - 1) * PERIOD_MINUTES + minute };
}

/**
 * Returns a live game's progress, in seconds of play. A reply with a smaller value is older. During a break, the clock
 * shows the time of the break, so the period counts as fully played.
 */
export function playedSeconds(game: GameReply): number {
  const period = game.periodDescriptor?.number ?? 1;
  const clock = readClock(game);
  const played = game.clock?.inIntermission ? PERIOD_MINUTES * 60 : (clock?.played ?? 0);
  return (period - 1) * PERIOD_MINUTES * 60 + played;
}
