/** All importers, and the folders of the open data that each of them reads. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError } from './files.ts';
import { fivethirtyeight } from './fivethirtyeight/fivethirtyeight.ts';
import { fjelstul } from './fjelstul/fjelstul.ts';
import { footballData } from './football-data/football-data.ts';
import { footballTxt } from './football-txt/football-txt.ts';
import type { Importer } from './importer.ts';
import { internationalResults } from './international-results/international-results.ts';
import { formerNames } from './names/former-names.ts';
import { BUILT_IN_NAMES, hasBuiltInNames, names } from './names/names.ts';
import { openfootballClubs } from './openfootball/clubs.ts';
import { openfootballJson } from './openfootball/openfootball-json.ts';
import { openfootballPlayers } from './openfootball/players.ts';
import { rankings } from './rankings/rankings.ts';
import { schochastics } from './schochastics/schochastics.ts';
import { tennisAtp, tennisWta } from './tennis/tennis.ts';
import { tournaments } from './tournaments/tournaments.ts';
import { transfers } from './transfers/transfers.ts';
import { venues } from './venues/venues.ts';
import { wyscout } from './wyscout/wyscout.ts';

/** Folder of a data set below the open data -> its importer, in the order of a full import. */
const DATA_SETS: readonly (readonly [folder: string, importer: Importer])[] = [
  ['openfootball/clubs', openfootballClubs],
  ['venues', venues],
  ['openfootball/players', openfootballPlayers],
  ['football-datasets', footballData],
  ['football-data', footballData],
  ['openfootball/football.json', openfootballJson],
  ['openfootball/worldcup.json', openfootballJson],
  ['openfootball/champions-league', footballTxt],
  ['openfootball/euro', footballTxt],
  ['openfootball/europe', footballTxt],
  ['fjelstul-worldcup', fjelstul],
  ['international-results', internationalResults],
  ['wyscout', wyscout],
  ['schochastics', schochastics],
  ['fivethirtyeight', fivethirtyeight],
  ['tennis_atp', tennisAtp],
  ['tennis_wta', tennisWta],
  ['rankings', rankings],
  ['transfers', transfers],
];

export const IMPORTERS: readonly Importer[] = [
  tournaments,
  names,
  formerNames,
  footballData,
  openfootballJson,
  footballTxt,
  openfootballClubs,
  openfootballPlayers,
  internationalResults,
  fjelstul,
  wyscout,
  schochastics,
  fivethirtyeight,
  venues,
  rankings,
  transfers,
  tennisAtp,
  tennisWta,
];

export const findImporter = (format: string): Importer | undefined =>
  IMPORTERS.find((importer) => importer.format === format);

/** @throws ImportError if `folder` contains none of them */
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
  const ours = (await hasBuiltInNames()) ? [{ importer: names, path: BUILT_IN_NAMES }] : [];
  return [{ importer: tournaments, path: folder }, ...ours, ...found];
}
