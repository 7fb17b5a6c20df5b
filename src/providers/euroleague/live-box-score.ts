/** Reads line-ups, figures and periods from a Boxscore reply. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import type { Score } from '../side.ts';
import { personName } from './player-name.ts';
import { type BoxScoreReply, FIGURES, type SideReply } from './replies.ts';
import { sideStatistics } from './side-statistics.ts';

/** Stands in place of the minutes for a player who stayed on the bench. */
const DID_NOT_PLAY = 'DNP';

const figure = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const readFigures = (line: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(FIGURES).map(([member, name]) => [name, figure(line[member])]));

/**
 * Returns the points scored in each quarter, not running totals. All overtimes are one period.
 * @returns empty if a side is missing
 */
export function quarterScores({ ByQuarter: [home, away] }: BoxScoreReply): NonNullable<MatchInput['period_scores']> {
  if (!home || !away) return [];
  const addUp = (names: readonly string[]): Score => ({
    home: names.reduce((sum, name) => sum + figure(home[name]), 0),
    away: names.reduce((sum, name) => sum + figure(away[name]), 0),
  });
  const quarters = [1, 2, 3, 4].filter((quarter) => `Quarter${quarter}` in home || `Quarter${quarter}` in away);
  const overtimes = Object.keys({ ...home, ...away }).filter((name) => /^Extra\d+$/u.test(name));
  return [
    ...quarters.map((quarter) => ({ period: `Q${quarter}`, ...addUp([`Quarter${quarter}`]) })),
    ...(overtimes.length > 0 ? [{ period: 'OT', ...addUp(overtimes) }] : []),
  ];
}

const toPlayer = ({ Player_ID, Player }: SideReply['PlayersStats'][number]) => ({
  ...(Player_ID && { id: Player_ID }),
  name: personName(Player),
});

/** Returns the blocks that the reply has. A reply without players gives no blocks. */
export function boxScoreBlocks(reply: BoxScoreReply): Partial<MatchInput> {
  const [home, away] = reply.Stats;
  const sides = [home && { side: 'home' as const, stats: home }, away && { side: 'away' as const, stats: away }];
  const given = sides.filter((side) => side !== undefined);
  const players = given.flatMap(({ side, stats }) => stats.PlayersStats.map((line) => ({ line, side })));
  if (players.length === 0) return {};
  const coaches = given.flatMap(({ side, stats: { Coach } }) =>
    Coach ? [{ side, coach_name: personName(Coach) }] : [],
  );
  return {
    lineups: players.map(({ line, side }) => ({
      side,
      player: toPlayer(line),
      shirt_number: line.Dorsal,
      is_substitute: line.IsStarter !== 1,
    })),
    lineup_confirmed: true,
    player_stats: players
      .filter(({ line }) => line.Minutes !== null && line.Minutes !== DID_NOT_PLAY)
      .map(({ line, side }) => ({
        player: toPlayer(line),
        side,
        stats: {
          minutes: line.Minutes,
          ...readFigures(line),
          plus_minus: figure(line.Plusminus),
          valuation: figure(line.Valuation),
        },
      })),
    ...(coaches.length > 0 && { coaches }),
    ...(home?.totr && away?.totr && { statistics: sideStatistics(readFigures(home.totr), readFigures(away.totr)) }),
  };
}
