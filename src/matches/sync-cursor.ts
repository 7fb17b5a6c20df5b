/**
 * The sync cursor. It is opaque to clients, belongs to certain filters, and never expires. It has a checksum instead of a
 * signature, because a signature's secret might be rotated one day. A forged cursor gives no access to anything that is not
 * available without it.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { Problem } from '../http/index.ts';
import { type Position, positionText, readPosition } from '../wire/position.ts';

/** Values that a pass's first page determines for all its pages. */
export interface SyncPass {
  /** The newest change cursor when the first page was read. The pass ends there. */
  bound: number;
  /** The event log cursor from which a stream continues after the pass, without a gap. */
  stream: number;
  /** True once the pass reads its tail. The tail contains the changes since the first page, by match id. */
  tail: boolean;
}

export interface SyncPosition {
  /**
   * How far changes have been delivered. In a pass, this is the last delivered change cursor. In a tail, it is the lowest
   * delivered match id.
   */
  after: number;
  /** Null if the next page starts a new pass. */
  pass: SyncPass | null;
  /** The position in the write-ahead log that the pages before have shown, if there are replicas. */
  at?: Position;
}

export const START: SyncPosition = { after: 0, pass: null };

/** Increased when the cursor format changes. */
const VERSION = 1;
const CHECKSUM_CHARACTERS = 8;
const FILTER_CHARACTERS = 12;

const position = z.int().min(0);
const changes = z.union([z.tuple([position]), z.tuple([position, position, position, z.boolean()])]);
/** The content without the position in the write-ahead log, with which a cursor ends that was made with replicas. */
const content = z.tuple([z.literal(VERSION), z.string(), changes]);

const digest = (text: string, characters: number) => hash('sha256', text, 'base64url').slice(0, characters);
const filterDigest = (filters: readonly unknown[]) => digest(JSON.stringify(filters), FILTER_CHARACTERS);

/** Returns the text of a cursor. @param filters values to which the cursor belongs. Their order matters */
export function writeCursor({ after, pass, at }: SyncPosition, filters: readonly unknown[]): string {
  const fixed = pass === null ? [] : [pass.bound, pass.stream, pass.tail];
  const located = at ? [positionText(at)] : [];
  const content = [VERSION, filterDigest(filters), after, ...fixed, ...located];
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${digest(text, CHECKSUM_CHARACTERS)}`;
}

/** Parses a cursor. @throws {Problem} invalid_cursor; cursor_filter_mismatch if it was made for other filters */
export function readCursor(cursor: string, filters: readonly unknown[]): SyncPosition {
  const [text = '', checksum, ...rest] = cursor.split('.');
  if (checksum !== digest(text, CHECKSUM_CHARACTERS) || rest.length > 0) throw invalidCursor();
  const { madeFor, changes, at } = parse(text);
  const [after, bound, stream, tail] = changes;
  if (madeFor !== filterDigest(filters)) {
    throw new Problem(
      'cursor_filter_mismatch',
      'The cursor belongs to other filters. Send it with the filters that it was created with, or start again without a cursor.',
    );
  }
  const fixed = bound !== undefined && stream !== undefined && tail !== undefined;
  return { after, pass: fixed ? { bound, stream, tail } : null, ...(at !== null && { at }) };
}

function parse(text: string) {
  try {
    const [version, madeFor, ...rest] = z
      .array(z.unknown())
      .parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const last = rest.at(-1);
    const at = typeof last === 'string' ? readPosition(last) : null;
    const given = content.parse([version, madeFor, at === null ? rest : rest.slice(0, -1)]);
    return { madeFor: given[1], changes: given[2], at };
  } catch {
    throw invalidCursor();
  }
}

const invalidCursor = () => new Problem('invalid_cursor', 'The cursor is not a next_cursor that sync has returned.');
