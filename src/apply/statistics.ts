/**
 * Statistics of a match from several providers: each figure is the best-ranked provider's that gives it, the others fill in
 * what it lacks. What each has said is kept, so that the result does not depend on who came first, and a figure that a
 * provider takes back shows the next one's again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Precedence } from '../identity/precedence.ts';
import type { Blocks } from '../wire/match.ts';
import type { Provenance } from './provenance.ts';
import { sameJson } from './same-json.ts';
import type { BlockRow } from './store.ts';

type Statistic = NonNullable<Blocks['statistics']>[number];

/** The last that a provider has said: all its figures as JSON. */
interface Statement {
  provider: string;
  /** ms */
  at: number;
  json: string;
  /** Whether it is named as a source so far. */
  shown: boolean;
}

const BLOCK = 'statistics';
/** Key in a match's provenance under which a provider's statement stands. */
const PREFIX = `${BLOCK}/`;
const NONE = '[]';

/**
 * @param stored the block; its `source` has each provider's figures where more than one has given some, else they are the block
 * @param provenance when each has said it, and whether its figures are shown; noted here
 * @returns the row to be written, with whether it shows something else now; null: none, or the statement is late
 */
export function stepStatistics(
  precedence: Precedence,
  json: string,
  [provider, at]: [provider: string, observedAt: number],
  stored: BlockRow | undefined,
  provenance: Provenance,
): { row: Omit<BlockRow, 'match_id'>; differs: boolean } | null {
  const own = provenance[PREFIX + provider];
  if (own !== undefined && at < own[1]) return null;
  const held = statementsOf(stored, provenance);
  const others = held.filter((statement) => statement.provider !== provider);
  const said = held.find((statement) => statement.provider === provider);
  const rank = (name: string) => precedence.rankOf(name, BLOCK);
  const isOnly = others.every((other) => rank(other.provider) !== rank(provider));
  // Among different ranks the time of a repeated statement moves nothing.
  if (own !== undefined && said?.json === json && isOnly) {
    note(provenance, said, at);
    return null;
  }
  const statements = [...others, { provider, at, json, shown: said?.shown ?? false }];
  const merged = merge(statements.map((one) => ({ ...one, rank: rank(one.provider) })));
  for (const one of statements)
    note(provenance, { provider: one.provider, shown: merged.shown.has(one.provider) }, one.at);
  const told = statements.filter((statement) => statement.json !== NONE);
  const source =
    told.length > 1 ? Object.fromEntries(told.map((statement) => [statement.provider, statement.json])) : null;
  if (stored !== undefined && sameJson(stored.json, merged.json))
    return sameSource(stored.source, source)
      ? null
      : { row: { block: BLOCK, json: stored.json, source }, differs: false };
  return { row: { block: BLOCK, json: merged.json, source }, differs: true };
}

function note(provenance: Provenance, { provider, shown }: Pick<Statement, 'provider' | 'shown'>, at: number): void {
  provenance[PREFIX + provider] = shown ? [provider, at] : [provider, at, 'outranked'];
}

function statementsOf(stored: BlockRow | undefined, provenance: Provenance): Statement[] {
  return Object.entries(provenance)
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([, [provider, at, hidden]]) => {
      const shown = hidden === undefined;
      const json = stored?.source ? stored.source[provider] : shown ? stored?.json : undefined;
      return { provider, at, json: json ?? NONE, shown };
    });
}

/** Each says the same; spaces and the order of keys aside. */
function sameSource(a: Record<string, string> | null, b: Record<string, string> | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    Object.keys(a).length === Object.keys(b).length &&
    Object.entries(a).every(([provider, json]) => b[provider] !== undefined && sameJson(json, b[provider]))
  );
}

interface Figure {
  provider: string;
  rank: number;
  at: number;
  shown: boolean;
  /** More than one only where a provider gives a figure twice. */
  rows: Statistic[];
}

/** The block, and the providers whose figures it shows. */
function merge(statements: readonly (Statement & { rank: number })[]): { json: string; shown: Set<string> } {
  const ranked = statements
    // Not by time: two live feeds would otherwise take turns in the order of the figures.
    .toSorted((a, b) => a.rank - b.rank || Number(b.shown) - Number(a.shown) || (a.provider < b.provider ? -1 : 1));
  const given = ranked.filter(({ json }) => json !== NONE);
  if (given.length < 2) {
    const { provider, json } = given[0] ?? ranked[0]!;
    return { json, shown: new Set([provider]) };
  }
  const figures = new Map<string, Figure[]>();
  const layout: { key: string; group: string }[] = [];
  for (const { json, ...statement } of given) {
    const own = new Map<string, Statistic[]>();
    for (const row of JSON.parse(json) as Statistic[]) {
      const group = JSON.stringify([row.period, row.group_name]);
      const key = group + row.stat_name;
      own.set(key, [...(own.get(key) ?? []), row]);
      if (figures.has(key)) continue;
      figures.set(key, []);
      // Beside the others of its group.
      const beside = layout.findLastIndex((one) => one.group === group);
      layout.splice(beside === -1 ? layout.length : beside + 1, 0, { key, group });
    }
    for (const [key, rows] of own) figures.get(key)!.push({ ...statement, rows });
  }
  const shown = new Set<string>();
  const rows = layout.flatMap(({ key }) => {
    const [best, ...others] = figures.get(key)!;
    const equals = [best!, ...others.filter(({ rank }) => rank === best!.rank)];
    const newest = equals.reduce((one, other) => (other.at > one.at ? other : one));
    // An equal that says the same confirms it: the two do not take turns as its source.
    shown.add(equals.find((one) => isDeepStrictEqual(one.rows, newest.rows))!.provider);
    return newest.rows;
  });
  return { json: JSON.stringify(rows), shown };
}
