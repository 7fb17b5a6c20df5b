/**
 * A recording of a source: a folder with raw replies. `recording.json` names the source and the time.
 * `replies.ndjson.gz` has one reply per line, in order of arrival.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

const about = z.strictObject({
  format: z.literal(1),
  provider: z.string(),
  /** The recorded parts of the source, such as leagues. Null if the whole source is recorded. */
  scopes: z.array(z.string().nullable()),
  /** The address from which the replies came, for information only. */
  url: z.string(),
  begun_at: z.iso.datetime(),
});
export type RecordingAbout = z.infer<typeof about>;

const reply = z.strictObject({
  at: z.iso.datetime(),
  path: z.string().startsWith('/'),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** The reply's text. Absent if the text is the same as in the last reply to this path. */
  body: z.string().optional(),
});

export interface RecordedReply {
  /** When the reply arrived, ms. */
  at: number;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Headers that a reader of the recording needs. The rest are dropped, because they may contain secrets. */
const HEADERS = ['content-type', 'date', 'etag', 'last-modified', 'cache-control', 'retry-after', 'location'];

const ABOUT = 'recording.json';
const REPLIES = 'replies.ndjson.gz';

export interface RecordingWriter {
  add(reply: Omit<RecordedReply, 'headers'> & { headers: Headers }): void;
  close(): Promise<void>;
}

/** @throws {Error} if the folder already has a recording */
export async function createRecording(folder: string, described: RecordingAbout): Promise<RecordingWriter> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, ABOUT), `${JSON.stringify(described, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    throw error.code === 'EEXIST' ? new Error(`${folder} already has a recording`) : error;
  });
  const gzip = createGzip();
  const file = createWriteStream(join(folder, REPLIES));
  gzip.pipe(file);
  const bodies = new Map<string, string>();
  return {
    add({ at, path, status, headers, body }) {
      const kept = HEADERS.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      });
      const isSame = bodies.get(path) === body;
      bodies.set(path, body);
      const line = { at: new Date(at).toISOString(), path, status, headers: Object.fromEntries(kept) };
      gzip.write(`${JSON.stringify(isSame ? line : { ...line, body })}\n`);
      // Each reply is flushed, so that a crash loses none that was written before.
      gzip.flush(constants.Z_SYNC_FLUSH);
    },
    async close() {
      await new Promise<void>((resolve, reject) => {
        file.on('close', resolve).on('error', reject);
        gzip.end();
      });
    },
  };
}

/** @throws {Error} with a message in one line if the folder has no recording, or if the recording is damaged */
export async function readRecording(folder: string): Promise<{ about: RecordingAbout; replies: RecordedReply[] }> {
  let described: RecordingAbout;
  try {
    described = about.parse(JSON.parse(await readFile(join(folder, ABOUT), 'utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new Error(
      `${folder} ${isMissing ? `has no recording: ${ABOUT} is missing` : `is damaged: ${ABOUT} cannot be read`}`,
    );
  }
  const replies: RecordedReply[] = [];
  const bodies = new Map<string, string>();
  // If the recorder was killed, the file has no gzip trailer.
  const text = createReadStream(join(folder, REPLIES)).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
  const lines: string[] = [];
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) lines.push(line);
  for (const [index, line] of lines.entries()) {
    const parsed = parseLine(line);
    if (parsed === 'cut' && index === lines.length - 1) break;
    if (typeof parsed === 'string')
      throw new Error(`${folder} is damaged: line ${index + 1} of ${REPLIES} cannot be read`);
    const body = parsed.body ?? bodies.get(parsed.path) ?? '';
    bodies.set(parsed.path, body);
    replies.push({ ...parsed, at: Date.parse(parsed.at), body });
  }
  return { about: described, replies };
}

/** @returns `cut` if the line is not JSON, and `invalid` if the JSON is not a reply */
function parseLine(line: string): z.infer<typeof reply> | 'cut' | 'invalid' {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'cut';
  }
  return reply.safeParse(value).data ?? 'invalid';
}
