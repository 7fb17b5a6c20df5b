/** All importers. data/open-data.csv lists the open data folders that each one reads. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dataRows } from '../wire/data-file.ts';
import { aflTables } from './afl-tables/afl-tables.ts';
import { cricsheet } from './cricsheet/cricsheet.ts';
import { euroleague } from './euroleague/euroleague.ts';
import { ImportError } from './files.ts';
import { fivethirtyeight } from './fivethirtyeight/fivethirtyeight.ts';
import { fivethirtyeightElo } from './fivethirtyeight-elo/fivethirtyeight-elo.ts';
import { fjelstul } from './fjelstul/fjelstul.ts';
import { footballData } from './football-data/football-data.ts';
import { footballTxt } from './football-txt/football-txt.ts';
import type { Importer } from './importer.ts';
import { internationalResults } from './international-results/international-results.ts';
import { formerNames } from './names/former-names.ts';
import { BUILT_IN_NAMES, hasBuiltInNames, names } from './names/names.ts';
import { nfl } from './nfl/nfl.ts';
import { nhl } from './nhl/nhl.ts';
import { nhlData } from './nhl-data/nhl-data.ts';
import { openfootballClubs } from './openfootball/clubs.ts';
import { openfootballJson } from './openfootball/openfootball-json.ts';
import { openfootballPlayers } from './openfootball/players.ts';
import { rankings } from './ranking-lists/ranking-lists.ts';
import { reep } from './reep/reep.ts';
import { retrosheet } from './retrosheet/retrosheet.ts';
import { rugbyData } from './rugby-data/rugby-data.ts';
import { schochastics } from './schochastics/schochastics.ts';
import { tennisAtp, tennisWta } from './tennis/tennis.ts';
import { tournaments } from './tournaments/tournaments.ts';
import { transfers } from './transfer-lists/transfer-lists.ts';
import { venues } from './venues/venues.ts';
import { volleystat } from './volleystat/volleystat.ts';
import { wyscout } from './wyscout/wyscout.ts';

const DATA_SETS = dataRows('open-data.csv', ['folder', 'format', 'files', 'repository', 'licence']);

/** Lists the public data sets, each with the folder that an open data import expects, the licence and the address. */
export const listDataSets = (): string[] =>
  DATA_SETS.filter(({ repository }) => repository !== '').map(
    ({ folder, licence, repository }) => `${folder.padEnd(32)} ${licence.padEnd(42)} ${repository}`,
  );

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
  retrosheet,
  rugbyData,
  nfl,
  aflTables,
  volleystat,
  euroleague,
  nhl,
  nhlData,
  fivethirtyeightElo,
  cricsheet,
  venues,
  rankings,
  transfers,
  reep,
  tennisAtp,
  tennisWta,
];

export const findImporter = (format: string): Importer | undefined =>
  IMPORTERS.find((importer) => importer.format === format);

/**
 * Returns the data sets in a folder.
 * @throws ImportError if `folder` contains no data set
 */
export async function dataSets(folder: string): Promise<{ importer: Importer; path: string }[]> {
  const found: { importer: Importer; path: string }[] = [];
  for (const set of DATA_SETS) {
    const importer = findImporter(set.format);
    if (!importer) throw new Error(`data/open-data.csv: there is no format ${set.format}`);
    const path = join(folder, set.folder);
    const held = await readdir(path).catch(() => undefined);
    if (held && (set.files === '' || held.some((file) => file.startsWith(set.files)))) found.push({ importer, path });
  }
  if (found.length === 0) {
    throw new ImportError(
      `${folder}: no open data there; expected folders ${DATA_SETS.map((set) => set.folder).join(', ')}`,
    );
  }
  const ours = (await hasBuiltInNames()) ? [{ importer: names, path: BUILT_IN_NAMES }] : [];
  return [{ importer: tournaments, path: folder }, ...ours, ...found];
}
