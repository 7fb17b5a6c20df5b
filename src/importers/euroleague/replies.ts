/**
 * Reads saved replies from the Euroleague's live API. Header_E2024_1.json, Boxscore_E2024_1.json and
 * PlaybyPlay_E2024_1.json belong to the same game, whatever follows the number in the file names; schedule….json lists
 * games.
 */
import type { z } from 'zod';
import {
  boxScoreReply,
  EUROLEAGUE,
  type GameReplies,
  gameId,
  headerReply,
  playByPlayReply,
  readGame,
  readScheduledGame,
  type ScheduleReply,
  scheduledGame,
  scheduleReply,
} from '../../providers/euroleague/index.ts';
import type { GameRead } from '../../providers/index.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type FileError, faultAt, fileFault, type InputFile } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';
import { partFaults, readReply, readSchedule } from '../json.ts';

const GAME = /^(Header|Boxscore|PlaybyPlay)_E(\d{4})_(\d+)(?!\d).*\.json$/u;
const SCHEDULE = /^schedule.*\.json$/u;
export const isReply = ({ name }: InputFile): boolean => GAME.test(name) || SCHEDULE.test(name);

const SCHEMAS = new Map<string, [part: keyof GameReplies, schema: z.ZodType]>([
  ['Header', ['header', headerReply]],
  ['Boxscore', ['boxScore', boxScoreReply]],
  ['PlaybyPlay', ['playByPlay', playByPlayReply]],
]);

interface SavedGame {
  replies: GameReplies;
  file: InputFile;
}

/**
 * Yields one update for each game in a schedule, and for each game that has only replies. A game's replies have more
 * detail than the schedule, so their members replace the schedule's members. If there were two updates, each import
 * would change the game twice.
 */
export async function* readReplies(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const games = new Map<string, SavedGame>();
  for (const file of files) {
    const named = GAME.exec(file.name);
    const fault = named && (await addReply(games, file, named));
    if (fault) yield fault;
  }
  const updates: ItemUpdate[] = [];
  for (const { replies, file } of games.values()) {
    const found = readGame(replies);
    const position = `${file.path}#1`;
    yield* faultsIn(found, position);
    if (typeof found !== 'string') updates.push({ match: found.match, position, file });
  }
  const byId = new Map(updates.map((update) => [update.match.id, update]));
  const listed = new Set<string>();
  for (const file of files.filter(({ name }) => SCHEDULE.test(name))) {
    for await (const item of readScheduled(file)) {
      if ('kind' in item) yield item;
      else {
        const own = byId.get(item.match.id);
        if (own) own.file.isPart = true;
        listed.add(item.match.id);
        yield updateItem({ ...item, match: { ...item.match, ...own?.match } });
      }
    }
  }
  for (const update of updates) if (!listed.has(update.match.id)) yield updateItem(update);
}

interface ItemUpdate {
  match: GameRead['match'];
  position: string;
  file: InputFile;
}

/** @returns why the file cannot be read */
async function addReply(games: Map<string, SavedGame>, file: InputFile, [, kind = '', ...named]: RegExpExecArray) {
  const [season = 0, code = 0] = named.map(Number);
  const known = SCHEMAS.get(kind);
  if (!known) return undefined;
  const [part, schema] = known;
  const reply = await readReply(file, schema, `a ${kind} reply`);
  if (reply.fault) return reply.fault;
  const id = gameId(season, code);
  const game = games.get(id) ?? { replies: { season, code }, file };
  if (game.replies[part]) return fileFault(file.path, `is left out: another file is the ${kind} of ${id}, too`);
  if (games.has(id)) file.isPart = true;
  games.set(id, { ...game, replies: { ...game.replies, [part]: reply.value } });
  return undefined;
}

async function* readScheduled(file: InputFile): AsyncGenerator<ItemUpdate | FileError> {
  const schemas = { reply: scheduleReply, listGames: ({ data }: ScheduleReply) => data, game: scheduledGame };
  for await (const item of readSchedule(file, schemas)) {
    if ('kind' in item) {
      yield item;
      continue;
    }
    const { position } = item;
    const found = readScheduledGame(item.game);
    yield* faultsIn(found, position);
    if (typeof found !== 'string') yield { match: found.match, position, file };
  }
}

const faultsIn = (found: GameRead | string, position: string): FileError[] =>
  typeof found === 'string' ? [faultAt(position, found)] : partFaults(position, found.warnings);

const updateItem = ({ match, position, file }: ItemUpdate): ImportItem =>
  toItem(position, matchUpdate(EUROLEAGUE, file, match));
