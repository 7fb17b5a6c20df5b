/**
 * Reads names in other languages from CSV with columns entity (participant, tournament), sport, country, name, locale,
 * text, and optionally gender (the default is men). If no file is given, the built-in names.csv is read, which was
 * written for this project.
 */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FeedUpdateInput } from '../../wire/feed-update.ts';
import { gender as genders } from '../../wire/feed-values.ts';
import { type CsvRow, csvUpdates } from '../csv.ts';
import { participantUpdate, tournamentUpdate } from '../feed-updates.ts';
import type { InputFile } from '../files.ts';
import { eachFile, fileImporter } from '../importer.ts';

const PROVIDER = 'touchline';
/** The path to the built-in file. */
export const BUILT_IN_NAMES = fileURLToPath(new URL('../../../data/names.csv', import.meta.url));

export const names = fileImporter({
  format: 'names',
  provider: PROVIDER,
  description: 'CSV of names: entity, sport, country, name, locale, text',
  expected: 'a CSV file of names',
  accepts: ({ name }) => name.endsWith('.csv'),
  readFiles: eachFile((file) => csvUpdates(file, ['entity', 'name', 'locale', 'text'], (row) => readName(row, file))),
});

export const hasBuiltInNames = async () => (await stat(BUILT_IN_NAMES).catch(() => undefined)) !== undefined;

function readName({ row }: CsvRow, file: InputFile): FeedUpdateInput | string {
  const { entity, name, locale, text } = row;
  if (!name || !text) return 'the name or its translation is missing';
  if (locale !== 'ru' && locale !== 'en') return `the locale ${JSON.stringify(locale)} is not known: en or ru`;
  const sport = row.sport || 'football';
  const parsed = genders.safeParse(row.gender || 'men');
  if (!parsed.success) return `${JSON.stringify(row.gender)} is not a gender`;
  const gender = parsed.data;
  const country = row.country || undefined;
  if (entity === 'participant') {
    const shown = locale === 'ru' ? { name_ru: text } : { aliases: [{ name: text, locale: 'en' as const }] };
    const team = { type: 'team', sport, gender, name, ...(country && { country }), ...shown } as const;
    return participantUpdate(PROVIDER, file, team);
  }
  if (entity === 'tournament') {
    if (!country) return 'a tournament needs its country';
    if (locale !== 'ru') return 'a tournament has no other English names';
    return tournamentUpdate(PROVIDER, file, { sport, gender, country, name, name_ru: text });
  }
  return `the entity ${JSON.stringify(entity)} is not known: participant or tournament`;
}
