/** Wire shape of rankings. */
import { z } from 'zod';
import { id } from '../wire/match.ts';
import { wireDay as day } from '../wire/time.ts';
import { KIND_NAMES } from './kinds.ts';

const rankingEntry = z
  .strictObject({
    rank: z.int().min(1).meta({ description: 'Equal for participants that are level' }),
    participant: z.strictObject({
      id,
      name: z.string().meta({ description: "On the ranking's day" }),
      name_ru: z.string().nullable(),
      country: z.string().nullable(),
    }),
    points: z.number().nullable().meta({ description: 'Null if the source does not publish them' }),
    movement: z.int().nullable().meta({
      description:
        'Places gained (above 0) or lost since the previous ranking; null for a new entry and in the first ranking',
    }),
  })
  .meta({ id: 'RankingEntry' });

export const rankings = z
  .strictObject({
    kind: z.enum(KIND_NAMES),
    published_at: day.nullable().meta({ description: 'Null if no ranking was published by that day' }),
    previous_published_at: day.nullable().meta({ description: 'The ranking that `movement` refers to' }),
    count: z.int().min(0).meta({ description: 'Items in this page' }),
    total: z.int().min(0).meta({ description: 'Items in all pages' }),
    rankings: z.array(rankingEntry),
    reason: z.enum(['not_imported', 'not_computed', 'published_later']).optional().meta({
      description:
        'Why there is no ranking. not_imported: the operator of this service has imported no ranking of this kind. not_computed: the ratings have not been computed, or no team has enough matches for them. published_later: the first ranking is newer than `date`',
    }),
    first_published_at: day
      .optional()
      .meta({ description: 'Only with `published_later`: the earliest value of `date` that gives a ranking' }),
  })
  .meta({ id: 'Rankings' });

export const ratingEntry = z
  .strictObject({
    date: day.meta({ description: 'Last day whose results count' }),
    points: z.number(),
    rank: z.int().min(1),
  })
  .meta({ id: 'RatingEntry' });

export const ratings = z
  .strictObject({
    participant_id: id,
    kind: z.enum(KIND_NAMES).nullable().meta({ description: 'Null if the participant has no rating' }),
    count: z.int().min(0),
    ratings: z.array(ratingEntry),
  })
  .meta({ id: 'Ratings' });
