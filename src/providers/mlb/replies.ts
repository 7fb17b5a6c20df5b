/**
 * Replies from the MLB Stats API (statsapi.mlb.com): schedule, live feed, box score. An unplayed half-inning has no
 * `runs`.
 */
import { z } from 'zod';

const count = z.int().min(0).max(999).nullish().catch(null);
const text = z.string().trim().min(1).max(200).nullish().catch(null);
const day = z.iso.date();

const status = z.looseObject({
  codedGameState: z.string(),
  detailedState: text,
  startTimeTBD: z.boolean().nullish().catch(null),
});
const team = z.looseObject({ id: z.int() });

export const scheduledGame = z.looseObject({
  gamePk: z.int().min(1),
  gameType: z.string(),
  season: z.string().regex(/^\d{4}$/u),
  gameDate: z.iso.datetime({ offset: true }),
  officialDate: day,
  resumedFrom: text,
  status,
  teams: z.looseObject({
    home: z.looseObject({ team, score: count, isWinner: z.boolean().nullish().catch(null) }),
    away: z.looseObject({ team, score: count, isWinner: z.boolean().nullish().catch(null) }),
  }),
  venue: z.looseObject({ name: text }).nullish().catch(null),
});
export type ScheduledGame = z.infer<typeof scheduledGame>;

export const scheduleReply = z.looseObject({
  dates: z.array(z.looseObject({ date: z.string(), games: z.array(z.unknown()) })),
});

const sentence = z.string().trim().min(1).max(1_000).nullish().catch(null);
const person = z.looseObject({ id: z.int(), fullName: z.string().trim().min(1) });
const runs = { awayScore: count, homeScore: count };

const playEvent = z.looseObject({
  index: z.int().min(0),
  type: text,
  details: z
    .looseObject({ eventType: text, description: sentence, ...runs })
    .nullish()
    .catch(null),
  player: z.looseObject({ id: z.int() }).nullish().catch(null),
});
export const play = z.looseObject({
  about: z.looseObject({
    atBatIndex: z.int().min(0),
    halfInning: z.enum(['top', 'bottom']),
    inning: z.int().min(1).max(99),
    isComplete: z.boolean(),
  }),
  result: z.looseObject({ eventType: text, description: sentence, ...runs }),
  matchup: z
    .looseObject({ batter: person.nullish().catch(null) })
    .nullish()
    .catch(null),
  playEvents: z.array(playEvent).default([]),
});
export type Play = z.infer<typeof play>;

const half = z.looseObject({ runs: count }).nullish().catch(null);
const totals = z.looseObject({ runs: count }).nullish().catch(null);
export const lineScore = z.looseObject({
  currentInning: z.int().min(1).max(99).nullish().catch(null),
  isTopInning: z.boolean().nullish().catch(null),
  outs: z.int().min(0).max(3).nullish().catch(null),
  innings: z.array(z.looseObject({ num: z.int().min(1).max(99), home: half, away: half })).default([]),
  teams: z.looseObject({ home: totals, away: totals }).nullish().catch(null),
});
export type LineScore = z.infer<typeof lineScore>;

export const feedReply = z.looseObject({
  gamePk: z.int(),
  metaData: z.looseObject({
    wait: z.number().min(0).max(3_600).nullish().catch(null),
    /** For example 20240704_231502. */
    timeStamp: z.string().regex(/^\d{8}_\d{6}$/u),
  }),
  gameData: z.looseObject({
    datetime: z.looseObject({ dateTime: z.iso.datetime({ offset: true }) }),
    status,
    teams: z.looseObject({ home: team, away: team }),
  }),
  liveData: z.looseObject({ plays: z.looseObject({ allPlays: z.array(z.unknown()) }), linescore: lineScore }),
});
export type FeedReply = z.infer<typeof feedReply>;

const boxPlayer = z.looseObject({
  person,
  jerseyNumber: text,
  position: z.looseObject({ abbreviation: text }).nullish().catch(null),
  allPositions: z
    .array(z.looseObject({ abbreviation: text }))
    .nullish()
    .catch(null),
  /** 100 to 900 for the starters, 101 for the first substitute of the first starter. */
  battingOrder: z
    .union([z.string(), z.int().transform(String)])
    .nullish()
    .catch(null),
  stats: z
    .looseObject({ batting: z.record(z.string(), z.unknown()), pitching: z.record(z.string(), z.unknown()) })
    .partial()
    .nullish()
    .catch(null),
});
export type BoxPlayer = z.infer<typeof boxPlayer>;

const figures = z.record(z.string(), z.unknown()).nullish().catch(null);
const boxSide = z.looseObject({
  team,
  players: z.record(z.string(), z.unknown()).default({}),
  pitchers: z.array(z.int()).default([]),
  batters: z.array(z.int()).default([]),
  teamStats: z.looseObject({ batting: figures, fielding: figures }).nullish().catch(null),
});
export type BoxSide = z.infer<typeof boxSide>;
export const boxPlayerReply = boxPlayer;

export const boxScoreReply = z.looseObject({
  teams: z.looseObject({ home: boxSide, away: boxSide }),
  officials: z
    .array(z.looseObject({ official: z.looseObject({ fullName: text }).nullish(), officialType: text }))
    .default([])
    .catch([]),
  info: z
    .array(z.looseObject({ label: text, value: text }))
    .default([])
    .catch([]),
});
export type BoxScoreReply = z.infer<typeof boxScoreReply>;
