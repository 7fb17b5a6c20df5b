/** Computes division and conference tables, in which matches against sides outside the table count, too. Pure. */
import type { TeamRow } from './queries.ts';
import {
  type Conference,
  GROUPINGS,
  type Grouping,
  type Qualification,
  type TableRules,
  type ZoneRule,
} from './rules.ts';
import type { Result, TableRow } from './side-totals.ts';
import { rankSides, totalResults } from './table.ts';
import { type Alignment, orderAcrossDivisions } from './tie-breaks.ts';

export interface ConferenceTable {
  /** Null for the overall table, and for the table of sides that the rules do not name. */
  name: string | null;
  rows: TableRow[];
  /** The side from which games behind are counted. */
  reference: TableRow;
  zones: ReadonlyMap<number, ZoneRule['kind']>;
}

const NO_QUALIFICATION: Qualification = { division_places: 1, wild_cards: 0, play_in: 0, overall: 0 };

const listDivisions = (conferences: readonly Conference[]) => conferences.flatMap(({ divisions }) => divisions ?? []);

/** Returns the ways to group a season's sides. The usual one comes first. */
export function listGroupings({ conferences, qualification }: TableRules): Grouping[] {
  if (conferences === undefined) return [];
  const divided = listDivisions(conferences).length > 0;
  const { division_places, wild_cards } = qualification ?? NO_QUALIFICATION;
  // If no place in a division leads to the play-offs, readers look at the conferences, and there are no wild cards.
  const byConference = division_places === 0;
  const found = GROUPINGS.filter((grouping) => {
    if (grouping === 'division') return divided;
    return grouping !== 'wild_card' || (divided && !byConference && wild_cards > 0);
  });
  return byConference ? found.toSorted((a, b) => Number(b === 'conference') - Number(a === 'conference')) : found;
}

/** Returns the conference of each side that the rules name. */
export const teamConferences = (teams: readonly TeamRow[], { conferences = [] }: TableRules): Map<number, string> =>
  new Map([...align(teams, conferences)].map(([id, { conference }]) => [id, conference]));

interface Given {
  rules: TableRules;
  conferences: readonly Conference[];
  /** Points that the organizer added or deducted, by team. */
  adjustments: ReadonlyMap<number, number>;
  grouping: Grouping;
}

/**
 * @param results all sides' results, oldest first
 * @returns the tables in the rules' order; sides that the rules do not name form a table at the end
 */
export function groupByConference(
  teams: readonly TeamRow[],
  results: readonly Result[],
  { rules, conferences, adjustments, grouping }: Given,
): ConferenceTable[] {
  const alignment = align(teams, conferences);
  const totals = totalResults(teams, results, rules, adjustments);
  const context = { ...totals, playOffs: new Map(), rules, carried: new Map(), alignment };
  const tabulate = (isIn: (own: Alignment | undefined) => boolean) =>
    rankSides(
      teams.filter(({ id }) => isIn(alignment.get(id))),
      context,
    );
  const { division_places, wild_cards, play_in, overall } = rules.qualification ?? NO_QUALIFICATION;
  const leading = new Set<number>();
  const divisions = listDivisions(conferences).map(({ name }) => {
    const rows = tabulate((own) => own?.division === name);
    for (const { team } of rows.slice(0, division_places)) leading.add(team);
    return { name, rows };
  });
  /** Each side's place in the division. */
  const places = new Map(divisions.flatMap(({ rows }) => rows.map(({ team }, index) => [team, index] as const)));
  const across = (rows: readonly TableRow[]) => orderAcrossDivisions(rows, { ...context, places });
  const groups = conferences.map(({ name }) => {
    const rows = tabulate((own) => own?.conference === name);
    const first = across(rows.filter(({ team }) => leading.has(team)));
    const others = across(rows.filter(({ team }) => !leading.has(team)));
    return { name, first, others };
  });
  const zones = new Map<number, ZoneRule['kind']>(
    groups.flatMap(({ first, others }) => [
      ...[...first, ...others.slice(0, wild_cards)].map(({ team }) => [team, 'play_off'] as const),
      ...others.slice(wild_cards, wild_cards + play_in).map(({ team }) => [team, 'play_in'] as const),
    ]),
  );
  // Ordering all sides takes as long as the divisions together, and few tables need it.
  const everyone = overall > 0 || grouping === 'overall' ? across(tabulate((own) => own !== undefined)) : [];
  for (const { team } of everyone.filter(({ team }) => !zones.has(team)).slice(0, overall)) zones.set(team, 'play_off');
  const found = {
    division: () => divisions.map(({ name, rows }) => ({ name, rows, reference: rows[0] })),
    conference: () =>
      groups.map(({ name, first, others }) => ({
        name,
        rows: [...first, ...others],
        reference: best([...first, ...others]),
      })),
    wild_card: () =>
      groups.map(({ name, others }) => ({ name, rows: others, reference: others[wild_cards - 1] ?? others.at(-1) })),
    overall: () => [{ name: null, rows: everyone, reference: everyone[0] }],
  }[grouping]();
  const unnamed = tabulate((own) => own === undefined);
  return [...found, { name: null, rows: unnamed, reference: unnamed[0] }].flatMap(({ name, rows, reference }) =>
    reference === undefined ? [] : { name, rows, reference, zones },
  );
}

/** Returns the side with the largest surplus of wins over losses. Games behind are counted from this side. */
const best = (rows: readonly TableRow[]): TableRow | undefined =>
  rows.toSorted((a, b) => b.wins - b.losses - (a.wins - a.losses))[0];

/** Finds each side's division and conference by the side's name, either today's or the one in that season. */
function align(teams: readonly TeamRow[], conferences: readonly Conference[]): Map<number, Alignment> {
  const byName = new Map<string, Alignment>();
  for (const { name: conference, teams: sides = [], divisions = [] } of conferences) {
    for (const name of sides) byName.set(name, { conference, division: null });
    for (const { name: division, teams: members } of divisions)
      for (const name of members) byName.set(name, { conference, division });
  }
  return new Map(
    teams.flatMap(({ id, name, current_name }) => {
      const found = byName.get(current_name) ?? byName.get(name);
      return found === undefined ? [] : [[id, found] as const];
    }),
  );
}
