/**
 * Merges a match's statistics from several providers. Each figure comes from the best-ranked provider that gives it, and
 * lower-ranked providers fill in what is missing. Every provider's figures are stored, so the result does not depend on the
 * order of arrival. If a provider removes a figure, the next provider's figure replaces it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Precedence } from '../../identity/precedence.ts';
import type { Blocks } from '../../wire/match.ts';
import { type BlockRow, parseList, sameJson } from '../stored/blocks.ts';
import type { Entry, Provenance, ProvenanceDraft } from '../stored/provenance.ts';

type Statistic = NonNullable<Blocks['statistics']>[number];

/** A provider's newest figures, as JSON. */
interface Statement {
  provider: string;
  /** ms */
  at: number;
  json: string;
  /** True if the card names the provider as a source. */
  shown: boolean;
}

const BLOCK = 'statistics';
/** Prefix of the keys in a match's provenance. Each provider's statement has one key. */
const PREFIX = `${BLOCK}/`;
/** Returns the key for a provider's statement in a match's provenance. */
export const statementKey = (provider: string): string => PREFIX + provider;
export const isStatement = (key: string): boolean => key.startsWith(PREFIX);
const NONE = '[]';

/**
 * Merges a provider's figures into the block.
 * @param stored the block; `source` has each provider's figures if several providers have given figures, otherwise the block
 * itself has them
 * @param provenance the time of each provider's figures, and whether they are shown; updated here
 * @returns the row to write, and whether the shown figures have changed; null if no row is written, or if the provider has
 * already given newer figures
 */
export function mergeStatistics(
  precedence: Precedence,
  json: string,
  { provider, observedAt: at }: Pick<Entry, 'provider' | 'observedAt'>,
  stored: BlockRow | undefined,
  provenance: ProvenanceDraft,
): { row: Omit<BlockRow, 'match_id'>; differs: boolean } | null {
  const own = provenance[statementKey(provider)];
  if (own !== undefined && at < own.observedAt) return null;
  const all = storedStatements(stored, provenance);
  const others = all.filter((statement) => statement.provider !== provider);
  const former = all.find((statement) => statement.provider === provider);
  const rank = (name: string) => precedence.rankOf(name, BLOCK);
  // If only one provider has given figures, repeated figures need no merge. With several providers, their order may have changed.
  if (own !== undefined && former?.json === json && others.length === 0) {
    record(provenance, former, at);
    return null;
  }
  const statements = [...others, { provider, at, json, shown: former?.shown ?? false }];
  const merged = merge(statements.map((one) => ({ ...one, rank: rank(one.provider) })));
  for (const one of statements)
    record(provenance, { provider: one.provider, shown: merged.shown.has(one.provider) }, one.at);
  const given = statements.filter((statement) => statement.json !== NONE);
  const source =
    given.length > 1 ? Object.fromEntries(given.map((statement) => [statement.provider, statement.json])) : null;
  if (stored !== undefined && sameJson(stored.json, merged.json))
    return sameSource(stored.source, source)
      ? null
      : { row: { block: BLOCK, json: stored.json, source }, differs: false };
  return { row: { block: BLOCK, json: merged.json, source }, differs: true };
}

function record(
  provenance: ProvenanceDraft,
  { provider, shown }: Pick<Statement, 'provider' | 'shown'>,
  at: number,
): void {
  provenance[statementKey(provider)] = shown
    ? { provider, observedAt: at }
    : { provider, observedAt: at, hidden: 'outranked' };
}

function storedStatements(stored: BlockRow | undefined, provenance: Provenance): Statement[] {
  return Object.entries(provenance)
    .filter(([key]) => isStatement(key))
    .map(([, { provider, observedAt: at, hidden }]) => {
      const shown = hidden === undefined;
      const json = stored?.source ? stored.source[provider] : shown ? stored?.json : undefined;
      return { provider, at, json: json ?? NONE, shown };
    });
}

/** True if both have the same figures from every provider, ignoring white space and key order. */
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
  /** The figure's rows. There is more than one only if a provider gives the figure twice. */
  rows: Statistic[];
}

/** Returns the block, and the providers whose figures it shows. */
function merge(statements: readonly (Statement & { rank: number })[]): { json: string; shown: Set<string> } {
  const ranked = statements
    // Not by time, otherwise the order would change with each update from two live feeds.
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
    for (const row of parseList<Statistic>({ json })) {
      const group = JSON.stringify([row.period, row.group_name]);
      const key = group + row.stat_name;
      own.set(key, [...(own.get(key) ?? []), row]);
      if (figures.has(key)) continue;
      figures.set(key, []);
      // A new figure goes last in its group.
      const last = layout.findLastIndex((one) => one.group === group);
      layout.splice(last === -1 ? layout.length : last + 1, 0, { key, group });
    }
    for (const [key, rows] of own) figures.get(key)!.push({ ...statement, rows });
  }
  const shown = new Set<string>();
  const rows = layout.flatMap(({ key }) => {
    const [best, ...others] = figures.get(key)!;
    const equals = [best!, ...others.filter(({ rank }) => rank === best!.rank)];
    const newest = equals.reduce((one, other) => (other.at > one.at ? other : one));
    // If an equally ranked provider gives the same figure, the first provider stays the source. Otherwise the source would alternate.
    shown.add(equals.find((one) => isDeepStrictEqual(one.rows, newest.rows))!.provider);
    return newest.rows;
  });
  return { json: JSON.stringify(rows), shown };
}
