/**
 * Merges an update into blocks that hold figures of our own (expected goals and momentum): they are taken out of the stored
 * blocks, and computed again from the merged ones. A merge therefore compares what providers gave with what they gave before.
 */
import {
  ADDED_BLOCKS,
  FIGURE_BLOCKS,
  type FigureBlock,
  type FigureBlocks,
  figuresVersion,
  MODELLED_SPORT,
  OWN_FIGURES_PROVIDER,
  withOwnFigures,
  withoutOwnFigures,
} from '../../expected-goals/own-figures.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { statusOf } from '../lead/claims.ts';
import type { Provenance } from '../provenance.ts';
import type { BlockRow, StoredMatch } from '../write/store.ts';
import { PLAYER_BLOCKS } from './given-players.ts';
import { type BlockChanges, type BlockMerge, mergeBlocks, type StoredBlocks } from './match-blocks.ts';
import { sameJson } from './same-json.ts';

/**
 * The key of the figures in a match's provenance; its time is the version of the figures. It is hidden in a match whose shots
 * have no figures of ours.
 */
const MARK = 'expected_goals';
/** The key of a block that holds our figures alone. */
const blockMark = (block: string): string => `${MARK}/${block}`;

export const hasOwnBlock = (provenance: Provenance, block: string): boolean => blockMark(block) in provenance;

/** Whether our figures may change by an update. @param before the stored match, if there is one */
export function concernsFigures(
  { match }: MatchUpdate,
  before: Pick<StoredMatch, 'provenance' | 'status'> | null,
): boolean {
  if (match.sport !== MODELLED_SPORT || !(match.shotmap || before?.provenance.shotmap)) return false;
  const status = statusOf(match);
  const ends = status !== undefined && (status === 'finished') !== (before?.status === 'finished');
  return ends || FIGURE_BLOCKS.some((block) => match[block] !== undefined);
}

/** `mergeBlocks` for a match whose figures may change. @param isOver whether the match has ended after the update */
export function mergeWithFigures(merge: BlockMerge, isOver: boolean): ReturnType<typeof mergeBlocks> {
  const given = withoutFigures(merge.stored, merge.provenance);
  const { blocks, provenance } = mergeBlocks({ ...merge, ...given });
  return addFigures({ actual: merge.stored, given: given.stored, blocks, provenance, isOver });
}

/** Returns the figures of a stored match as they are by the present rules; it needs its `FIGURE_BLOCKS`. */
export function refreshFigures(
  stored: StoredBlocks,
  { provenance, status }: Pick<StoredMatch, 'provenance' | 'status'>,
  blocks: BlockChanges,
): ReturnType<typeof mergeBlocks> {
  const given = withoutFigures(stored, provenance);
  const isOver = status === 'finished';
  return addFigures({ actual: stored, given: given.stored, blocks, provenance: given.provenance, isOver });
}

/** Returns the blocks and the provenance as providers gave them. */
function withoutFigures(stored: StoredBlocks, marked: Provenance): { stored: StoredBlocks; provenance: Provenance } {
  const mark = marked[MARK];
  if (mark === undefined) return { stored, provenance: marked };
  const provenance = Object.fromEntries(
    Object.entries(marked).filter(([key]) => key !== MARK && !key.startsWith(blockMark(''))),
  );
  if (mark[2] !== undefined) return { stored, provenance };
  const added = ADDED_BLOCKS.filter((block) => hasOwnBlock(marked, block));
  const plain = withoutOwnFigures(parse(stored), added);
  const rows = new Map<string, BlockRow>();
  for (const [name, row] of stored) {
    const block = FIGURE_BLOCKS.find((one) => one === name);
    if (block === undefined) rows.set(name, row);
    else if (plain[block] !== undefined) rows.set(name, { ...row, json: JSON.stringify(plain[block]) });
  }
  return { stored: rows, provenance };
}

const parse = (blocks: ReadonlyMap<string, Pick<BlockRow, 'json'>>): FigureBlocks =>
  Object.fromEntries(
    FIGURE_BLOCKS.flatMap((block) => {
      const row = blocks.get(block);
      return row === undefined ? [] : [[block, JSON.parse(row.json)]];
    }),
  );

interface Merged {
  /** The stored blocks with figures, and without them. */
  actual: StoredBlocks;
  given: StoredBlocks;
  /** The difference between the blocks without figures; changed here. */
  blocks: BlockChanges;
  provenance: Provenance;
  isOver: boolean;
}

function addFigures({ actual, given, blocks, provenance, isOver }: Merged): ReturnType<typeof mergeBlocks> {
  const merged = new Map<string, Pick<BlockRow, 'json' | 'source'>>(given);
  for (const block of blocks.removed) merged.delete(block);
  for (const row of blocks.rows) merged.set(row.block, row);
  const plain = parse(merged);
  const own = withOwnFigures(plain, isOver);
  const version = figuresVersion();
  const marks: Provenance = { [MARK]: own ? [OWN_FIGURES_PROVIDER, version] : [OWN_FIGURES_PROVIDER, version, 'none'] };
  for (const block of own?.added ?? []) marks[blockMark(block)] = [OWN_FIGURES_PROVIDER, version];
  const shown = own?.blocks ?? plain;
  for (const block of FIGURE_BLOCKS)
    writeBlock(block, shown[block] && JSON.stringify(shown[block]), actual.get(block), merged.get(block), blocks);
  return { blocks, provenance: { ...provenance, ...marks } };
}

/** Corrects the changes of a block, which compare it without figures. */
function writeBlock(
  block: FigureBlock,
  json: string | undefined,
  before: BlockRow | undefined,
  merged: Pick<BlockRow, 'source'> | undefined,
  blocks: BlockChanges,
): void {
  blocks.removed = blocks.removed.filter((name) => name !== block);
  const isSame = json === undefined ? before === undefined : before !== undefined && sameJson(before.json, json);
  if (isSame) blocks.changed.delete(block);
  else blocks.changed.add(block);
  if (json === undefined) {
    if (before !== undefined) blocks.removed.push(block);
    return;
  }
  const row = blocks.rows.find((one) => one.block === block);
  if (row !== undefined) row.json = json;
  // The names in a block of players that only gets other figures stay, with their links.
  else if (!isSame && before !== undefined && (PLAYER_BLOCKS as readonly string[]).includes(block))
    blocks.relinked.push({ block, json });
  else if (!isSame) blocks.rows.push({ block, json, source: merged?.source ?? null });
}
