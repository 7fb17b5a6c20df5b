/** Reads files that hold one JSON value. */
import type { z } from 'zod';
import { type FileError, faultAt, fileFault, type InputFile, reason, textDamage, wholeText } from './files.ts';

type ReadFile<T> = { value: T; fault?: undefined } | { fault: FileError };

/**
 * Reads a file's value. Returns a fault if the file cannot be read to its end.
 * @param findDamage returns why a text cannot be used. Absent for a list, in which the caller looks for damaged text in
 *   each record
 */
export async function readJson(
  file: InputFile,
  findDamage: (text: string) => string | undefined = () => undefined,
): Promise<ReadFile<unknown>> {
  try {
    const text = await wholeText(file);
    const damage = findDamage(text);
    return damage === undefined ? { value: JSON.parse(text) } : { fault: fileFault(file.path, damage) };
  } catch (error) {
    return { fault: fileFault(file.path, `cannot be read: ${reason(error)}`) };
  }
}

/** Reads a file with an API reply. @param what names the reply, for the fault about a file with other content */
export async function readReply<T>(file: InputFile, schema: z.ZodType<T>, what: string): Promise<ReadFile<T>> {
  const json = await readJson(file, textDamage);
  if (json.fault) return json;
  const { success, data, error } = schema.safeParse(json.value);
  return success ? { value: data } : { fault: fileFault(file.path, `is not ${what}: ${firstIssue(error)}`) };
}

/**
 * Reads a file with a schedule, which is a reply with a list of games. Yields the games that can be read, and faults.
 */
export async function* readSchedule<Reply, Game>(
  file: InputFile,
  {
    reply,
    listGames,
    game,
  }: { reply: z.ZodType<Reply>; listGames: (reply: Reply) => unknown[]; game: z.ZodType<Game> },
): AsyncGenerator<{ position: string; game: Game } | FileError> {
  const schedule = await readReply(file, reply, 'a schedule');
  if (schedule.fault) {
    yield schedule.fault;
    return;
  }
  for (const [index, one] of listGames(schedule.value).entries()) {
    const position = `${file.path}#${index + 1}`;
    const { success, data, error } = game.safeParse(one);
    yield success ? { position, game: data } : faultAt(position, firstIssue(error));
  }
}

/** Returns the faults for a game that was read without some parts. */
export const partFaults = (position: string, warnings: readonly string[]): FileError[] =>
  warnings.map((warning) => faultAt(position, `left out in part: ${warning}`));

/**
 * Reads a file with a list of matches. Does not check for damaged text, because the caller reports it for the match
 * that contains it.
 */
export async function readMatchList(file: InputFile): Promise<ReadFile<unknown[]>> {
  const json = await readJson(file);
  if (json.fault) return json;
  return Array.isArray(json.value)
    ? { value: json.value }
    : { fault: fileFault(file.path, 'is not a list of matches') };
}

/** Returns the first fault in a value, with the path. */
export function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue!.path.join('.') || 'the file'}: ${issue!.message}`;
}
