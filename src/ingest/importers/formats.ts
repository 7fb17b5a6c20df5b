/** All importers, and where a folder of open data has what each of them reads. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError } from './files.ts';
import { fjelstul } from './fjelstul.ts';
import { footballData } from './football-data.ts';
import type { Importer } from './importer.ts';
import { openfootballJson } from './openfootball-json.ts';
import { tournaments } from './tournaments.ts';

/** Folder of a data set below the open data -> its importer, in the order of a whole import. */
const DATA_SETS: readonly (readonly [folder: string, importer: Importer])[] = [
  ['football-datasets', footballData],
  ['openfootball/football.json', openfootballJson],
  ['openfootball/worldcup.json', openfootballJson],
  ['fjelstul-worldcup', fjelstul],
];

export const IMPORTERS: readonly Importer[] = [tournaments, footballData, openfootballJson, fjelstul];

export const importerOf = (format: string): Importer | undefined =>
  IMPORTERS.find((importer) => importer.format === format);

/** @throws ImportError when `folder` has none of them */
export async function dataSets(folder: string): Promise<{ importer: Importer; path: string }[]> {
  const found: { importer: Importer; path: string }[] = [];
  for (const [name, importer] of DATA_SETS) {
    const path = join(folder, name);
    if (await stat(path).catch(() => undefined)) found.push({ importer, path });
  }
  if (found.length === 0) {
    throw new ImportError(
      `${folder}: no open data there; expected folders ${DATA_SETS.map(([name]) => name).join(', ')}`,
    );
  }
  return [{ importer: tournaments, path: folder }, ...found];
}
