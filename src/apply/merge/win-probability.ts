/**
 * Computes the `win_probability` block if no provider gives one for the match. The block is computed from rates that were
 * stored before the start, and changes in the same update as the score.
 */
import type { Queryable } from '../../db/postgres.ts';
import {
  areCurrent,
  IN_PLAY_SPORTS,
  inPlayParameters,
  MatchProbabilities,
  type MatchRates,
  matchRates,
  readSituation,
  toWinProbability,
  type WinProbability,
} from '../../in-play/index.ts';
import type { Incident } from '../../wire/match.ts';
import { loadBlocks, parseList, type StoredBlocks, sameJson } from '../stored/blocks.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchChange } from './match-change.ts';

const BLOCK = 'win_probability';
/** The provenance group for our block. It is not the group for providers' blocks, so any provider's block replaces ours. */
const GROUP = 'win_probability_model';
const OWNER = 'touchline-model';
/** Our block has no observation time, because the rates may be stored at any time. */
const NO_TIME = 0;

/** Blocks that the computation needs. */
const NEEDED = ['incidents', BLOCK];

/**
 * Returns the changes with our block added, replaced or removed, for stored matches that have rates. Everything else in the
 * changes stays the same.
 */
export async function withWinProbabilities<C extends MatchChange>(
  client: Queryable,
  changes: readonly C[],
): Promise<C[]> {
  const affected = changes.flatMap((change) => {
    const { effect, before, after } = change;
    if (effect !== 'update' || before === null || after === null) return [];
    return IN_PLAY_SPORTS.includes(after.sport) && !keepsValue(change) ? [before.id] : [];
  });
  const rates = await matchRates(client, affected);
  if (rates.size === 0) return [...changes];
  const stored = await loadBlocks(client, [...rates.keys()], NEEDED);
  return changes.map((change) => {
    const { before, after } = change;
    const found = before === null ? undefined : rates.get(before.id);
    if (before === null || after === null || found === undefined) return change;
    return withWinProbability(change, after, found, stored.get(before.id) ?? new Map());
  });
}

/** True if the match has our block, and the block's input has not changed. */
const keepsValue = ({ changedProvenance, after, blocks }: MatchChange): boolean =>
  changedProvenance !== null &&
  after?.provenance[GROUP] !== undefined &&
  !NEEDED.some((block) => blocks.changed.has(block));

/**
 * Returns one change with our block added, replaced or removed.
 * @param change a stored match's change
 * @param stored the match's blocks `incidents` and `win_probability`, before the change
 */
function withWinProbability<C extends MatchChange>(
  change: C,
  after: StoredMatch,
  rates: MatchRates,
  stored: StoredBlocks,
): C {
  const { blocks } = change;
  const former = stored.get(BLOCK);
  const isGiven = blocks.rows.some(({ block }) => block === BLOCK);
  const isGone = blocks.removed.includes(BLOCK);
  const wasOurs = after.provenance[GROUP] !== undefined;
  if (isGiven || (former !== undefined && !wasOurs && !isGone)) return wasOurs ? disowned(change, after) : change;
  const incidents = blocks.incidents?.incidents ?? parseList<Incident>(stored.get('incidents'));
  const value = areCurrent(rates, after) ? winProbability(after, incidents, rates) : null;
  const changed = new Set([...blocks.changed, BLOCK]);
  if (value === null) {
    if (!wasOurs) return change;
    const removed = { ...blocks, removed: [...blocks.removed, BLOCK], changed };
    return disowned(former === undefined ? change : { ...change, blocks: removed }, after);
  }
  const json = JSON.stringify(value);
  const isSame = former !== undefined && sameJson(former.json, json);
  const written = {
    ...blocks,
    removed: isGone ? blocks.removed.filter((block) => block !== BLOCK) : blocks.removed,
    ...(!isSame && { rows: [...blocks.rows, { block: BLOCK, json, source: null }], changed }),
  };
  const next = { ...change, winProbability: value, blocks: written };
  return wasOurs ? next : owned(next, after);
}

function winProbability(match: MatchState, incidents: readonly Incident[], rates: MatchRates): WinProbability | null {
  const parameters = inPlayParameters();
  const situation = readSituation({ ...match, period_scores: match.period_scores ?? [], incidents }, parameters);
  const chances = new MatchProbabilities(rates.expected, parameters).result(situation);
  return chances && toWinProbability(chances);
}

/** Adds the provenance entry for our block. The card is rendered again, because it lists the sources. */
function owned<C extends MatchChange>(change: C, after: StoredMatch): C {
  const entry = { [GROUP]: { provider: OWNER, observedAt: NO_TIME } };
  return {
    ...change,
    after: { ...after, provenance: { ...after.provenance, ...entry } },
    changedProvenance: change.changedProvenance && { ...change.changedProvenance, ...entry },
    hasSameCard: false,
  };
}

function disowned<C extends MatchChange>(change: C, after: StoredMatch): C {
  const { [GROUP]: _ours, ...provenance } = after.provenance;
  // To remove a group, the whole row must be written.
  return { ...change, after: { ...after, provenance }, changedProvenance: null, hasSameCard: false };
}
