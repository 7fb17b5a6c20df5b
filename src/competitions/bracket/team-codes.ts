/** Letter codes for national teams, from data/bracket/codes.yaml. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const letters = z.string().regex(/^[A-Z]{3}$/);
const { countries, former } = z
  .strictObject({ countries: z.record(z.string(), letters), former: z.record(z.string(), letters) })
  .parse(parse(readFileSync(new URL('../../../data/bracket/codes.yaml', import.meta.url), 'utf8')));

/** @param name the team's name at the time of the match @param country the national team's country */
export const nationalCode = (name: string, country: string): string | null =>
  former[name] ?? countries[country] ?? null;
