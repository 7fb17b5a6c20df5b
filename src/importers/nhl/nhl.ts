/**
 * Reads saved replies from the NHL's web API. schedule….json lists games; landing_2023020207.json, play-by-play_2023020207.json and
 * right-rail_2023020207.json belong to the game with that number, whatever follows the number.
 */
import type { z } from 'zod';
import {
  type GameReplies,
  landingReply,
  laterGame,
  NHL,
  playByPlayReply,
  readReplies,
  rightRailReply,
  type ScheduleReply,
  scheduledGame,
  scheduleReply,
} from '../../providers/nhl/index.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type FileError, fileFault, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { partFaults, readReply, readSchedule } from '../json.ts';

const SCHEDULE = /^schedule.*\.json$/u;
const GAME = /^(landing|play-by-play|right-rail)_(\d{10})(?!\d).*\.json$/u;
const SCHEMAS = new Map<string, [part: keyof GameReplies, schema: z.ZodType<object>]>([
  ['landing', ['landing', landingReply]],
  ['play-by-play', ['playByPlay', playByPlayReply]],
  ['right-rail', ['rightRail', rightRailReply]],
]);

/** Matches the names of recordings that were edited for a test. They are not history, and are not imported. */
const EDITED = /_EDITED/u;

/** A game with all its replies. The position is that of the first file. */
interface SavedGame {
  replies: GameReplies;
  position: string;
  observedAt: string;
}

export const nhl = fileImporter({
  format: 'nhl',
  provider: NHL,
  description: 'NHL (ice hockey): saved replies of its web API: schedule, landing, play-by-play, right-rail',
  expected: 'replies such as schedule_2023-11-08.json or landing_2023020207.json',
  accepts: ({ name }) => (SCHEDULE.test(name) || GAME.test(name)) && !EDITED.test(name),
  async *readFiles(files) {
    const games = new Map<string, SavedGame>();
    for (const file of files) yield* SCHEDULE.test(file.name) ? addSchedule(games, file) : addReply(games, file);
    for (const game of games.values()) yield* toItems(game);
  },
});

function* toItems({ replies, position, observedAt }: SavedGame): Generator<ImportItem> {
  const found = readReplies(replies);
  if (typeof found !== 'string') yield* partFaults(position, found.warnings);
  yield toItem(position, typeof found === 'string' ? found : matchUpdate(NHL, { observedAt }, found.match));
}

function add(games: Map<string, SavedGame>, id: string, part: GameReplies, file: InputFile, position: string): void {
  const game = games.get(id);
  if (game) file.isPart = true;
  games.set(id, {
    position: game?.position ?? position,
    observedAt: game && game.observedAt > file.observedAt ? game.observedAt : file.observedAt,
    replies: { ...game?.replies, ...part },
  });
}

async function* addReply(games: Map<string, SavedGame>, file: InputFile): AsyncGenerator<FileError> {
  const [, kind = '', id = ''] = GAME.exec(file.name) ?? [];
  const known = SCHEMAS.get(kind);
  if (!known) return;
  const [part, schema] = known;
  const fault = (detail: string) => fileFault(file.path, detail);
  const reply = await readReply(file, schema, `a ${kind} reply`);
  if (reply.fault) yield reply.fault;
  else if ('id' in reply.value && String(reply.value.id) !== id)
    yield fault(`is the ${kind} of game ${reply.value.id}, not of ${id}`);
  else if (games.get(id)?.replies[part]) yield fault(`is left out: another file is the ${kind} of game ${id}, too`);
  else add(games, id, { [part]: reply.value }, file, `${file.path}#1`);
}

async function* addSchedule(games: Map<string, SavedGame>, file: InputFile): AsyncGenerator<FileError> {
  const listGames = ({ gameWeek }: ScheduleReply) => gameWeek.flatMap(({ games }) => games);
  for await (const item of readSchedule(file, { reply: scheduleReply, listGames, game: scheduledGame })) {
    if ('kind' in item) {
      yield item;
      continue;
    }
    const id = String(item.game.id);
    const listed = games.get(id)?.replies.scheduled;
    add(games, id, { scheduled: listed ? laterGame(listed, item.game) : item.game }, file, item.position);
  }
}
