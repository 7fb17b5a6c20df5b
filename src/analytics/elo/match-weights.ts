/** Weights for matches between national teams, by tournament, from data/analytics/elo-match-weights.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** Weight (K) for tournaments that the file does not list. */
const OTHER_WEIGHT = 30;

const file = z.record(z.string().regex(/^\d+$/), z.array(z.string().min(1)).min(1));
const listed = file.parse(
  parse(readFileSync(new URL('../../../data/analytics/elo-match-weights.yaml', import.meta.url), 'utf8')),
);

const weights = new Map(
  Object.entries(listed).flatMap(([weight, names]) => names.map((name) => [name, Number(weight)] as const)),
);

/** @param tournament catalogue name */
export const matchWeight = (tournament: string): number => weights.get(tournament) ?? OTHER_WEIGHT;
