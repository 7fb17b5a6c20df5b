/**
 * Computes the `win_probability` block if no provider gives one for the match. In football the block is computed from rates that were
 * stored before the start, and in cricket from earlier matches. It changes in the same update as the score.
 */
import type { Queryable } from '../../db/postgres.ts';
import {
  areCurrent,
  type BySide,
  expectRuns,
  IN_PLAY_SPORTS,
  INNINGS_SPORTS,
  inningsChances,
  inningsParameters,
  inPlayParameters,
  MatchProbabilities,
  type MatchRates,
  matchRates,
  readSituation,
  toWinProbability,
  type WinProbability,
} from '../../in-play/index.ts';
import type { Innings } from '../../wire/innings.ts';
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
const NEEDED = ['incidents', 'innings', BLOCK];

/**
 * Returns the changes with our block added, replaced or removed, for stored matches that have rates, and for cricket. Everything else in
 * the changes stays the same.
 */
export async function withWinProbabilities<C extends MatchChange>(
  client: Queryable,
  changes: readonly C[],
): Promise<C[]> {
  const rates = await matchRates(client, affected(changes, IN_PLAY_SPORTS));
  const runs = await expectRuns(client, affected(changes.filter(isPlayed), INNINGS_SPORTS));
  if (rates.size + runs.size === 0) return [...changes];
  const stored = await loadBlocks(client, [...rates.keys(), ...runs.keys()], NEEDED);
  return changes.map((change) => {
    const { before, after } = change;
    if (before === null || after === null) return change;
    const [found, expected] = [rates.get(before.id), runs.get(before.id)];
    const blocks: StoredBlocks = stored.get(before.id) ?? new Map();
    if (found !== undefined)
      return withWinProbability(change, after, () => byGoals(change, after, found, blocks), blocks);
    if (expected === undefined) return change;
    return withWinProbability(change, after, () => byInnings(change, after, expected, blocks), blocks);
  });
}

/** Returns the ids of the stored matches in these sports whose block may change. */
const affected = (changes: readonly MatchChange[], sports: readonly string[]): number[] =>
  changes.flatMap((change) => {
    const { effect, before, after } = change;
    if (effect !== 'update' || before === null || after === null) return [];
    return sports.includes(after.sport) && !keepsValue(change) ? [before.id] : [];
  });

/** An import of finished matches gets no block, since it would say only who has won. */
const isPlayed = ({ after }: MatchChange): boolean =>
  after?.status === 'live' || after?.provenance[GROUP] !== undefined;

/** True if the match has our block, and the block's input has not changed. */
const keepsValue = ({ changedProvenance, after, blocks }: MatchChange): boolean =>
  changedProvenance !== null &&
  after?.provenance[GROUP] !== undefined &&
  !NEEDED.some((block) => blocks.changed.has(block));

/**
 * Returns one change with our block added, replaced or removed.
 * @param change a stored match's change
 * @param compute returns null if there is no value
 * @param stored the match's blocks, before the change
 */
function withWinProbability<C extends MatchChange>(
  change: C,
  after: StoredMatch,
  compute: () => WinProbability | null,
  stored: StoredBlocks,
): C {
  const { blocks } = change;
  const former = stored.get(BLOCK);
  const isGiven = blocks.rows.some(({ block }) => block === BLOCK);
  const isGone = blocks.removed.includes(BLOCK);
  const wasOurs = after.provenance[GROUP] !== undefined;
  if (isGiven || (former !== undefined && !wasOurs && !isGone)) return wasOurs ? disowned(change, after) : change;
  const value = compute();
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

function byGoals(
  { blocks }: MatchChange,
  match: MatchState,
  rates: MatchRates,
  stored: StoredBlocks,
): WinProbability | null {
  if (!areCurrent(rates, match)) return null;
  const incidents = blocks.incidents?.incidents ?? parseList<Incident>(stored.get('incidents'));
  const parameters = inPlayParameters();
  const situation = readSituation({ ...match, period_scores: match.period_scores ?? [], incidents }, parameters);
  const chances = new MatchProbabilities(rates.expected, parameters).result(situation);
  return chances && toWinProbability(chances);
}

function byInnings(
  { blocks }: MatchChange,
  match: MatchState,
  expected: BySide,
  stored: StoredBlocks,
): WinProbability | null {
  const isGone = blocks.removed.includes('innings');
  const changed = blocks.rows.find(({ block }) => block === 'innings') ?? stored.get('innings');
  const innings = parseList<Innings>(isGone ? undefined : changed);
  const chances = inningsChances(
    { ...match, period_scores: match.period_scores ?? [], innings },
    expected,
    inningsParameters(),
  );
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
