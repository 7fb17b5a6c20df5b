/** Reads files whose rows are places in rankings. Collects the rows into snapshots, one for each kind and day. */
import { createHash } from 'node:crypto';
import { isDay } from '../../providers/index.ts';
import type { ListedEntry, RankingKind, Snapshot } from '../../rankings/index.ts';
import { decimal, eachRow, type RequiredColumns, type Row } from '../csv.ts';
import { type FileError, faultAt, type InputFile } from '../files.ts';
import type { ImportItem } from '../importer.ts';

/** A parsed row, or the reason why it is invalid. */
export type ReadRow = { kind: RankingKind; published_at: string; entry: ListedEntry } | string;

interface Gathered {
  kind: RankingKind;
  published_at: string;
  entries: ListedEntry[];
  lines: number[];
  /** Each listed participant's line. */
  lineOf: Map<string, number>;
}

/** An import's rankings. If two files have the same snapshot, the file with the later modification time counts. */
export class RankingFiles {
  #provider: string;
  /** File and content for each kind and day. */
  #taken = new Map<string, { path: string; digest: string }>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Sorts files, the newest first. */
  static inOrder(files: readonly InputFile[]): InputFile[] {
    return files.toSorted((a, b) => compare(b.observedAt, a.observedAt) || compare(b.path, a.path));
  }

  /**
   * Yields a file's rankings. Yields none if the file cannot be read to its end, because the incomplete ranking at the
   * end would replace a complete one.
   * @param required see `csvRows`
   */
  async *read(file: InputFile, required: RequiredColumns, readRow: (row: Row) => ReadRow): AsyncGenerator<ImportItem> {
    const snapshots = new Map<string, Gathered>();
    let isWhole = true;
    const faults = eachRow(file, required, ({ row, line }) => {
      const read = readRow(row);
      return typeof read === 'string' ? read : this.#add(snapshots, read, line);
    });
    for await (const fault of faults) {
      isWhole &&= !fault.endsFile;
      yield fault;
    }
    const inOrder = [...snapshots.values()].toSorted(
      (a, b) => compare(a.published_at, b.published_at) || compare(a.kind, b.kind),
    );
    if (isWhole) for (const gathered of inOrder) yield* this.#itemsOf(gathered, file);
    else yield* lost(inOrder, file);
  }

  /** @returns why the row is left out */
  #add(snapshots: Map<string, Gathered>, { kind, published_at, entry }: Exclude<ReadRow, string>, line: number) {
    const key = listKey(kind, published_at);
    const gathered = snapshots.get(key) ?? newSnapshot(kind, published_at);
    snapshots.set(key, gathered);
    const who = JSON.stringify(entry.who);
    const other = gathered.lineOf.get(who);
    if (other !== undefined) return `is listed already for ${published_at}, in line ${other}`;
    gathered.lineOf.set(who, line);
    gathered.entries.push(entry);
    gathered.lines.push(line);
    return undefined;
  }

  *#itemsOf({ kind, published_at, entries, lines }: Gathered, file: InputFile): Generator<ImportItem> {
    const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
    const other = this.#taken.get(listKey(kind, published_at));
    if (other !== undefined && other.digest !== digest) {
      const detail = `${kind} of ${published_at} is left out: ${other.path}, which is newer, has a different list`;
      for (const line of lines) yield faultAt(`${file.path}:${line}`, detail);
      return;
    }
    this.#taken.set(listKey(kind, published_at), { path: file.path, digest });
    const snapshot: Snapshot = { kind, published_at, provider: this.#provider, entries };
    yield { kind: 'ranking', snapshot, positions: lines.map((line) => `${file.path}:${line}`) };
  }
}

const newSnapshot = (kind: RankingKind, published_at: string): Gathered => ({
  kind,
  published_at,
  entries: [],
  lines: [],
  lineOf: new Map(),
});

function* lost(snapshots: readonly Gathered[], file: InputFile): Generator<FileError> {
  for (const { kind, published_at, lines } of snapshots)
    for (const line of lines) {
      const detail = `${kind} of ${published_at} is left out, since the file could not be read to its end`;
      yield faultAt(`${file.path}:${line}`, detail);
    }
}

const listKey = (kind: string, day: string) => `${kind}|${day}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Earlier days must be mistakes. */
const FIRST_DAY = '1800-01-01';

/** @returns YYYY-MM-DD, or undefined if the text is not an existing day such as 2024-06-10 or 20240610 */
export function parseDay(text: string | undefined): string | undefined {
  const parts = /^(\d{4})(-?)(\d\d)\2(\d\d)$/u.exec(text ?? '');
  if (!parts) return undefined;
  const day = `${parts[1]}-${parts[3]}-${parts[4]}`;
  return day >= FIRST_DAY && isDay(day) ? day : undefined;
}

/** Upper bound for a rank, since no ranking has more places. */
const LAST_RANK = 1_000_000;

/** @returns an error text if rank or points are wrong */
export function readPlace(row: Row): { rank: number; points: number | null } | string {
  const rank = /^\d+$/u.test(row.rank ?? '') ? Number(row.rank) : 0;
  if (rank < 1 || rank > LAST_RANK) return `the rank ${JSON.stringify(row.rank ?? '')} is not a whole number from 1`;
  if (!row.points) return { rank, points: null };
  const points = decimal(row.points);
  if (points === undefined || points < 0 || !Number.isFinite(points))
    return `the points ${JSON.stringify(row.points)} are not a number such as 1250 or 1250.5`;
  return { rank, points };
}
