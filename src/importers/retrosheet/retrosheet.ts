/**
 * Retrosheet's Major League Baseball games: Retrosplits' CSV files with team totals, game logs with line scores, and
 * the Baseball Databank's players.
 */
import { fileImporter } from '../importer.ts';
import { RETROSHEET } from './game.ts';
import { GAME_LOG, readGameLog } from './game-log.ts';
import { readPeople } from './people.ts';
import { readRetrosplits } from './retrosplits.ts';

const SPLITS = /^(?:retrosplits-)?teams-\d{4}\.csv$/u;
const PEOPLE = /^(?:baseballdatabank-)?People\.csv$/u;

const KINDS = [
  [SPLITS, readRetrosplits],
  [GAME_LOG, readGameLog],
  [PEOPLE, readPeople],
] as const;

export const retrosheet = fileImporter({
  format: RETROSHEET,
  provider: RETROSHEET,
  description: 'baseball: teams-2024.csv of Retrosplits, game logs (GL2024.TXT, GLWS.TXT), People.csv',
  expected: 'files of Retrosheet such as teams-2024.csv or GL2024.TXT',
  accepts: ({ name }) => KINDS.some(([pattern]) => pattern.test(name)),
  async *readFiles(files) {
    for (const file of files)
      for (const [pattern, readFile] of KINDS) if (pattern.test(file.name)) yield* readFile(file);
  },
});
