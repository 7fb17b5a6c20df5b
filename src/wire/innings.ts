/** Wire format for cricket's innings: the state beside a score, and the scorecard. */
import { z } from 'zod';

const batting = z.enum(['home', 'away']);
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();

/** Overs and balls as cricket writes them: 17.2 is 17 overs and 2 balls. */
const overs = z
  .string()
  .max(7)
  .regex(/^\d+(\.\d{1,2})?$/, 'must be overs and balls, such as 17.2');
/** The state of an innings, with the period's score. */
export const inningsState = z
  .strictObject({
    batting,
    wickets: z.int().min(0).max(11),
    overs,
    declared: z.boolean().optional(),
  })
  .meta({
    id: 'InningsState',
    description: 'State of an innings, with which `158/4 (17.2)` can be written. In cricket only',
  });
const runs = z.int().min(0).max(10_000);
const balls = z.int().min(0).max(100_000);
const wickets = z.int().min(0).max(11);
const batter = z.strictObject({
  player_name: z.string(),
  runs,
  balls: nullable(balls),
  fours: nullable(runs),
  sixes: nullable(runs),
  dismissal: nullable(
    z.strictObject({
      kind: z.string().meta({ description: 'caught, bowled, lbw, run_out, stumped, retired_hurt and so on' }),
      bowler_name: nullable(z.string()),
      fielder_names: z.array(z.string()).max(11),
    }),
  ).meta({ description: 'Null for a player who is not out' }),
});
const bowler = z.strictObject({
  player_name: z.string(),
  overs,
  maidens: nullable(wickets.max(1_000)),
  runs,
  wickets,
  wides: nullable(runs),
  no_balls: nullable(runs),
});

const delivery = z
  .strictObject({
    runs: runs.meta({ description: 'Off the bat and extras' }),
    wickets: wickets.max(2).optional().meta({ description: 'Absent for none' }),
    extra: z
      .enum(['wide', 'no_ball'])
      .optional()
      .meta({ description: 'Set if it does not count as a ball of the over' }),
  })
  .meta({ id: 'Delivery' });

/** An innings, in the order of play. Players have their ids in the line-ups. */
export const innings = z
  .strictObject({
    period: z
      .string()
      .max(10)
      .meta({ description: '`I1`, `I2` and so on; `SO1`, `SO2` for the innings of super overs' }),
    batting,
    runs,
    wickets,
    overs,
    balls_per_over: z.int().min(1).max(10),
    all_out: z.boolean(),
    declared: z.boolean(),
    forfeited: z.boolean(),
    max_overs: nullable(overs).meta({ description: 'To which the innings was limited' }),
    target: nullable(
      z.strictObject({
        runs,
        overs: nullable(overs),
        method: nullable(z.string().max(20)).meta({ description: 'Such as D/L, if the target was revised' }),
      }),
    ),
    extras: z.strictObject({ byes: runs, leg_byes: runs, wides: runs, no_balls: runs, penalty: runs }),
    batters: z.array(batter).max(15),
    bowlers: z.array(bowler).max(15),
    fall_of_wickets: z
      .array(z.strictObject({ wicket: wickets, runs, overs: nullable(overs), player_name: z.string() }))
      .max(15),
    by_over: z
      .array(z.strictObject({ runs, wickets, deliveries: z.array(delivery).max(100).optional() }))
      .max(1_000)
      .meta({ description: 'Runs and wickets in each over, and its deliveries if a source tells each of them' }),
  })
  .meta({ id: 'Innings' });
export type Innings = z.infer<typeof innings>;
