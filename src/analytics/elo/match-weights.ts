/** Weight of a match of national teams, by its tournament: data/analytics/elo-match-weights.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** K of a tournament that is not listed. */
const OTHER_WEIGHT = 30;

const file = z.record(z.string().regex(/^\d+$/), z.array(z.string().min(1)).min(1));
const listed = file.parse(
  parse(readFileSync(new URL('../../../data/analytics/elo-match-weights.yaml', import.meta.url), 'utf8')),
);

const weights = new Map(
  Object.entries(listed).flatMap(([weight, names]) => names.map((name) => [name, Number(weight)] as const)),
);

/** @param tournament its name in the catalogue */
export const matchWeight = (tournament: string): number => weights.get(tournament) ?? OTHER_WEIGHT;
