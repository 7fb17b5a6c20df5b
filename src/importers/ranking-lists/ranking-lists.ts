/**
 * Reads an operator's rankings from CSV with columns kind, published_at, rank, name, and if known points, country,
 * birth_date, id (the operator's) or participant_id (ours). See docs/imports.md.
 */
import { isRankingKind, KIND_NAMES, kindFacts } from '../../rankings/index.ts';
import type { Row } from '../csv.ts';
import { fileImporter } from '../importer.ts';
import { readParticipant } from '../listed-participants.ts';
import { parseDay, RankingFiles, type ReadRow, readPlace } from './ranking-rows.ts';

const PROVIDER = 'touchline';
const COLUMNS = ['kind', ['published_at', 'date'], 'rank', ['name', 'participant_id', 'country']];

export const rankings = fileImporter({
  format: 'rankings',
  provider: PROVIDER,
  description: 'CSV of rankings: kind, published_at, rank, name, points, country, birth_date, id, participant_id',
  expected: 'a CSV file of rankings',
  accepts: ({ name }) => name.endsWith('.csv'),
  async *readFiles(files) {
    const found = new RankingFiles(PROVIDER);
    for (const file of RankingFiles.inOrder(files)) yield* found.read(file, COLUMNS, readRow);
  },
});

const WRITTEN = KIND_NAMES.filter((kind) => !kindFacts(kind).computed);

function readRow(row: Row): ReadRow {
  const { kind } = row;
  if (!kind || !isRankingKind(kind))
    return `the kind ${JSON.stringify(kind ?? '')} is not one of ${WRITTEN.join(', ')}`;
  if (kindFacts(kind).computed) return `${kind} is computed by \`touchline ratings\``;
  const day = row.published_at || row.date;
  const published_at = parseDay(day);
  if (published_at === undefined) return `published_at ${JSON.stringify(day ?? '')} is not a day such as 2024-06-10`;
  const place = readPlace(row);
  if (typeof place === 'string') return place;
  const who = readParticipant(row);
  return typeof who === 'string' ? who : { kind, published_at, entry: { ...place, who } };
}
