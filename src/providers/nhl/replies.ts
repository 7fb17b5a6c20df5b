/**
 * Replies from the NHL's web API (api-web.nhle.com): schedule, landing, play-by-play, right-rail. Names are objects
 * with a default; a game that has just begun may lack its clock and its period.
 */
import { z } from 'zod';

const localized = z
  .looseObject({ default: z.string().trim().min(1) })
  .transform((name) => name.default)
  .nullish()
  .catch(null);
const count = z.int().min(0).nullish().catch(null);
const text = z.string().nullish().catch(null);

const periodDescriptor = z
  .looseObject({ number: z.int().min(1), periodType: z.enum(['REG', 'OT', 'SO']) })
  .nullish()
  .catch(null);
export type PeriodDescriptor = z.infer<typeof periodDescriptor>;

const side = z.looseObject({ id: z.int(), abbrev: z.string().min(1), score: count });

/** The members that all replies about a game have. */
const game = z.looseObject({
  id: z.int().min(1_000_000_000).max(9_999_999_999),
  season: z.int().min(19_171_918).max(99_999_999),
  gameType: z.int(),
  startTimeUTC: z.iso.datetime({ offset: true }),
  gameState: z.string(),
  gameScheduleState: z.string(),
  neutralSite: z.boolean().nullish(),
  venue: localized,
  venueLocation: localized,
  awayTeam: side,
  homeTeam: side,
  periodDescriptor,
  clock: z.looseObject({ timeRemaining: text, inIntermission: z.boolean().nullish() }).nullish().catch(null),
  gameOutcome: z
    .looseObject({ lastPeriodType: z.enum(['REG', 'OT', 'SO']) })
    .nullish()
    .catch(null),
});
export type GameReply = z.infer<typeof game>;
export const scheduledGame = game;

export const scheduleReply = z.looseObject({ gameWeek: z.array(z.looseObject({ games: z.array(z.unknown()) })) });
export type ScheduleReply = z.infer<typeof scheduleReply>;

const person = { playerId: z.int(), firstName: localized, lastName: localized };
const landingGoal = z.looseObject({
  ...person,
  eventId: z.int().nullish(),
  timeInPeriod: z.string(),
  isHome: z.boolean(),
  homeScore: z.int().min(0),
  awayScore: z.int().min(0),
  goalModifier: text,
  assists: z.array(z.looseObject(person)).default([]),
});
const landingPenalty = z.looseObject({
  timeInPeriod: z.string(),
  duration: count,
  committedByPlayer: localized,
  servedBy: localized,
  teamAbbrev: localized,
  descKey: text,
});
const shootOutShot = z.looseObject({ ...person, sequence: z.int(), teamAbbrev: localized, result: z.string() });

export const landingReply = game.extend({
  summary: z.looseObject({
    scoring: z.array(z.looseObject({ periodDescriptor, goals: z.array(landingGoal) })).default([]),
    shootout: z.array(shootOutShot).default([]),
    penalties: z.array(z.looseObject({ periodDescriptor, penalties: z.array(landingPenalty) })).default([]),
  }),
});
export type LandingReply = z.infer<typeof landingReply>;

export const playReply = z.looseObject({
  eventId: z.int(),
  sortOrder: z.int(),
  periodDescriptor,
  timeInPeriod: z.string(),
  typeDescKey: z.string(),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type PlayReply = z.infer<typeof playReply>;

export const rosterSpot = z.looseObject({
  ...person,
  teamId: z.int(),
  sweaterNumber: count,
  positionCode: text,
});

export const playByPlayReply = game.extend({
  plays: z.array(playReply),
  rosterSpots: z.array(rosterSpot).default([]),
});
export type PlayByPlayReply = z.infer<typeof playByPlayReply>;

const bench = z.looseObject({ headCoach: localized }).nullish().catch(null);
const figure = z.union([z.number(), z.string()]).nullish().catch(null);
export const rightRailReply = z.looseObject({
  gameInfo: z
    .looseObject({ referees: z.array(localized).default([]), awayTeam: bench, homeTeam: bench })
    .nullish()
    .catch(null),
  teamGameStats: z.array(z.looseObject({ category: z.string(), awayValue: figure, homeValue: figure })).default([]),
});
export type RightRailReply = z.infer<typeof rightRailReply>;
