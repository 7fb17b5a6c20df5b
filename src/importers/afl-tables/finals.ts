/** Finds the stage to which each game belongs, because the file names only the kind of a final. */
import { type KnownTournament, tournamentBySource } from '../../identity/canonical-tournaments.ts';
import { grouped } from '../../wire/grouped.ts';
import type { Final, Game } from './game.ts';

/** The stage of a game after or beside the home-and-away rounds. Undefined for such a round. */
export interface Stage {
  round: string;
  /** Set if the stage is a table of its own. */
  group?: string;
}

const NAMES: Readonly<Record<Final, string>> = {
  'Elimination Final': 'Elimination final',
  'Qualifying Final': 'Qualifying final',
  'Semi Final': 'Semi-final',
  'Preliminary Final': 'Preliminary final',
  'Grand Final': 'Grand Final',
};
/** Seasons whose premier was the winner of a round robin of four sides, so that there was no Grand Final. */
const ROUND_ROBINS = [1897, 1924];
/**
 * Seasons in which, after the ladder was final, two sections of four sides played three further rounds for places in the
 * semi-final. From 1901, such rounds counted in the ladder.
 */
const SECTIONAL = { from: 1898, until: 1900, after: 14 };

/**
 * @param games in playing order
 * @returns each game's stage; null if the sides of a sectional round belong to no listed section
 */
export function readFinals(games: readonly Game[]): Map<Game, Stage | undefined | null> {
  const league = tournamentBySource('afl-tables', 'AFL')!;
  const stages = new Map<Game, Stage | undefined | null>();
  for (const [season, played] of grouped(games, (game) => game.season)) {
    const robin = ROUND_ROBINS.includes(season) ? played.filter(({ round }) => typeof round !== 'number') : [];
    const days = [...new Set(robin.map(({ day }) => day))];
    const drawn = new Set<string>();
    for (const game of played) {
      if (typeof game.round === 'number') stages.set(game, sectionalRound(game, game.round, league));
      else if (robin.includes(game))
        stages.set(game, { round: `Finals round ${days.indexOf(game.day) + 1}`, group: 'Finals' });
      else stages.set(game, { round: NAMES[game.round] + replaySuffix(game, drawn) });
    }
  }
  return stages;
}

function sectionalRound({ season, home, away }: Game, round: number, league: KnownTournament) {
  const { from, until, after } = SECTIONAL;
  if (season < from || season > until || round <= after) return undefined;
  const found = Object.entries(league.groups[season] ?? {}).find(([, sides]) =>
    [home, away].every(({ team }) => sides.includes(team.name)),
  );
  return found === undefined ? null : { round: `Sectional round ${round - after}`, group: `Section ${found[0]}` };
}

/** @param drawn finals that were drawn before, which is extended */
function replaySuffix({ round, home, away }: Game, drawn: Set<string>): string {
  const final = [round, ...[home.team.name, away.team.name].sort()].join('|');
  const isReplay = drawn.has(final);
  if (home.points === away.points) drawn.add(final);
  return isReplay ? ' replay' : '';
}
