/**
 * The sync cursor is opaque to clients, bound to its filters, and valid for ever. It has a checksum instead of a
 * signature, whose secret might be rotated one day. A forged cursor gives access to nothing that is not available
 * without one.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { Problem } from '../http/index.ts';

/** State that a pass fixes on the first page for the following pages. */
export interface SyncPass {
  /** The last change cursor at the first page, where the pass ends. */
  bound: number;
  /** The position from which a stream follows the pass without a gap. */
  stream: number;
  /** True if the pass has reached its tail, which contains the changes since the first page, by match id. */
  tail: boolean;
}

export interface SyncPosition {
  /** Changes up to this cursor have been delivered. In a tail, matches from this id on have been. */
  after: number;
  /** null if the next page starts a pass */
  pass: SyncPass | null;
}

export const START: SyncPosition = { after: 0, pass: null };

/** Raised when the cursor format changes. */
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

/** @throws {Problem} invalid_cursor; cursor_filter_mismatch if it was made for different filters */
export function readCursor(cursor: string, filters: readonly unknown[]): SyncPosition {
  const [text = '', checksum, ...rest] = cursor.split('.');
  if (checksum !== digest(text, CHECKSUM_CHARACTERS) || rest.length > 0) throw invalidCursor();
  const [, madeFor, after, bound, stream, tail] = parse(text);
  if (madeFor !== filterDigest(filters)) {
    throw new Problem(
      'cursor_filter_mismatch',
      'The cursor belongs to other filters: send the filters that it was made with, or no cursor to start again.',
    );
  }
  const fixed = bound !== undefined && stream !== undefined && tail !== undefined;
  return { after, pass: fixed ? { bound, stream, tail } : null };
}

function parse(text: string): z.infer<typeof content> {
  try {
    return content.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidCursor();
  }
}

const invalidCursor = () => new Problem('invalid_cursor', 'The cursor is not a next_cursor of sync.');
