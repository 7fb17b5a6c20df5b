/**
 * Merges an update into blocks that contain our figures (expected goals and momentum). The figures are removed from the
 * stored blocks before the merge, and computed again after it. The merge therefore compares only providers' values.
 */
import {
  ADDED_BLOCKS,
  FIGURE_BLOCKS,
  type FigureBlock,
  type FigureBlocks,
  figuresVersion,
  hasExpectedGoals,
  MODELLED_SPORT,
  OWN_FIGURES_PROVIDER,
  withOwnFigures,
  withoutOwnFigures,
} from '../../expected-goals/own-figures.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { statusOf } from '../lead/claims.ts';
import { PLAYER_BLOCKS } from '../resolve/given-players.ts';
import { type BlockRow, parseList, type StoredBlocks, sameJson } from '../stored/blocks.ts';
import type { Entry, Provenance, ProvenanceDraft } from '../stored/provenance.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import { type BlockDraft, type BlockMerge, mergeBlocks } from './match-blocks.ts';
import { isStatement, statementKey } from './statistics.ts';

type Statistic = NonNullable<FigureBlocks['statistics']>[number];

/**
 * The provenance key for our figures in a match. The entry's time is the figures' version. The entry is hidden if we have no
 * figures for the match's shots.
 */
export const FIGURES_MARK = 'expected_goals';
/**
 * The provenance key for a block that consists of our figures. If the match has no figures from us, the entry is hidden, and
 * means that a provider gives expected goals in the block.
 */
const blockMark = (block: string): string => `${FIGURES_MARK}/${block}`;

export function hasOwnBlock(provenance: Provenance, block: string): boolean {
  const mark = provenance[blockMark(block)];
  return mark !== undefined && mark.hidden === undefined;
}

/** True if a provider gives expected goals in this block and the match has no figures from us. */
const hasGivenGoals = (provenance: Provenance, block: FigureBlock): boolean =>
  provenance[blockMark(block)]?.hidden !== undefined;

/** True if an update may change our figures. @param before the stored match, if there is one */
export function concernsFigures(
  update: MatchUpdate,
  before: Pick<StoredMatch, 'provenance' | 'status'> | null,
): boolean {
  const { match } = update;
  if (match.sport !== MODELLED_SPORT || !(match.shotmap || before?.provenance.shotmap)) return false;
  const status = statusOf(match);
  const ends = status !== undefined && (status === 'finished') !== (before?.status === 'finished');
  const given = FIGURE_BLOCKS.filter((block) => match[block] !== undefined);
  if (ends || given.length === 0 || before === null) return ends || given.length > 0;
  return !staysWithout(given, match, before.provenance) && !staysBeside(given, update, before.provenance);
}

/**
 * True if the match still gets no figures from us, because a provider gives expected goals in a block that the update does
 * not change.
 */
function staysWithout(given: readonly FigureBlock[], match: MatchUpdate['match'], before: Provenance): boolean {
  if (before[FIGURES_MARK]?.observedAt !== figuresVersion()) return false;
  const isSame = (block: FigureBlock) => {
    if (block === 'shotmap' || match[block] === null) return false;
    return hasExpectedGoals({ [block]: match[block] }) === hasGivenGoals(before, block);
  };
  return given.every(isSame) && FIGURE_BLOCKS.some((block) => !given.includes(block) && hasGivenGoals(before, block));
}

/**
 * True if our figures stay as they are, because they do not depend on the given blocks. They never depend on a provider's
 * momentum. If the match has only one provider, they do not depend on its statistics without expected goals either, because
 * our figure is added to these.
 */
function staysBeside(given: readonly FigureBlock[], { provider, match }: MatchUpdate, before: Provenance): boolean {
  const mark = before[FIGURES_MARK];
  if (mark?.observedAt !== figuresVersion() || mark.hidden !== undefined) return false;
  const { momentum, statistics } = match;
  const isBeside = (block: FigureBlock) => {
    if (hasOwnBlock(before, block)) return false;
    if (block === 'momentum') return momentum !== null;
    if (block !== 'statistics' || statistics == null || hasExpectedGoals({ statistics })) return false;
    return Object.keys(before).every((key) => !isStatement(key) || key === statementKey(provider));
  };
  return given.every(isBeside);
}

/** `mergeBlocks` for a match whose figures do not change. */
export function mergeBesideFigures(merge: BlockMerge): ReturnType<typeof mergeBlocks> {
  const row = merge.stored.get('statistics');
  const mark = merge.provenance[FIGURES_MARK];
  const keepsFigure = mark !== undefined && mark.hidden === undefined && merge.update.match.statistics !== undefined;
  if (!keepsFigure || row === undefined) return mergeBlocks(merge);
  const shown = parseList<Statistic>(row);
  const given = withoutOwnFigures({ statistics: shown }, []).statistics!;
  const stored = new Map(merge.stored).set('statistics', { ...row, json: JSON.stringify(given) });
  const merged = mergeBlocks({ ...merge, stored });
  const written = merged.blocks.rows.find(({ block }) => block === 'statistics');
  const own = shown.filter((one) => !given.includes(one));
  if (written !== undefined) written.json = JSON.stringify([...own, ...parseList(written)]);
  return merged;
}

/** `mergeBlocks` for a match whose figures may change. @param isOver whether the match has ended after the update */
export function mergeWithFigures(merge: BlockMerge, isOver: boolean): ReturnType<typeof mergeBlocks> {
  const { plain, provenance: given } = withoutFigures(merge.stored, merge.provenance);
  const stored = new Map(merge.stored);
  for (const block of FIGURE_BLOCKS) {
    const row = stored.get(block);
    if (row === undefined || merge.update.match[block] === undefined) continue;
    if (plain[block] === undefined) stored.delete(block);
    else stored.set(block, { ...row, json: JSON.stringify(plain[block]) });
  }
  const { blocks, provenance } = mergeBlocks({ ...merge, stored, provenance: given });
  return addFigures({ stored: merge.stored, plain, blocks, provenance, isOver });
}

/** Returns a stored match's figures, computed by the present rules. The blocks in `FIGURE_BLOCKS` must be loaded. */
export function refreshFigures(
  stored: StoredBlocks,
  { provenance, status }: Pick<StoredMatch, 'provenance' | 'status'>,
  blocks: BlockDraft,
): ReturnType<typeof mergeBlocks> {
  return addFigures({ stored, ...withoutFigures(stored, provenance), blocks, isOver: status === 'finished' });
}

/** Returns the blocks and the provenance as providers gave them, without our figures. */
function withoutFigures(stored: StoredBlocks, marked: Provenance): { plain: FigureBlocks; provenance: Provenance } {
  const mark = marked[FIGURES_MARK];
  const shown = parse(stored);
  if (mark === undefined) return { plain: shown, provenance: marked };
  const provenance = Object.fromEntries(
    Object.entries(marked).filter(([key]) => key !== FIGURES_MARK && !key.startsWith(blockMark(''))),
  );
  if (mark.hidden !== undefined) return { plain: shown, provenance };
  const added = ADDED_BLOCKS.filter((block) => hasOwnBlock(marked, block));
  return { plain: withoutOwnFigures(shown, added), provenance };
}

const parse = (blocks: ReadonlyMap<string, Pick<BlockRow, 'json'>>): FigureBlocks =>
  Object.fromEntries(
    FIGURE_BLOCKS.flatMap((block) => {
      const row = blocks.get(block);
      return row === undefined ? [] : [[block, JSON.parse(row.json)]];
    }),
  );

interface Merged {
  /** The stored blocks, with figures. */
  stored: StoredBlocks;
  /** The values that providers have given in these blocks. */
  plain: FigureBlocks;
  /** The changes to the blocks without figures, updated here. */
  blocks: BlockDraft;
  provenance: Provenance;
  isOver: boolean;
}

function addFigures({ stored, plain, blocks, provenance, isOver }: Merged): ReturnType<typeof mergeBlocks> {
  const rows = new Map(blocks.rows.map((row) => [row.block, row]));
  const given: FigureBlocks = { ...plain, ...parse(rows) };
  for (const block of FIGURE_BLOCKS) if (blocks.removed.includes(block)) delete given[block];
  const own = withOwnFigures(given, isOver);
  const shownMark: Entry = { provider: OWN_FIGURES_PROVIDER, observedAt: figuresVersion() };
  const hiddenMark: Entry = { ...shownMark, hidden: 'none' };
  const marks: ProvenanceDraft = { [FIGURES_MARK]: own ? shownMark : hiddenMark };
  for (const block of own?.added ?? []) marks[blockMark(block)] = shownMark;
  if (own === null)
    for (const block of FIGURE_BLOCKS)
      if (hasExpectedGoals({ [block]: given[block] })) marks[blockMark(block)] = hiddenMark;
  const shown = own?.blocks ?? given;
  for (const block of FIGURE_BLOCKS)
    writeBlock(
      block,
      shown[block] && JSON.stringify(shown[block]),
      stored.get(block),
      plain[block] !== undefined,
      blocks,
    );
  return { blocks, provenance: { ...provenance, ...marks } };
}

/** Replaces a block's changes, which were found without figures, with the changes including figures. */
function writeBlock(
  block: FigureBlock,
  json: string | undefined,
  before: BlockRow | undefined,
  wasGiven: boolean,
  blocks: BlockDraft,
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
  // If a player block only gets new figures, the names stay, with the links.
  else if (!isSame && before !== undefined && PLAYER_BLOCKS.some((one) => one === block))
    blocks.relinked.push({ block, json });
  else if (!isSame) blocks.rows.push({ block, json, source: (wasGiven && before?.source) || null });
}
