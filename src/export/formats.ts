/** Export formats. Each writes one batch of rows at a time, so that a large export needs no more memory than a small one. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column, ColumnType, Row } from '../wire/table-columns.ts';
import { csvLines, ndjsonLines } from '../wire/table-lines.ts';

export type Format = (columns: readonly Column[], batches: AsyncIterable<Row[]>) => AsyncGenerator<string | Buffer>;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const PARQUET_TYPES = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  text: TEXT,
  json: TEXT,
} as const satisfies Record<ColumnType, object>;

function parquetValue(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'integer') return BigInt(value as number);
  if (type === 'time') return new Date(value as string);
  return type === 'json' ? JSON.stringify(value) : value;
}

/** Rows in one Parquet row group. Readers are faster with large groups, but a group stays in memory until it is written. */
const ROW_GROUP = 20_000;

async function* rowGroups(batches: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let group: Row[] = [];
  for await (const rows of batches) {
    for (const row of rows) group.push(row);
    if (group.length < ROW_GROUP) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function* parquet(columns: readonly Column[], batches: AsyncIterable<Row[]>): AsyncGenerator<Buffer> {
  const writer = new ByteWriter();
  const elements = columns.map(({ name, type }) => ({
    name,
    repetition_type: 'OPTIONAL' as const,
    ...PARQUET_TYPES[type],
  }));
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...elements],
    createdBy: 'touchline',
  });
  /** Returns the bytes written since the last call, and empties the buffer. Later offsets still count from the start of the file. */
  const take = () => {
    const bytes = Buffer.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  for await (const rows of rowGroups(batches)) {
    file.write({
      columnData: columns.map(({ name, type, read }) => ({
        name,
        data: rows.map((row) => parquetValue(type, read(row))),
      })),
      rowGroupSize: rows.length,
    });
    yield take();
  }
  file.finish();
  yield take();
}

export const FORMAT_NAMES = ['csv', 'ndjson', 'parquet'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];
export const FORMATS: Readonly<Record<FormatName, Format>> = { csv: csvLines, ndjson: ndjsonLines, parquet };
