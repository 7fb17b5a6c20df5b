/**
 * Reads former team names from CSV with columns team, name, valid_from, valid_to, and if needed sport, gender, country,
 * name_ru. Both days are inclusive. An empty day leaves the period open. A team's lines are its complete list, and
 * replace the built-in one. If any line is wrong, none of the team's lines is applied.
 */
import { identifyParticipant, storedKey } from '../../identity/entity-keys.ts';
import { type FormerName, formerName, overlappingNames } from '../../wire/former-names.ts';
import { type CsvRow, csvUpdates, type Row } from '../csv.ts';
import { participantUpdate } from '../feed-updates.ts';
import { faultAt, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';

const PROVIDER = 'touchline';

interface Line {
  position: string;
  /** Undefined if the line is wrong and has been reported. */
  name: FormerName | undefined;
}
interface Team {
  row: Row;
  file: InputFile;
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
        addLine(teams, line, file, name);
        return fault;
      });
    for (const team of teams.values()) yield* itemsOf(team);
  },
});

function addLine(teams: Map<string, Team>, { row, position }: CsvRow, file: InputFile, name: Line['name']): void {
  if (!row.team) return;
  const { sport, gender, country, name: team } = refer(row);
  const key = `${sport}|${gender}|${storedKey(identifyParticipant({ type: 'team', sport, country, name: team }))}`;
  const known = teams.get(key) ?? { row, file, lines: [] };
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

/** Yields a team's update. If a line is wrong or lines contradict each other, yields a fault for each line instead. */
function* itemsOf({ row, file, lines }: Team): Generator<ImportItem> {
  const read = lines.filter((line): line is Line & { name: FormerName } => line.name !== undefined);
  const overlaps = new Map(overlappingNames(read.map(({ name }) => name)).map(({ index, other }) => [index, other]));
  const first = read[0];
  if (first === undefined) return;
  if (overlaps.size === 0 && read.length === lines.length) {
    const team = { type: 'team', ...refer(row), former_names: read.map(({ name }) => name) } as const;
    yield toItem(first.position, participantUpdate(PROVIDER, file, team));
    return;
  }
  for (const [index, line] of read.entries()) {
    const other = read[overlaps.get(index) ?? -1];
    const detail = other
      ? `${describePeriod(line.name)} ${samePeriod(line.name, other.name) ? 'repeats' : 'overlaps'} the period of ${other.name.name} in ${other.position}`
      : `not applied: another line of ${row.team} is wrong`;
    yield faultAt(line.position, detail);
  }
}

const describePeriod = ({ from, to }: FormerName) => `${from ?? 'the beginning'} to ${to ?? 'now'}`;
const samePeriod = (a: FormerName, b: FormerName) => a.from === b.from && a.to === b.to;
