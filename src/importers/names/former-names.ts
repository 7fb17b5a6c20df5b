/**
 * Former names of teams: CSV with columns team, name, valid_from, valid_to, and if needed sport, gender, country,
 * name_ru. Days are inclusive; an empty one is open. The lines of a team are its complete list, which replaces the
 * built-in one: if one of them is wrong, none is applied.
 */
import { identifyParticipant, storedKey } from '../../identity/entity-keys.ts';
import type { FeedUpdateInput } from '../../wire/feed-update.ts';
import { type FormerName, formerName, overlappingNames } from '../../wire/former-names.ts';
import { type CsvRow, csvUpdates, type Row } from '../csv.ts';
import { fileImporter, type ImportItem } from '../importer.ts';

const PROVIDER = 'touchline';

interface Line {
  position: string;
  /** Undefined: the line is wrong, and has been reported. */
  name: FormerName | undefined;
}
interface Team {
  row: Row;
  observedAt: string;
  lines: Line[];
}

export const formerNames = fileImporter({
  format: 'former-names',
  provider: PROVIDER,
  description: 'CSV of former names: sport, gender, country, team, name, name_ru, valid_from, valid_to',
  existingOnly: true,
  expected: 'a CSV file of former names',
  accepts: ({ name }) => name.endsWith('.csv'),
  async *readFiles(files) {
    const teams = new Map<string, Team>();
    for (const file of files)
      yield* csvUpdates(file, ['team', 'name', 'valid_from', 'valid_to'], (line) => {
        const { name, fault } = readName(line.row);
        addLine(teams, line, file.observedAt, name);
        return fault;
      });
    for (const team of teams.values()) yield* itemsOf(team);
  },
});

function addLine(teams: Map<string, Team>, { row, position }: CsvRow, observedAt: string, name: Line['name']): void {
  if (!row.team) return;
  const { sport, gender, country, name: team } = refer(row);
  const key = `${sport}|${gender}|${storedKey(identifyParticipant({ type: 'team', sport, country, name: team }))}`;
  const known = teams.get(key) ?? { row, observedAt, lines: [] };
  teams.set(key, known);
  known.lines.push({ position, name });
}

const refer = (row: Row) => ({
  sport: row.sport || 'football',
  gender: (row.gender || 'men') as 'men',
  name: row.team!,
  ...(row.country && { country: row.country }),
});

const COLUMNS: Record<string, string> = { from: 'valid_from', to: 'valid_to' };

function readName(row: Row): { name?: FormerName; fault?: string } {
  if (!row.team || !row.name) return { fault: 'the team or its former name is missing' };
  const parsed = formerName.safeParse({
    name: row.name,
    name_ru: row.name_ru || null,
    from: row.valid_from || null,
    to: row.valid_to || null,
  });
  if (parsed.success) return { name: parsed.data };
  const [issue] = parsed.error.issues;
  const column = COLUMNS[String(issue!.path[0])] ?? String(issue!.path[0]);
  return { fault: `${column} ${JSON.stringify(row[column] ?? '')}: ${issue!.message}` };
}

/** Yields the update of a team; if its lines contradict one another, or one is wrong, a fault for each line instead. */
function* itemsOf({ row, observedAt, lines }: Team): Generator<ImportItem> {
  const read = lines.filter((line): line is Line & { name: FormerName } => line.name !== undefined);
  const contradictions = new Map(
    overlappingNames(read.map(({ name }) => name)).map(({ index, other }) => [read[index]!, read[other]!]),
  );
  const first = read[0];
  if (first === undefined) return;
  if (contradictions.size === 0 && read.length === lines.length) {
    const update: FeedUpdateInput = {
      schema: 1,
      kind: 'participant',
      provider: PROVIDER,
      observed_at: observedAt,
      participant: { type: 'team', ...refer(row), former_names: read.map(({ name }) => name) },
    };
    yield { kind: 'update', position: first.position, update };
    return;
  }
  for (const line of read) {
    const other = contradictions.get(line);
    const detail = other
      ? `${describePeriod(line.name)} ${samePeriod(line.name, other.name) ? 'repeats' : 'overlaps'} the period of ${other.name.name} in ${other.position}`
      : `not applied: another line of ${row.team} is wrong`;
    yield { kind: 'fault', position: line.position, detail };
  }
}

const describePeriod = ({ from, to }: FormerName) => `${from ?? 'the beginning'} to ${to ?? 'now'}`;
const samePeriod = (a: FormerName, b: FormerName) => a.from === b.from && a.to === b.to;
