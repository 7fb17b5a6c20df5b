/**
 * Reads formations and line-ups in Premier League seasons from two CSV files that share a game id. The files have no
 * dates. A match is found by its pairing, which occurs once in a league season.
 */
import { dirname } from 'node:path';
import { tournamentBySource } from '../../identity/canonical-tournaments.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { type CsvRow, eachRow, type Row } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import { fileFault, type InputFile } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';

type Lineups = NonNullable<MatchInput['lineups']>;

export async function* readFormations(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const beside = (file: InputFile, from: string, to: string) =>
    files.find(({ name, path }) => name === file.name.replace(from, to) && dirname(path) === dirname(file.path));
  for (const file of files.filter(({ name }) => name.startsWith('formations_'))) {
    file.isPart = true;
    if (beside(file, 'formations_', 'lineups_')) continue;
    yield fileFault(file.path, 'there is no file of line-ups beside it');
  }
  for (const file of files.filter(({ name }) => name.startsWith('lineups_'))) {
    const formations = beside(file, 'lineups_', 'formations_');
    const shapes = new Map<string, string>();
    if (formations)
      yield* eachRow(formations, ['gameid', 'team', 'formation'], ({ row }) => {
        shapes.set(`${row.gameid}|${row.team}`, row.formation ?? '');
        return undefined;
      });
    const games = new Map<string, Game>();
    yield* eachRow(file, ['gameid', 'type', 'team', 'name', 'number'], (row) => addPlayer(games, row));
    for (const game of games.values()) yield toItem(game.position, readGame(game, shapes, file));
  }
}

/**
 * Matches the minute in added time that the source leaves after the names of some substituted players: "Mesut Özil 90
 * +".
 */
const ADDED_TIME = /\s+\d+\s*\+$/u;

interface Game {
  id: string;
  /** The first row's position. */
  position: string;
  players: { side: 'home' | 'away'; name: string; row: Row }[];
}

/** @returns why the row is refused */
function addPlayer(games: Map<string, Game>, { row, position }: CsvRow): string | undefined {
  const { gameid: id, type: side, name } = row;
  if (!id) return 'the game id is missing';
  if (side !== 'home' && side !== 'away') return `the type ${JSON.stringify(side)} is neither home nor away`;
  if (!name) return 'a player has no name';
  const game = games.get(id) ?? { id, position, players: [] };
  games.set(id, game);
  game.players.push({ side, name, row });
  return undefined;
}

function readGame({ id, players }: Game, shapes: Map<string, string>, file: InputFile): MatchUpdateInput | string {
  const [, first, second] = /_(\d\d)(\d\d)_/u.exec(file.name) ?? [];
  const tournament = tournamentBySource(SCHOCHASTICS, 'england_premier-league')!;
  const team = (of: string) => players.find(({ side }) => side === of)?.row.team;
  const [home, away] = [team('home'), team('away')];
  if (!home || !away) return `game ${id}: a side has no line-up`;
  const lineups: Lineups = players.map(({ side, name, row }) => ({
    side,
    formation: shapes.get(`${id}|${row.team}`) || null,
    player: { name: name.replace(ADDED_TIME, '') },
    shirt_number: row.number || null,
    is_substitute: false,
  }));
  return matchUpdate(SCHOCHASTICS, file, {
    id: `lineups/${first}${second}/${id}`,
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: `20${first}/${second}` },
    home: { name: home, country: tournament.country },
    away: { name: away, country: tournament.country },
    lineups,
    lineup_confirmed: true,
  });
}

export const SCHOCHASTICS = 'schochastics';
