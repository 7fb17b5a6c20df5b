/** Wire format for a season's outlook. */
import { z } from 'zod';
import { ZONE_KINDS } from '../../competitions/index.ts';
import { id } from '../../wire/match.ts';
import { timestamp } from '../../wire/time.ts';

const count = z.int().min(0);
const probability = z.number().min(0).max(1);
const champion = probability.nullable().meta({
  description:
    'Null if the table does not decide the title: in groups and cups, and in leagues whose first side goes on to play-offs',
});
const zones = z.array(z.strictObject({ kind: z.enum(ZONE_KINDS), probability })).meta({
  description: 'What places of the table lead to, by the rules of the season; empty if the rules are not known',
});

const side = z
  .strictObject({
    participant_id: id,
    name: z.string(),
    name_ru: z.string().nullable(),
    group: z.string().nullable(),
    position: z
      .int()
      .min(1)
      .meta({ description: 'Present position; in a divided league the position in the regular season' }),
    points: z.int(),
    expected_points: z.number().meta({
      description: 'Mean at the end of the season; in a divided league at the end of the regular season',
    }),
    champion,
    zones,
    places: z
      .array(probability)
      .meta({ description: 'Probability of each place in the table, beginning with the first place' }),
  })
  .meta({ id: 'SideOutlook' });

export const outlook = z
  .strictObject({
    tournament_id: id,
    tournament: z.string(),
    season_id: id.nullable(),
    season_label: z.string().nullable(),
    computed_at: timestamp,
    simulations: count.meta({ description: '0 if all matches have been played: each probability is then 0 or 1' }),
    seed: z.int().nullable().meta({
      description:
        'Seed of the simulations, derived from all their input, so that the same state gives the same figures',
    }),
    complete: z.boolean().meta({
      description: 'False if past results of the season are missing, or if fixtures are not known',
    }),
    fixtures: z.strictObject({
      played: count,
      remaining: count.meta({ description: 'Simulated matches; in a divided league only those of the regular season' }),
      unknown: count.meta({
        description:
          'Matches that the season must have, although no source lists them. They are part of `remaining` if they follow from the format of the season before; otherwise they are left out',
      }),
    }),
    sides: z.array(side),
    history: z
      .array(
        z.strictObject({
          date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
          sides: z.array(z.strictObject({ participant_id: id, champion, zones })),
        }),
      )
      .optional()
      .meta({
        description:
          'Only with `history=true`: the last outlook of each day, oldest first. Weeks before the first one were computed afterwards, from the results and decisions of that time',
      }),
    reason: z.enum(['no_table', 'incomplete', 'no_model', 'no_sample']).optional().meta({
      description:
        'Why there are no sides. no_table: the season has no table; incomplete: the season is over but lacks results; no_model: the sport has no model; no_sample: no earlier match of the tournament is known',
    }),
  })
  .meta({ id: 'Outlook' });
export type OutlookReply = z.infer<typeof outlook>;
