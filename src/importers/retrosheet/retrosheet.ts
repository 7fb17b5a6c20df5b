/**
 * Retrosheet's games of Major League Baseball: Retrosplits' CSV files of team totals, game logs with line scores, and the
 * players of the Baseball Databank.
 */
import { inputFiles } from '../files.ts';
import type { Importer } from '../importer.ts';
import { RETROSHEET } from './game.ts';
import { GAME_LOG, readGameLog } from './game-log.ts';
import { readPeople } from './people.ts';
import { readRetrosplits } from './retrosplits.ts';

const SPLITS = /^(?:retrosplits-)?teams-\d{4}\.csv$/u;
const PEOPLE = /^(?:baseballdatabank-)?People\.csv$/u;

export const retrosheet: Importer = {
  format: RETROSHEET,
  provider: RETROSHEET,
  description: 'baseball: teams-2024.csv of Retrosplits, game logs (GL2024.TXT, GLWS.TXT), People.csv',
  async *read(path, meter) {
    const kinds = [
      [SPLITS, readRetrosplits],
      [GAME_LOG, readGameLog],
      [PEOPLE, readPeople],
    ] as const;
    const files = await inputFiles(
      path,
      'files of Retrosheet such as teams-2024.csv or GL2024.TXT',
      ({ name }) => kinds.some(([pattern]) => pattern.test(name)),
      meter,
    );
    for (const file of files) yield* kinds.find(([pattern]) => pattern.test(file.name))![1](file);
  },
};
