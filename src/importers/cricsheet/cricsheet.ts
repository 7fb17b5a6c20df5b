/**
 * Cricsheet's archive in JSON: a file for each match, with every delivery, in a folder or in the zip archives that the site offers.
 * Any competition, of men and women. Licence: ODC-BY 1.0.
 */
import type { InputFile } from '../files.ts';
import { faultAt, reason, textDamage, wholeText } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { firstIssue } from '../json.ts';
import { zipFiles } from '../zip.ts';
import { PROVIDER } from './competition.ts';
import { absentMatches } from './listed-matches.ts';
import { readMatch } from './match.ts';
import { matchFile } from './match-file.ts';

const isMatch = (name: string) => /^[\w-]+\.json$/u.test(name);

export const cricsheet = fileImporter({
  format: 'cricsheet',
  provider: PROVIDER,
  description: "Cricsheet's JSON files, or its zip archives of them: cricket matches ball by ball",
  expected: 'JSON files or zip archives from cricsheet.org',
  accepts: ({ name }) => isMatch(name) || name.endsWith('.zip'),
  readFiles: readArchive,
});

/** Yields the matches, and then the listed matches of the same seasons that are not in the archive. */
async function* readArchive(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const seasons = new Map<string, { tournament: string; season: string; observedAt: string }>();
  for (const file of files) {
    for await (const item of readFile(file)) {
      yield item;
      if (item.kind !== 'update' || item.update.kind !== 'match') continue;
      const { tournament, season } = item.update.match;
      const key = `${tournament.name} ${season.label}`;
      seasons.set(key, { tournament: tournament.name, season: season.label, observedAt: item.update.observed_at });
    }
  }
  for (const { tournament, season, observedAt } of seasons.values())
    for (const { position, update } of absentMatches(tournament, season, observedAt)) yield toItem(position, update);
}

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  if (!file.name.endsWith('.zip')) {
    const text = await wholeText(file).catch((error: unknown) => error);
    yield typeof text === 'string'
      ? readText(file.path, file.name, text, file)
      : faultAt(file.path, `cannot be read: ${reason(text)}`);
    return;
  }
  for await (const entry of zipFiles(file, isMatch)) {
    yield 'kind' in entry ? entry : readText(entry.position, entry.name, entry.text, file);
  }
}

function readText(position: string, name: string, text: string, { observedAt }: InputFile): ImportItem {
  const damage = textDamage(text);
  if (damage !== undefined) return faultAt(position, damage);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return faultAt(position, `is not JSON: ${reason(error)}`);
  }
  const { success, data, error } = matchFile.safeParse(value);
  if (!success) return faultAt(position, `is not a match of Cricsheet: ${firstIssue(error)}`);
  return toItem(position, readMatch(name.replace(/\.json$/u, ''), data, observedAt));
}
