/**
 * The block `win_probability` of a match for which no provider gives one: it follows from the rates that were stored before the
 * start, and changes within the update that changes the score.
 */
import type { Queryable } from '../../db/postgres.ts';
import { IN_PLAY_SPORTS, inPlayParameters } from '../../in-play/parameters.ts';
import { toWinProbability, type WinProbability } from '../../in-play/percent.ts';
import { MatchProbabilities } from '../../in-play/probabilities.ts';
import { areCurrent, type MatchRates, matchRates } from '../../in-play/rates.ts';
import { readSituation } from '../../in-play/situation.ts';
import type { Incident } from '../../wire/match.ts';
import { loadBlocks, parseList, type StoredBlocks, sameJson } from '../stored/blocks.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { MatchChange } from './match-change.ts';

const BLOCK = 'win_probability';
/** Names the block of the service in the provenance: beside the group of the block, any provider's block replaces it. */
const GROUP = 'win_probability_model';
const OWNER = 'touchline-model';
/** The rates may be stored at any time: the block has no time of observation. */
const NO_TIME = 0;

/** Blocks that decide about the block. */
const NEEDED = ['incidents', BLOCK];

/** Adds the block to changes of stored matches that have rates. Their parts are what the update has made of them. */
export async function addWinProbabilities(client: Queryable, changes: readonly MatchChange[]): Promise<void> {
  const affected = changes.filter(
    (change) =>
      change.effect === 'update' &&
      change.before !== null &&
      IN_PLAY_SPORTS.includes(change.after!.sport) &&
      !keepsValue(change),
  );
  const rates = await matchRates(
    client,
    affected.map(({ before }) => before!.id),
  );
  const stored = await loadBlocks(client, [...rates.keys()], NEEDED);
  for (const change of affected) {
    const { id } = change.before!;
    const found = rates.get(id);
    if (found !== undefined) addWinProbability(change, found, stored.get(id) ?? new Map());
  }
}

/** Whether the match has our block, and what it is computed from has not changed. */
const keepsValue = ({ changedProvenance, after, blocks }: MatchChange): boolean =>
  changedProvenance !== null &&
  after!.provenance[GROUP] !== undefined &&
  !NEEDED.some((block) => blocks.changed.has(block));

/** @param change of a stored match @param stored its blocks `incidents` and `win_probability`, before the change */
function addWinProbability(change: MatchChange, rates: MatchRates, stored: StoredBlocks): void {
  const { blocks } = change;
  const after = change.after!;
  const former = stored.get(BLOCK);
  const isGiven = blocks.rows.some(({ block }) => block === BLOCK);
  const isGone = blocks.removed.includes(BLOCK);
  const wasOurs = after.provenance[GROUP] !== undefined;
  if (isGiven || (former !== undefined && !wasOurs && !isGone)) {
    if (wasOurs) disown(change);
    return;
  }
  const incidents = blocks.incidents?.incidents ?? parseList<Incident>(stored.get('incidents'));
  const value = areCurrent(rates, after) ? winProbability(after, incidents, rates) : null;
  if (value === null) {
    if (!wasOurs) return;
    if (former !== undefined) {
      blocks.removed.push(BLOCK);
      blocks.changed.add(BLOCK);
    }
    disown(change);
    return;
  }
  change.winProbability = value;
  const json = JSON.stringify(value);
  if (isGone) blocks.removed = blocks.removed.filter((block) => block !== BLOCK);
  if (!wasOurs) own(change);
  if (former !== undefined && sameJson(former.json, json)) return;
  blocks.rows.push({ block: BLOCK, json, source: null });
  blocks.changed.add(BLOCK);
}

function winProbability(match: MatchState, incidents: readonly Incident[], rates: MatchRates): WinProbability | null {
  const parameters = inPlayParameters();
  const situation = readSituation({ ...match, period_scores: match.period_scores ?? [], incidents }, parameters);
  const chances = new MatchProbabilities(rates.expected, parameters).result(situation);
  return chances && toWinProbability(chances);
}

/** The sources of the card change with the owner. */
function own(change: MatchChange): void {
  const entry: [string, number] = [OWNER, NO_TIME];
  change.after!.provenance = { ...change.after!.provenance, [GROUP]: entry };
  if (change.changedProvenance !== null) change.changedProvenance = { ...change.changedProvenance, [GROUP]: entry };
  change.hasSameCard = false;
}

function disown(change: MatchChange): void {
  const { [GROUP]: _ours, ...others } = change.after!.provenance;
  change.after!.provenance = others;
  // A group that is gone is written with the whole row.
  change.changedProvenance = null;
  change.hasSameCard = false;
}
