/** Simulates the groups into which a league is divided after the regular season. */
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import {
  carriedBy,
  computeTable,
  meetingsWithin,
  missingFixtures,
  type Ranked,
  type Result,
  type SeasonPlan,
  toResults,
} from '../../competitions/index.ts';
import { createDraw } from './fixtures.ts';
import type { SamplerFor } from './score-sampler.ts';

/**
 * Plays the groups that follow a regular season. The fixtures are the listed matches, and those that the rules demand in addition.
 * @param ranked the sides after the regular season, best first
 * @param regular regular season results
 * @param lots the order by lot, for sides that are level after every tie-break
 * @param random null for a season whose matches have all been played
 * @returns all side ids, best first; a side without a group keeps its place
 */
export function playDivision(
  { rules, division, tables, isEnded }: SeasonPlan,
  ranked: readonly Ranked[],
  regular: readonly Result[],
  { lots, random, samplerFor }: { lots: readonly number[]; random: RandomGenerator; samplerFor: SamplerFor | null },
): number[] {
  const { split } = division!;
  const { adjustments, playOffs } = tables[0].extras;
  const ranking = ranked.map(({ team, points }) => ({ team, points, adjustment: adjustments.get(team) ?? 0 }));
  const lotNames = new Map(lots.map((team, index) => [team, String(index).padStart(4, '0')]));
  const final = ranked.map(({ team }) => team);
  for (const group of split.groups) {
    const { sides, played, fixtures } = groupMatches({ rules, division, isEnded }, ranked, group);
    const { results, draw } = createDraw(fixtures, samplerFor);
    draw(random);
    const table = computeTable(
      [...sides].map((id) => ({ id, name: lotNames.get(id)! })),
      [...(group.results ? regular.filter(({ team }) => sides.has(team)) : []), ...played, ...results],
      group.tie_breaks ? { ...rules, tie_breaks: group.tie_breaks } : rules,
      { carried: carriedBy(sides, ranking, group), playOffs },
    );
    const places = group.places.filter((place) => place <= ranked.length).toSorted((a, b) => a - b);
    for (const [index, place] of places.entries()) final[place - 1] = table[index]!.team;
  }
  return final;
}

/** Returns a group's sides, played matches and fixtures. @param ranked the sides after the regular season, best first */
export function groupMatches(
  { rules, division, isEnded }: Pick<SeasonPlan, 'rules' | 'division' | 'isEnded'>,
  ranked: readonly Ranked[],
  group: NonNullable<SeasonPlan['division']>['split']['groups'][number],
) {
  const sides = new Set(group.places.flatMap((place) => ranked[place - 1]?.team ?? []));
  const listed = meetingsWithin(sides, division!.later, group).filter(
    ({ counted, abandoned }) => counted || !abandoned,
  );
  const toPlay = listed.filter(({ counted }) => !counted);
  const known = toPlay.map(({ home_id: home, away_id: away }) => ({ home, away, neutral: false }));
  const missing = missingFixtures([...sides], listed, group.meetings).fixtures;
  return {
    sides,
    played: listed.flatMap((match) => toResults(match, rules)),
    fixtures: isEnded ? [] : [...known, ...missing],
  };
}
