/** The members of Cricsheet's JSON format (versions 1.0.0 and 1.1.0) that are read. https://cricsheet.org/format/json/ */
import { z } from 'zod';

const name = z.string().trim().min(1).max(200);
const runs = z.int().min(0).max(1_000);

const wicket = z.object({
  kind: z.string().min(1).max(50),
  player_out: name,
  fielders: z
    .array(z.object({ name: name.optional(), substitute: z.boolean().optional() }))
    .max(11)
    .optional(),
});
const replacement = z.object({
  in: name,
  out: name.optional(),
  team: name.optional(),
  reason: z.string().max(100).optional(),
});
const delivery = z.object({
  batter: name,
  bowler: name,
  non_striker: name,
  runs: z.object({ batter: runs, extras: runs, total: runs, non_boundary: z.boolean().optional() }),
  extras: z.object({ byes: runs, legbyes: runs, noballs: runs, wides: runs, penalty: runs }).partial().optional(),
  wickets: z.array(wicket).max(2).optional(),
  replacements: z.object({ match: z.array(replacement).max(22).optional() }).optional(),
});
const over = z.object({ over: z.int().min(0).max(2_000), deliveries: z.array(delivery).min(1).max(100) });
/** Overs and balls: 9.2 is nine overs and two balls. */
const overs = z.number().min(0).max(2_000);

const innings = z.object({
  team: name,
  overs: z.array(over).max(2_000).optional(),
  absent_hurt: z.array(name).max(11).optional(),
  penalty_runs: z.object({ pre: runs.optional(), post: runs.optional() }).optional(),
  declared: z.boolean().optional(),
  forfeited: z.boolean().optional(),
  super_over: z.boolean().optional(),
  miscounted_overs: z.record(z.string(), z.unknown()).optional(),
  target: z.object({ runs: z.int().min(1).max(10_000).optional(), overs: overs.optional() }).optional(),
});
const pair = z.array(name).length(2);
const day = z.iso.date();

export const matchFile = z.object({
  info: z.object({
    balls_per_over: z.int().min(1).max(10).default(6),
    city: name.optional(),
    dates: z.array(day).min(1).max(20),
    event: z
      .object({
        name,
        match_number: z.int().min(1).max(1_000).optional(),
        stage: name.optional(),
        group: z.union([name, z.int()]).optional(),
      })
      .optional(),
    gender: z.enum(['male', 'female']),
    match_type: z.string().min(1).max(20),
    officials: z.object({ umpires: z.array(name).max(10).optional() }).optional(),
    outcome: z.object({
      winner: name.optional(),
      result: z.enum(['draw', 'no result', 'tie']).optional(),
      eliminator: name.optional(),
      bowl_out: name.optional(),
      method: z.string().max(50).optional(),
    }),
    overs: z.int().min(1).max(100).optional(),
    player_of_match: z.array(name).max(11).optional(),
    players: z.record(name, z.array(name).max(30)),
    registry: z.object({ people: z.record(z.string(), z.string().max(50)) }).optional(),
    season: z.union([z.string().max(10), z.int()]),
    team_type: z.enum(['international', 'club']).optional(),
    teams: pair,
    venue: name.optional(),
  }),
  innings: z.array(innings).max(20).default([]),
});
export type MatchFile = z.infer<typeof matchFile>;
export type FileInnings = MatchFile['innings'][number];
export type Delivery = z.infer<typeof delivery>;
