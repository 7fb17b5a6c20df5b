/** A match as the files have it. */
import { z } from 'zod';

const minute = z.int().min(0).max(200);
const score = z.object({
  minute,
  type: z.string(),
  player: z.string().nullable(),
  value: z.int().min(0).max(7),
});
const player = z.object({
  name: z.string().min(1),
  on: z.array(minute),
  off: z.array(minute),
  reds: z.array(minute),
  yellows: z.array(minute),
});
const side = z.object({
  team: z.string().min(1),
  score: z.int().min(0),
  scores: z.array(score),
  /** Players by shirt number. */
  lineup: z.record(z.string(), player),
});
const rawMatch = z.object({
  home: side,
  away: side,
  date: z.string(),
  round: z.int().min(1),
  round_type: z.string(),
  attendance: z.int().min(0).nullish(),
});
export type RawMatch = z.infer<typeof rawMatch>;
export type RawSide = RawMatch['home'];

export const isMatch = (value: unknown): value is RawMatch => rawMatch.safeParse(value).success;
