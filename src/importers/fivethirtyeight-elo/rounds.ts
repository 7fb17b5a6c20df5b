/** Names the rounds of play-offs. The NBA file has a letter for each round, the others only mark play-offs. */
import { playOffRounds } from '../play-off-rounds.ts';
import type { EloGame, EloLeague } from './leagues.ts';

const NBA_ROUNDS = {
  q: 'Conference quarter-finals',
  s: 'Conference semi-finals',
  c: 'Conference finals',
  f: 'Final',
} as const;

/** @param games a league's games in a season, each once @returns names by game; a game outside the play-offs has none */
export function nameRounds(league: EloLeague, games: readonly EloGame[]): Map<EloGame, string> {
  const names = new Map<EloGame, string>();
  const met = new Map<string, number>();
  const playedIn = new Set<string>();
  const inOrder = games.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  for (const game of inOrder) {
    const sides = [game.home.name, game.away.name].sort();
    if (game.stage === 'cup') names.set(game, 'Final');
    else if (game.stage === 'play-in') {
      // Whoever plays a second game plays for the last place.
      names.set(game, `Play-in round ${sides.some((side) => playedIn.has(side)) ? 2 : 1}`);
      for (const side of sides) playedIn.add(side);
    } else if (game.stage !== 'regular' && game.stage !== 'play-offs') {
      const number = (met.get(sides.join('|')) ?? 0) + 1;
      met.set(sides.join('|'), number);
      names.set(game, `${NBA_ROUNDS[game.stage]}, Game ${number}`);
    }
  }
  const unnamed = inOrder.filter(({ stage }) => stage === 'play-offs');
  const sides = unnamed.map(({ date, home, away }) => ({ date, home: home.name, away: away.name }));
  const first = unnamed[0];
  if (first === undefined) return names;
  const year = Number(league.label(first.season).slice(0, 4));
  for (const [index, name] of playOffRounds(league.name, year, sides).entries()) names.set(unnamed[index]!, name);
  return names;
}
