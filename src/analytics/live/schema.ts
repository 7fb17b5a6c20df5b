/** Wire format for in-play probabilities. */
import { z } from 'zod';
import { REASONS } from '../../in-play/index.ts';
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
        'In percent, adding up to 100. The probabilities refer to the result after 90 minutes, or after extra time once that has begun. A shoot-out counts as a draw. When the match is finished, the actual result has 100. Null for an abandoned or cancelled match, and in a sport without this model',
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
  })
  .meta({ id: 'MatchProbabilities' });
export type MatchProbabilitiesReply = z.infer<typeof matchProbabilities>;
