/**
 * Replies from the Euroleague's live API (live.euroleague.net: Header, Boxscore, PlaybyPlay) and the schedule. Codes
 * are padded with spaces, the fourth quarter is spelt `ForthQuarter`, and all overtimes share `ExtraTime`.
 */
import { z } from 'zod';

/** Some members give numbers as text; missing numbers are null, empty, or `DNP`. */
const number = z
  .union([z.number(), z.string().trim().regex(/^\d+$/u).transform(Number)])
  .nullish()
  .catch(null);
const text = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
  .catch(null);
const code = z.string().trim().min(1);

const playReply = z.looseObject({
  NUMBEROFPLAY: z.int(),
  CODETEAM: text,
  PLAYER_ID: text,
  PLAYTYPE: z.string().trim(),
  PLAYER: text,
  MINUTE: number,
  MARKERTIME: text,
});
export type PlayReply = z.infer<typeof playReply>;
const plays = z.array(playReply).default([]);
export const PLAY_LISTS = ['FirstQuarter', 'SecondQuarter', 'ThirdQuarter', 'ForthQuarter', 'ExtraTime'] as const;

export const playByPlayReply = z.looseObject({
  Live: z.boolean(),
  CodeTeamA: code,
  CodeTeamB: code,
  ActualQuarter: number,
  FirstQuarter: plays,
  SecondQuarter: plays,
  ThirdQuarter: plays,
  ForthQuarter: plays,
  ExtraTime: plays,
});
export type PlayByPlayReply = z.infer<typeof playByPlayReply>;

export const headerReply = z.looseObject({
  Live: z.boolean(),
  Round: number,
  /** DD/MM/YYYY and HH:MM in the league office's time zone. */
  Date: text,
  Hour: text,
  Stadium: text,
  Capacity: number,
  CodeTeamA: code,
  CodeTeamB: code,
  ScoreA: number,
  ScoreB: number,
  GameTime: text,
  RemainingPartialTime: text,
  PhaseReducedName: text,
  Referee1: text,
  Referee2: text,
  Referee3: text,
});
export type HeaderReply = z.infer<typeof headerReply>;

/** Maps members in a player's line and in a side's totals to our figure names. */
export const FIGURES = {
  Points: 'points',
  FieldGoalsMade2: 'two_pointers_made',
  FieldGoalsAttempted2: 'two_pointers_attempted',
  FieldGoalsMade3: 'three_pointers_made',
  FieldGoalsAttempted3: 'three_pointers_attempted',
  FreeThrowsMade: 'free_throws_made',
  FreeThrowsAttempted: 'free_throws_attempted',
  TotalRebounds: 'rebounds',
  OffensiveRebounds: 'offensive_rebounds',
  DefensiveRebounds: 'defensive_rebounds',
  Assistances: 'assists',
  Steals: 'steals',
  Turnovers: 'turnovers',
  BlocksFavour: 'blocks',
  FoulsCommited: 'fouls',
  FoulsReceived: 'fouls_drawn',
} as const;
const figures = z.record(z.string(), z.unknown());

const sideReply = z.looseObject({
  Coach: text,
  PlayersStats: z
    .array(
      z.looseObject({
        Player_ID: text,
        Player: z.string().trim().min(1),
        IsStarter: number,
        Dorsal: text,
        Minutes: text,
      }),
    )
    .default([]),
  totr: figures.nullish(),
});
export type SideReply = z.infer<typeof sideReply>;

/** Each list has the home side first. */
export const boxScoreReply = z.looseObject({
  Live: z.boolean(),
  Attendance: number,
  ByQuarter: z.array(figures).default([]),
  Stats: z.array(sideReply).default([]),
});
export type BoxScoreReply = z.infer<typeof boxScoreReply>;

const scheduledSide = z.looseObject({
  club: z.looseObject({ code }),
  score: number,
  partials: figures.nullish(),
});
const official = z.looseObject({ name: text }).nullish();
export const scheduledGame = z.looseObject({
  gameCode: z.int(),
  season: z.looseObject({ year: z.int() }),
  group: z.looseObject({ rawName: text }).nullish(),
  phaseType: z.looseObject({ code }),
  round: number,
  played: z.boolean(),
  confirmedHour: z.boolean().nullish(),
  utcDate: z.iso.datetime({ offset: true }),
  local: scheduledSide,
  road: scheduledSide,
  audience: number,
  venue: z.looseObject({ name: text, capacity: number }).nullish(),
  isNeutralVenue: z.boolean().nullish(),
  referee1: official,
  referee2: official,
  referee3: official,
});
export type ScheduledGame = z.infer<typeof scheduledGame>;
export const scheduleReply = z.looseObject({ data: z.array(z.unknown()) });
export type ScheduleReply = z.infer<typeof scheduleReply>;
