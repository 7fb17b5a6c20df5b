/**
 * Replies of the Euroleague's live API as files: Header_E2024_1.json, Boxscore_E2024_1.json and PlaybyPlay_E2024_1.json
 * of one game belong together, whatever follows the number in their names; schedule….json lists games.
 */
import type { z } from 'zod';
import {
  boxScoreReply,
  EUROLEAGUE,
  type GameRead,
  type GameReplies,
  gameId,
  headerReply,
  playByPlayReply,
  readGame,
  readScheduledGame,
  scheduledGame,
  scheduleReply,
} from '../../providers/euroleague/index.ts';
import type { FileError, InputFile } from '../files.ts';
import type { ImportItem } from '../importer.ts';
import { firstIssue, readReply } from '../json.ts';

const GAME = /^(Header|Boxscore|PlaybyPlay)_E(\d{4})_(\d+)(?!\d).*\.json$/u;
const SCHEDULE = /^schedule.*\.json$/u;
export const isReply = ({ name }: InputFile): boolean => GAME.test(name) || SCHEDULE.test(name);

const SCHEMAS = {
  Header: ['header', headerReply],
  Boxscore: ['boxScore', boxScoreReply],
  PlaybyPlay: ['playByPlay', playByPlayReply],
} as const;

interface SavedGame {
  replies: GameReplies;
  file: InputFile;
}

/**
 * Yields an update for each game of a schedule, and for each other game. The replies of a game know more than the schedule: what both
 * have is theirs, so that it does not change twice in every import.
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
    for await (const item of readSchedule(file)) {
      if ('kind' in item) yield item;
      else {
        const own = byId.get(item.match.id);
        if (own) own.file.isPart = true;
        listed.add(item.match.id);
        yield toItem({ ...item, match: { ...item.match, ...own?.match } });
      }
    }
  }
  for (const update of updates) if (!listed.has(update.match.id)) yield toItem(update);
}

interface ItemUpdate {
  match: GameRead['match'];
  position: string;
  file: InputFile;
}

/** @returns why the file cannot be read */
async function addReply(games: Map<string, SavedGame>, file: InputFile, named: RegExpExecArray) {
  const [kind, season, code] = [named[1] as keyof typeof SCHEMAS, Number(named[2]), Number(named[3])];
  const [part, schema] = SCHEMAS[kind];
  const fault = (detail: string): FileError => ({ kind: 'fault', position: file.path, detail, endsFile: true });
  const reply = await readReply(file, schema as z.ZodType, `a ${kind} reply`);
  if (reply.fault) return reply.fault;
  const id = gameId(season, code);
  const game = games.get(id) ?? { replies: { season, code }, file };
  if (game.replies[part]) return fault(`is left out: another file is the ${kind} of ${id}, too`);
  if (games.has(id)) file.isPart = true;
  games.set(id, { ...game, replies: { ...game.replies, [part]: reply.value } });
  return undefined;
}

async function* readSchedule(file: InputFile): AsyncGenerator<ItemUpdate | FileError> {
  const schedule = await readReply(file, scheduleReply, 'a schedule');
  if (schedule.fault) {
    yield schedule.fault;
    return;
  }
  for (const [index, one] of schedule.value.data.entries()) {
    const position = `${file.path}#${index + 1}`;
    const game = scheduledGame.safeParse(one);
    const found = game.success ? readScheduledGame(game.data) : firstIssue(game.error);
    yield* faultsIn(found, position);
    if (typeof found !== 'string') yield { match: found.match, position, file };
  }
}

function* faultsIn(found: GameRead | string, position: string): Generator<FileError> {
  if (typeof found === 'string') yield { kind: 'fault', position, detail: found };
  else for (const warning of found.warnings) yield { kind: 'fault', position, detail: `left out in part: ${warning}` };
}

const toItem = ({ match, position, file: { observedAt } }: ItemUpdate): ImportItem => ({
  kind: 'update',
  position,
  update: { schema: 1, provider: EUROLEAGUE, observed_at: observedAt, kind: 'match', match },
});
