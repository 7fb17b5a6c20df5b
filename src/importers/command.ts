/** The command `touchline import <format> <path…>`. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { type ApplyDeps, countPendingUpdates } from '../apply/index.ts';
import { ImportError } from './files.ts';
import { dataSets, findImporter, IMPORTERS } from './formats.ts';
import { importImages } from './images/images.ts';
import { linkLines } from './link-players.ts';
import { registerLines } from './register-lines.ts';
import { describeFailure, detailLines, sportLines, tableHead, tableLine, totals } from './report.ts';
import { emptySummary, type ImportSummary, runImport } from './run.ts';
import { adjustmentsWithoutMatches } from './tournaments/tournaments.ts';

/** A folder with data sets in many formats. */
const EVERYTHING = 'open-data';
/** Logos and photos, which are not feed updates. */
const IMAGES = 'images';

export interface ImportOptions {
  /** A file to which a line for each rejection is written. */
  rejections?: string;
}

/**
 * Imports each path and prints a table, the rejections and the files without records.
 * @throws CommanderError for an unknown format. Error with one line if no record under a path was stored, or if a file
 *   could not be read to its end. Records that have already been stored stay.
 */
export async function importCommand(
  deps: ApplyDeps,
  format: string,
  paths: readonly string[],
  say: (line: string) => void,
  { rejections }: ImportOptions = {},
): Promise<void> {
  if (!findImporter(format) && format !== EVERYTHING && format !== IMAGES) {
    process.stderr.write(`touchline: unknown format ${format}; formats are\n${formatList()}\n`);
    throw new CommanderError(2, 'touchline.format', `unknown format ${format}`);
  }
  const file = rejections === undefined ? undefined : openSync(rejections, 'w');
  const onRejection = (line: string) => {
    if (file !== undefined) writeSync(file, `${line}\n`);
  };
  const summaries: ImportSummary[] = [];
  const failures: string[] = [];
  try {
    for (const path of paths) {
      for (const { of, at, run } of await planRuns(deps, format, path, onRejection).catch(refused)) {
        const summary = await run().catch(refused);
        if (Array.isArray(summary)) continue;
        if (summaries.length === 0) say(tableHead());
        summaries.push(summary);
        say(tableLine(of, summary, at));
      }
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
  function refused(error: unknown): [] {
    if (!(error instanceof ImportError)) throw error;
    failures.push(error.message);
    return [];
  }
  if (summaries.length > 1) say(tableLine('all', totals(summaries)));
  for (const one of summaries.flatMap((summary) => detailLines(summary, rejections))) say(one);
  if (format === EVERYTHING) for (const line of await sportLines(deps.pool)) say(line);
  for (const line of await adjustmentsWithoutMatches(deps.pool)) say(line);
  for (const line of await linkLines(deps)) say(line);
  for (const line of await registerLines(deps.pool)) say(line);
  const pending = await countPendingUpdates(deps.pool);
  if (pending > 0)
    say(
      `${pending.toLocaleString('en')} updates wait for matches that no imported file contains yet (table match_pending)`,
    );
  failures.push(...summaries.map(describeFailure).filter((failure) => failure !== undefined));
  if (failures.length > 0) throw new Error(failures.join('; '));
}

interface Run {
  of: string;
  at: string;
  run: () => Promise<ImportSummary>;
}

/** @throws ImportError if no file is in the format */
async function planRuns(
  deps: ApplyDeps,
  format: string,
  path: string,
  onRejection: (line: string) => void,
): Promise<Run[]> {
  if (format === IMAGES) return [{ of: format, at: path, run: () => importImageFolder(deps, path, onRejection) }];
  const importer = findImporter(format);
  const sets = importer ? [{ importer, path }] : await dataSets(path);
  return sets.map(({ importer, path }) => ({
    of: importer.format,
    at: path,
    run: () => runImport(deps, importer, path, { progress: true, onRejection }),
  }));
}

async function importImageFolder(
  deps: ApplyDeps,
  path: string,
  onRejection: (line: string) => void,
): Promise<ImportSummary> {
  const started = performance.now();
  const { read, stored, unchanged, rejected } = await importImages(deps, path).catch((error: NodeJS.ErrnoException) => {
    throw ['ENOENT', 'ENOTDIR'].includes(error.code ?? '')
      ? new ImportError(`${path} is not a folder of images`)
      : error;
  });
  const lines = rejected.map(({ file, detail }) => `${join(path, file)}: ${detail}`);
  lines.forEach(onRejection);
  return {
    ...emptySummary(IMAGES, path),
    files: read,
    read,
    changed: stored,
    unchanged,
    rejected: lines.length,
    faults: lines.slice(0, 20),
    seconds: (performance.now() - started) / 1_000,
  };
}

const OTHERS = [
  { format: IMAGES, description: 'a folder of pictures, each named by a participant id or by provider:id' },
  { format: EVERYTHING, description: 'a folder with several of these data sets, each in a separate folder' },
];
const formatList = () =>
  [...IMPORTERS, ...OTHERS].map(({ format, description }) => `  ${format.padEnd(24)} ${description}`).join('\n');
