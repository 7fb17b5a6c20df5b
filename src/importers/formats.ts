/** All importers, and the folders of the open data that each of them reads. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { euroleague } from './euroleague/euroleague.ts';
import { ImportError } from './files.ts';
import { fivethirtyeight } from './fivethirtyeight/fivethirtyeight.ts';
import { fjelstul } from './fjelstul/fjelstul.ts';
import { footballData } from './football-data/football-data.ts';
import { footballTxt } from './football-txt/football-txt.ts';
import type { Importer } from './importer.ts';
import { internationalResults } from './international-results/international-results.ts';
import { formerNames } from './names/former-names.ts';
import { BUILT_IN_NAMES, hasBuiltInNames, names } from './names/names.ts';
import { nfl } from './nfl/nfl.ts';
import { nhl } from './nhl/nhl.ts';
import { openfootballClubs } from './openfootball/clubs.ts';
import { openfootballJson } from './openfootball/openfootball-json.ts';
import { openfootballPlayers } from './openfootball/players.ts';
import { rankings } from './ranking-lists/ranking-lists.ts';
import { retrosheet } from './retrosheet/retrosheet.ts';
import { rugbyData } from './rugby-data/rugby-data.ts';
import { schochastics } from './schochastics/schochastics.ts';
import { tennisAtp, tennisWta } from './tennis/tennis.ts';
import { tournaments } from './tournaments/tournaments.ts';
import { transfers } from './transfer-lists/transfer-lists.ts';
import { venues } from './venues/venues.ts';
import { wyscout } from './wyscout/wyscout.ts';

interface Source {
  /** Address of a git repository. */
  repository: string;
  /** As the source states it. */
  licence: string;
}

const github = (name: string, licence: string): Source => ({ repository: `https://github.com/${name}`, licence });
const openfootball = (name: string) => github(`openfootball/${name}`, 'CC0 1.0');

/**
 * Folders of data sets below the open data, in the order of a full import. A folder without a source has files of the user. Two
 * formats in one folder have patterns of their files, of which it may have those of one only.
 */
const DATA_SETS: readonly (readonly [folder: string, importer: Importer, source?: Source, files?: RegExp])[] = [
  ['openfootball/clubs', openfootballClubs, openfootball('clubs')],
  ['venues', venues, github('jokecamp/FootballData', 'MIT')],
  ['openfootball/players', openfootballPlayers, openfootball('players')],
  ['football-datasets', footballData, github('datasets/football-datasets', 'PDDL 1.0')],
  ['football-data', footballData],
  ['openfootball/football.json', openfootballJson, openfootball('football.json')],
  ['openfootball/worldcup.json', openfootballJson, openfootball('worldcup.json')],
  ['openfootball/champions-league', footballTxt, openfootball('champions-league')],
  ['openfootball/euro', footballTxt, openfootball('euro')],
  ['openfootball/europe', footballTxt, openfootball('europe')],
  ['fjelstul-worldcup', fjelstul, github('jfjelstul/worldcup', 'CC BY-SA 4.0')],
  ['international-results', internationalResults, github('martj42/international_results', 'CC0 1.0')],
  ['wyscout', wyscout, github('koenvo/wyscout-soccer-match-event-dataset', 'CC BY 4.0')],
  ['schochastics', schochastics, github('schochastics/football-data', 'ODC-BY 1.0')],
  ['fivethirtyeight', fivethirtyeight, github('fivethirtyeight/data', 'CC BY 4.0'), /^spi_matches/u],
  ['fivethirtyeight', nfl, github('fivethirtyeight/nfl-elo-game', 'MIT'), /^nfl_games/u],
  ['baseball', retrosheet, github('chadwickbureau/retrosplits', 'ODbL 1.0')],
  ['rugby', rugbyData, github('transientlunatic/Rugby-Data', 'MIT')],
  ['euroleague', euroleague, github('solmos/eurolig', 'MIT')],
  ['providers/euroleague', euroleague],
  ['providers/nhl', nhl],
  ['tennis_atp', tennisAtp, github('JeffSackmann/tennis_atp', 'CC BY-NC-SA 4.0, not for commercial use')],
  ['tennis_wta', tennisWta, github('JeffSackmann/tennis_wta', 'CC BY-NC-SA 4.0, not for commercial use')],
  ['rankings', rankings],
  ['transfers', transfers],
];

/** Lists the public data sets: the folder that an import of open data expects, the licence, the address. */
export const listDataSets = (): string[] =>
  DATA_SETS.flatMap(([folder, , source]) =>
    source === undefined ? [] : [`${folder.padEnd(32)} ${source.licence.padEnd(42)} ${source.repository}`],
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
  euroleague,
  nhl,
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
  for (const [name, importer, , files] of DATA_SETS) {
    const path = join(folder, name);
    const held = await readdir(path).catch(() => undefined);
    if (held && (files === undefined || held.some((file) => files.test(file)))) found.push({ importer, path });
  }
  if (found.length === 0) {
    throw new ImportError(
      `${folder}: no open data there; expected folders ${DATA_SETS.map(([name]) => name).join(', ')}`,
    );
  }
  const ours = (await hasBuiltInNames()) ? [{ importer: names, path: BUILT_IN_NAMES }] : [];
  return [{ importer: tournaments, path: folder }, ...ours, ...found];
}
