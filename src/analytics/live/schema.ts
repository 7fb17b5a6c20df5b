/** Wire format for in-play probabilities. */
import { z } from 'zod';
import { INNINGS_REASONS, REASONS } from '../../in-play/index.ts';
import { id, matchStatus, shownStatusDetail } from '../../wire/match.ts';
import { timestamp } from '../../wire/time.ts';

const percent = z.number().min(0).max(100);
const score = z.int().min(0);
const chances = { homeWin: percent, draw: percent, awayWin: percent };

export const matchProbabilities = z
  .strictObject({
    event_id: id,
    status: matchStatus,
    status_detail: shownStatusDetail,
    minute: z.int().min(0).nullable(),
    current: z.strictObject(chances).nullable().meta({
      description:
        'In percent, adding up to 100. The probabilities refer to the result after 90 minutes, or after extra time once that has begun. A shoot-out counts as a draw. In cricket, a super over decides a tie, and a tie counts half for each side. When the match is finished, the actual result has 100. Null for an abandoned or cancelled match, and in a sport without this model',
    }),
    advance: z.strictObject({ home: percent, away: percent }).nullable().meta({
      description:
        "Each side's chance to go through, in percent, after extra time and a shoot-out if they are needed. Null unless the season's bracket or extra time shows that the match decides a tie",
    }),
    rates: z
      .strictObject({
        home: z.number().min(0).meta({ description: 'Expected goals in 90 minutes' }),
        away: z.number().min(0),
        basis: z.enum(['model', 'average']).meta({
          description:
            'model: from the calibrated model and the matches of earlier days; average: the average of the sport, because the tournament has no earlier match',
        }),
        computed_at: timestamp,
      })
      .nullable()
      .meta({ description: 'Expected goals, from which the probabilities follow; null in a sport without this model' }),
    timeline: z
      .array(
        z
          .strictObject({
            minute: z.int().min(0),
            minute_plus: z.int().min(0).nullable(),
            reason: z.enum(REASONS).meta({
              description:
                'start: the kick-off; goal: after a goal; sent_off: after a player was sent off; period: a half, regular time or extra time is over; minute: a minute in between; now: the present; end: the match is over',
            }),
            home_score: score,
            away_score: score,
            ...chances,
          })
          .meta({ id: 'ProbabilityPoint' }),
      )
      .meta({
        description:
          'In the order of play. The timeline follows from the incidents, so a correction changes it. If the incidents do not add up to the score, or a goal has no minute, it has only the start and the present',
      }),
    expected_runs: z
      .strictObject({ home: z.number().min(0), away: z.number().min(0) })
      .nullable()
      .optional()
      .meta({
        description:
          "In cricket only: each side's expected runs in 20 overs, from which the probabilities follow; null if there are none",
      }),
    innings_timeline: z
      .array(
        z
          .strictObject({
            period: z.string(),
            overs: z.string().meta({ description: 'Overs and balls, such as 17.2' }),
            reason: z.enum(INNINGS_REASONS).meta({
              description:
                'start: before the first ball; innings: before the second innings; ball, wicket: after a ball; over: after an over whose deliveries are not known; now: the present; end: the match is over',
            }),
            runs: score.meta({ description: 'Of the innings' }),
            wickets: score,
            ...chances,
          })
          .meta({ id: 'InningsProbabilityPoint' }),
      )
      .optional()
      .meta({
        description:
          'In cricket only, instead of `timeline`: in the order of play. Empty for matches that are not limited to at most 20 overs for each side. After a revised target, the whole second innings is computed with the last target',
      }),
  })
  .meta({ id: 'MatchProbabilities' });
export type MatchProbabilitiesReply = z.infer<typeof matchProbabilities>;
