/** The canonical tournaments in data/tournaments.yaml. A tournament is found by any of its listed names, or by a source's code. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { foldName } from '../db/fold-name.ts';

const date = z.iso.date();
const label = z.string().regex(/^\d{4}(\/\d{2})?$/, 'is not the label of a season, such as 2022 or 2022/23');
const teams = z.array(z.string()).min(1);
const tieRules = z.strictObject({
  format: z.enum(['single', 'legs', 'series', 'legs_or_series']).optional(),
  best_of: z.int().min(1).optional(),
});
/** A season's rules. src/competitions applies them; see rules.ts there. */
const seasonRules = z.strictObject({
  points: z
    .strictObject({
      win: z.int(),
      draw: z.int(),
      loss: z.int(),
      overtime_win: z.int().optional(),
      overtime_loss: z.int().optional(),
      no_result: z.int().optional(),
    })
    .optional(),
  tie_breaks: z.array(z.string()).optional(),
  bonus: z.array(z.looseObject({ points: z.int() })).optional(),
  restart_tie_breaks: z.boolean().optional(),
  draws_in_percentage: z.boolean().optional(),
  conferences: z
    .array(
      z.strictObject({
        name: z.string(),
        teams: teams.optional(),
        divisions: z.array(z.strictObject({ name: z.string(), teams })).optional(),
      }),
    )
    .optional(),
  conference_tie_breaks: z.array(z.string()).optional(),
  best_of_divisions: z.boolean().optional(),
  several_tie_breaks: z.array(z.string()).optional(),
  qualification: z
    .strictObject({
      division_places: z.int(),
      wild_cards: z.int(),
      play_in: z.int().optional(),
      overall: z.int().optional(),
    })
    .optional(),
  zones: z.array(z.strictObject({ kind: z.string(), first: z.int(), last: z.int() })).optional(),
  table: z.boolean().optional(),
  split: z
    .strictObject({
      after: z.int(),
      one_table: z.boolean().optional(),
      groups: z.array(
        z.strictObject({
          name: z.string(),
          places: z.array(z.int().min(1)),
          meetings: z.int().min(1),
          points: z.enum(['keep', 'halve_up', 'halve_down']).optional(),
          results: z.boolean().optional(),
          tie_breaks: z.array(z.string()).optional(),
        }),
      ),
    })
    .nullish(),
  head_to_head_meetings: z.int().min(1).optional(),
  head_to_head_even: z.boolean().optional(),
  shoot_out_goal: z.boolean().optional(),
  curtailed: z.boolean().optional(),
  complete: z.boolean().optional(),
  ties: tieRules
    .extend({ away_goals: z.boolean().optional(), rounds: z.record(z.string(), tieRules).optional() })
    .optional(),
  source: z.string().optional(),
});
const rules = seasonRules.extend({
  periods: z.array(seasonRules.extend({ from: label.optional(), until: label.optional() })).optional(),
});
const decision = z.strictObject({
  points: z.int().default(0),
  position: z.int().min(1).optional(),
  reason: z.string(),
  source: z.string().optional(),
  date: date.optional(),
});

const tournament = z.strictObject({
  sport: z.string().default('football'),
  gender: z.enum(['men', 'women', 'mixed']).default('men'),
  country: z.string(),
  name: z.string(),
  name_ru: z.string().optional(),
  tier: z.int().optional(),
  importance: z.int().min(0).max(100),
  amateur: z.boolean().default(false),
  youth: z.boolean().default(false),
  timezone: z.string().optional(),
  single_home_fixture: z.boolean().default(false),
  calendar_year: z.boolean().default(false),
  /** MM-DD on which a season begins, if seasons span two years. With `calendar_year`, the label is the first year. */
  turns: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  sources: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  rounds: z.record(z.string(), z.string()).default({}),
  one_table: z.boolean().default(false),
  groups: z.record(label, z.record(z.string(), z.array(z.string()))).default({}),
  repeated: z.string().optional(),
  single_meeting: z.boolean().default(false),
  outsiders: z.string().optional(),
  windows_to: z.record(z.string(), z.array(z.tuple([date, date]))).default({}),
  windows: z.record(z.string(), z.tuple([date, date])).default({}),
  editions: z.record(z.string(), date).optional(),
  rules: rules.optional(),
  season_rules: z.record(label, seasonRules).default({}),
  awarded: z.record(label, z.array(z.tuple([z.string(), z.string(), z.int().min(0), z.int().min(0)]))).default({}),
  adjustments: z.record(label, z.record(z.string(), z.array(decision).min(1))).default({}),
});
export type KnownTournament = z.infer<typeof tournament>;

const file = z.strictObject({ rule_sets: z.unknown(), tournaments: z.array(tournament) });

interface Known {
  all: KnownTournament[];
  /** sport|country|gender|folded name or alias */
  byName: Map<string, KnownTournament>;
  /** provider|code */
  bySource: Map<string, KnownTournament>;
}
let known: Known | undefined;

/** Returns the list, which is read only once. Throws an error that gives the position if the file is invalid. */
export function knownTournaments(): Known {
  if (known) return known;
  const text = readFileSync(new URL('../../data/tournaments.yaml', import.meta.url), 'utf8');
  const { tournaments } = file.parse(parse(text, { merge: true }));
  for (const entry of tournaments) checkSeasons(entry);
  const byName = new Map<string, KnownTournament>();
  const bySource = new Map<string, KnownTournament>();
  for (const entry of tournaments) {
    for (const name of [entry.name, ...entry.aliases])
      byName.set(nameKey(entry.sport, entry.country, entry.gender, name), entry);
    for (const [provider, codes] of Object.entries(entry.sources)) {
      for (const code of [codes].flat()) bySource.set(`${provider}|${code}`, entry);
    }
  }
  known = { all: tournaments, byName, bySource };
  return known;
}

/**
 * Checks that an entry names only possible seasons.
 * @throws an Error that names the tournament and the season
 */
export function checkSeasons(entry: KnownTournament): void {
  const { groups, season_rules, awarded, adjustments, windows, editions, rules: general } = entry;
  const spans = (general?.periods ?? []).flatMap(({ from, until }) => [from, until].filter((end) => end !== undefined));
  const named = [groups, season_rules, awarded, adjustments].flatMap((seasons) => Object.keys(seasons));
  // For a tournament without listed seasons, the label of the season on any day shows whether seasons span two years.
  const across = seasonOn({ ...entry, windows: {}, editions: undefined }, '2001-12-31').includes('/');
  for (const season of [...named, ...spans]) {
    if (season in windows || (editions && season in editions)) continue;
    if (editions || season.includes('/') !== across || (across && season !== splitLabel(Number(season.slice(0, 4)))))
      throw new Error(`tournaments.yaml: ${entry.name} has no season ${season}`);
  }
}

const nameKey = (sport: string, country: string, gender: string, name: string) =>
  `${sport}|${country}|${gender}|${foldName(name)}`;

/** Returns the tournament with this name, in any spelling. */
export function findTournament(
  sport: string,
  country: string,
  gender: string,
  name: string,
): KnownTournament | undefined {
  return knownTournaments().byName.get(nameKey(sport, country, gender, name));
}

/** Returns the tournament with a source's `code`, which may be a file name, a folder, a league number or a title. */
export function tournamentBySource(provider: string, code: string): KnownTournament | undefined {
  return knownTournaments().bySource.get(`${provider}|${code}`);
}

/** Returns a listed tournament by name. An unknown name is an error in the list. */
export function tournamentNamed(name: string, like: KnownTournament): KnownTournament {
  const found = findTournament(like.sport, like.country, like.gender, name);
  if (!found) throw new Error(`tournaments.yaml: ${like.name} refers to the unknown tournament ${name}`);
  return found;
}

/** Returns a season's label by the first year: "2023/24", "1999/00". */
export const splitLabel = (firstYear: number) => `${firstYear}/${String((firstYear + 1) % 100).padStart(2, '0')}`;

/**
 * Returns the label of the season that contains a day.
 * @param day YYYY-MM-DD
 */
export function seasonOn(entry: KnownTournament, day: string): string {
  for (const [label, [from, to]] of Object.entries(entry.windows)) if (day >= from && day <= to) return label;
  if (entry.editions) {
    for (const [label, last] of Object.entries(entry.editions)) if (day <= last) return label;
  }
  const year = Number(day.slice(0, 4));
  const turns = entry.turns ?? (entry.calendar_year || entry.country === 'INT' ? undefined : '07-01');
  if (turns === undefined) return String(year);
  const first = day.slice(5) >= turns ? year : year - 1;
  return entry.calendar_year ? String(first) : splitLabel(first);
}

/**
 * Returns the tournament that a round in a source's league belongs to. This is the league itself, or a tournament of its own
 * for play-offs.
 */
export function tournamentOfRound(entry: KnownTournament, round: string): KnownTournament {
  for (const [pattern, name] of Object.entries(entry.rounds)) {
    if (new RegExp(pattern, 'u').test(round)) return tournamentNamed(name, entry);
  }
  return entry;
}
