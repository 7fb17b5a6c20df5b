/**
 * The cursor of sync: opaque to clients, bound to its filters, and good for ever. So it has a checksum, not a signature, whose secret
 * might be changed one day; making one up gives nobody anything that asking does not.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { Problem } from '../http/errors.ts';

/** What the pass under way has fixed on its first page. */
export interface SyncPass {
  /** The last change cursor of then: the pass ends there. */
  bound: number;
  /** Where a stream is to begin so that it and the pass have no hole between them. */
  stream: number;
  /** What has changed since the first page comes last, by match id. */
  tail: boolean;
}

export interface SyncPosition {
  /** Changes up to this cursor have been given; in a tail: matches from this id on. */
  after: number;
  /** null: the next page begins a pass. */
  pass: SyncPass | null;
}

export const START: SyncPosition = { after: 0, pass: null };

/** Raised when a cursor's content means something else. */
const VERSION = 1;
const CHECKSUM_CHARACTERS = 8;
const FILTER_CHARACTERS = 12;

const position = z.int().min(0);
const content = z.union([
  z.tuple([z.literal(VERSION), z.string(), position]),
  z.tuple([z.literal(VERSION), z.string(), position, position, position, z.boolean()]),
]);

const digest = (text: string, characters: number) => hash('sha256', text, 'base64url').slice(0, characters);
const filterDigest = (filters: readonly unknown[]) => digest(JSON.stringify(filters), FILTER_CHARACTERS);

/** @param filters the same values in the same order give the same cursor */
export function writeCursor({ after, pass }: SyncPosition, filters: readonly unknown[]): string {
  const fixed = pass === null ? [] : [pass.bound, pass.stream, pass.tail];
  const text = Buffer.from(JSON.stringify([VERSION, filterDigest(filters), after, ...fixed])).toString('base64url');
  return `${text}.${digest(text, CHECKSUM_CHARACTERS)}`;
}

/** @throws {Problem} invalid_cursor; cursor_filter_mismatch when it was made for other filters */
export function readCursor(cursor: string, filters: readonly unknown[]): SyncPosition {
  const [text = '', checksum, ...rest] = cursor.split('.');
  if (checksum !== digest(text, CHECKSUM_CHARACTERS) || rest.length > 0) throw damaged();
  const [, madeFor, after, bound, stream, tail] = parse(text);
  if (madeFor !== filterDigest(filters)) {
    throw new Problem(
      'cursor_filter_mismatch',
      'The cursor belongs to other filters: send those that it was made with, or none of it to begin anew.',
    );
  }
  const fixed = bound !== undefined && stream !== undefined && tail !== undefined;
  return { after, pass: fixed ? { bound, stream, tail } : null };
}

function parse(text: string): z.infer<typeof content> {
  try {
    return content.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw damaged();
  }
}

const damaged = () => new Problem('invalid_cursor', 'The cursor is not one that sync has given.');
