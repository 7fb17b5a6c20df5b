/**
 * From a match's shot map, computes momentum, and expected goals for shots, sides and players. If a provider gives any expected goals, the
 * match stays as it is, so that two models are never mixed. The figures are stored in the match's blocks, and are removed before an update
 * is merged. Pure.
 */
import { createHash } from 'node:crypto';
import type { Blocks } from '../wire/match.ts';
import { shotMomentum } from './momentum.ts';
import { isAttempt, letters, type Shot } from './shot-features.ts';
import { expectedGoals, shippedModel } from './shot-model.ts';

/** The name of these figures' provider in a match's provenance and in the attribution list. */
export const OWN_FIGURES_PROVIDER = 'touchline-xg';
/** The sport whose shots are modelled. */
export const MODELLED_SPORT = 'football';

/** Blocks from which the figures are computed, or to which they are added. */
export const FIGURE_BLOCKS = ['shotmap', 'statistics', 'player_stats', 'momentum'] as const;
export type FigureBlock = (typeof FIGURE_BLOCKS)[number];
export type FigureBlocks = Pick<Blocks, FigureBlock>;
/** Blocks that are created if the match does not have them. */
export const ADDED_BLOCKS = ['statistics', 'player_stats', 'momentum'] as const satisfies readonly FigureBlock[];
export type AddedBlock = (typeof ADDED_BLOCKS)[number];

/** Increase this number when the rules in this folder change. All stored figures are then computed again. */
const RULES = 1;

let version: number | undefined;
/** Returns a number that identifies the rules and coefficients. It is stored with the figures. */
export function figuresVersion(): number {
  version ??= createHash('sha256')
    .update(JSON.stringify([RULES, shippedModel()]))
    .digest()
    .readUIntBE(0, 6);
  return version;
}

const EXPECTED_GOALS = 'Expected goals';
const GROUP = 'Match overview';
const PLAYER_FIGURE = 'expected_goals';
const DECIMALS = 2;
const rounded = (value: number): number => Number(value.toFixed(DECIMALS));

/** FiveThirtyEight's figures do not count as a provider's expected goals, since their names say whose model it is. */
const NAMES_ITS_MODEL = /\(FiveThirtyEight\)$/u;
const isExpectedGoals = (name: string): boolean =>
  !NAMES_ITS_MODEL.test(name) && /^(np)?xg|expectedgoals/u.test(letters(name));

/** True if a provider's blocks have expected goals. */
export const hasExpectedGoals = ({ shotmap, statistics, player_stats }: FigureBlocks): boolean =>
  (shotmap ?? []).some(({ xg }) => xg !== null) ||
  (statistics ?? []).some(({ stat_name }) => isExpectedGoals(stat_name)) ||
  (player_stats ?? []).some(({ stats }) => Object.keys(stats).some(isExpectedGoals));

/**
 * Returns copies of the blocks with our figures, and lists the blocks that were created. If any shot has no coordinates, sums would be too
 * low, so only the shots with coordinates get expected goals, and no sums are added.
 * @param blocks as the providers give them
 * @param isOver whether the match has ended
 * @returns null if a provider gives expected goals, or if they cannot be computed for any shot
 */
export function withOwnFigures(
  blocks: FigureBlocks,
  isOver: boolean,
): { blocks: FigureBlocks; added: AddedBlock[] } | null {
  const shots = blocks.shotmap ?? [];
  if (hasExpectedGoals(blocks)) return null;
  const expected = expectedGoals(shots);
  if (expected.every((xg) => xg === null)) return null;
  const filled = shots.map((shot, position) => ({ ...shot, xg: expected[position] ?? null }));
  if (filled.some((shot) => shot.xg === null && isAttempt(shot)))
    return { blocks: { ...blocks, shotmap: filled }, added: [] };
  const momentum = blocks.momentum ?? shotMomentum(shots, expected, isOver) ?? undefined;
  const figures: FigureBlocks = {
    shotmap: filled,
    statistics: [teamFigure(filled), ...(blocks.statistics ?? [])],
    player_stats: blocks.player_stats ? withPlayerFigure(blocks.player_stats, filled) : shooters(filled),
    ...(momentum && { momentum }),
  };
  return { blocks: figures, added: ADDED_BLOCKS.filter((block) => blocks[block] === undefined && figures[block]) };
}

/** Removes our figures, so that the blocks are as the providers gave them. */
export function withoutOwnFigures(blocks: FigureBlocks, added: readonly AddedBlock[]): FigureBlocks {
  const given: FigureBlocks = {};
  if (blocks.shotmap) given.shotmap = blocks.shotmap.map((shot) => ({ ...shot, xg: null }));
  if (blocks.statistics) given.statistics = blocks.statistics.filter(({ stat_name }) => stat_name !== EXPECTED_GOALS);
  if (blocks.player_stats)
    given.player_stats = blocks.player_stats.map(({ stats: { [PLAYER_FIGURE]: _own, ...stats }, ...entry }) => ({
      ...entry,
      stats,
    }));
  if (blocks.momentum) given.momentum = blocks.momentum;
  for (const block of added) delete given[block];
  return given;
}

const sumExpected = (shots: readonly Shot[]): number => rounded(shots.reduce((sum, { xg }) => sum + (xg ?? 0), 0));

function teamFigure(shots: readonly Shot[]): NonNullable<Blocks['statistics']>[number] {
  const sideTotal = (wanted: Shot['side']) => sumExpected(shots.filter(({ side }) => side === wanted));
  const [home, away] = [sideTotal('home'), sideTotal('away')] as const;
  return {
    period: 'ALL',
    group_name: GROUP,
    stat_name: EXPECTED_GOALS,
    home_value: home,
    away_value: away,
    home_text: home.toFixed(DECIMALS),
    away_text: away.toFixed(DECIMALS),
  };
}

type PlayerStats = NonNullable<Blocks['player_stats']>;

/** True if the player took the shot. Players are compared by id, or by name if an id is missing. */
const isBy = (player: { side: string; id: number | null; name: string }, shot: Shot): boolean =>
  player.side === shot.side &&
  (player.id !== null && shot.player.id !== null ? player.id === shot.player.id : player.name === shot.player.name);

const withPlayerFigure = (entries: PlayerStats, shots: readonly Shot[]): PlayerStats =>
  entries.map((entry) => {
    const player = { side: entry.side, id: entry.participant_id, name: entry.player_name };
    return {
      ...entry,
      stats: { ...entry.stats, [PLAYER_FIGURE]: sumExpected(shots.filter((shot) => isBy(player, shot))) },
    };
  });

/** Returns an entry for each player with a shot. */
function shooters(shots: readonly Shot[]): PlayerStats {
  const entries: PlayerStats = [];
  for (const shot of shots.filter(isAttempt)) {
    const { side, player } = shot;
    if (entries.some((one) => isBy({ side: one.side, id: one.participant_id, name: one.player_name }, shot))) continue;
    const own = shots.filter((other) => isAttempt(other) && isBy({ side, ...player }, other));
    entries.push({
      participant_id: player.id,
      player_name: player.name,
      side,
      position: null,
      stats: { shots: own.length, [PLAYER_FIGURE]: sumExpected(own) },
    });
  }
  return entries;
}
