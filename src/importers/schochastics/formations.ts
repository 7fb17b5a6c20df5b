/**
 * Formations and line-ups of Premier League seasons: two CSV files that share a game id. They have no dates: the match
 * is found by its pairing, which occurs once in a season of that league.
 */
import { dirname } from 'node:path';
import { tournamentBySource } from '../../identity/canonical-tournaments.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { csvRows, isRow, type Row } from '../csv.ts';
import type { InputFile } from '../files.ts';
import type { ImportItem } from '../importer.ts';

type Lineups = NonNullable<MatchUpdateInput['match']['lineups']>;

export async function* readFormations(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const beside = (file: InputFile, from: string, to: string) =>
    files.find(({ name, path }) => name === file.name.replace(from, to) && dirname(path) === dirname(file.path));
  for (const file of files.filter(({ name }) => name.startsWith('formations_'))) {
    file.isPart = true;
    if (beside(file, 'formations_', 'lineups_')) continue;
    yield { kind: 'fault', position: file.path, detail: 'there is no file of line-ups beside it', endsFile: true };
  }
  for (const file of files.filter(({ name }) => name.startsWith('lineups_'))) {
    const formations = beside(file, 'lineups_', 'formations_');
    const shapes = new Map<string, string>();
    if (formations) {
      for await (const item of csvRows(formations, ['gameid', 'team', 'formation'])) {
        if (!isRow(item)) yield item;
        else shapes.set(`${item.row.gameid}|${item.row.team}`, item.row.formation ?? '');
      }
    }
    const games = new Map<string, { rows: Row[]; position: string }>();
    for await (const item of csvRows(file, ['gameid', 'type', 'team', 'name', 'number'])) {
      if (!isRow(item)) {
        yield item;
        continue;
      }
      const { row, position } = item;
      const detail = findError(row);
      if (detail !== undefined) yield { kind: 'fault', position, detail };
      else if (games.has(row.gameid!)) games.get(row.gameid!)!.rows.push(row);
      else games.set(row.gameid!, { rows: [row], position });
    }
    for (const [id, { rows, position }] of games) yield readGame(id, rows, shapes, file, position);
  }
}

/** The minute of a substitution in added time, which the source leaves behind some names: "Mesut Özil 90 +". */
const ADDED_TIME = /\s+\d+\s*\+$/u;

function findError(row: Row): string | undefined {
  if (!row.gameid) return 'the game id is missing';
  if (row.type !== 'home' && row.type !== 'away')
    return `the type ${JSON.stringify(row.type)} is neither home nor away`;
  return row.name ? undefined : 'a player has no name';
}

/** @param position of the first row of the game */
function readGame(
  id: string,
  rows: readonly Row[],
  shapes: Map<string, string>,
  file: InputFile,
  position: string,
): ImportItem {
  const years = /_(\d\d)(\d\d)_/u.exec(file.name)!;
  const tournament = tournamentBySource(SCHOCHASTICS, 'england_premier-league')!;
  const team = (side: string) => rows.find((row) => row.type === side)?.team;
  const [home, away] = [team('home'), team('away')];
  if (!home || !away) return { kind: 'fault', position, detail: `game ${id}: a side has no line-up` };
  const lineups: Lineups = rows.map((row) => ({
    side: row.type as 'home' | 'away',
    formation: shapes.get(`${id}|${row.team}`) || null,
    player: { name: row.name!.replace(ADDED_TIME, '') },
    shirt_number: row.number || null,
    is_substitute: false,
  }));
  const update: MatchUpdateInput = {
    schema: 1,
    provider: SCHOCHASTICS,
    observed_at: file.observedAt,
    kind: 'match',
    match: {
      id: `lineups/${years[1]}${years[2]}/${id}`,
      sport: 'football',
      tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
      season: { label: `20${years[1]}/${years[2]}` },
      home: { name: home, country: tournament.country },
      away: { name: away, country: tournament.country },
      lineups,
      lineup_confirmed: true,
    },
  };
  return { kind: 'update', position, update };
}

export const SCHOCHASTICS = 'schochastics';
