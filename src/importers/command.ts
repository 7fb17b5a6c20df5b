/** `touchline import <format> <path…>`. */
import { CommanderError } from 'commander';
import type { ApplyDeps } from '../apply/interface.ts';
import { countPendingUpdates } from '../apply/pending-updates.ts';
import { ImportError } from './files.ts';
import { IMPORTERS, importerOf } from './formats.ts';
import { importImages } from './images.ts';
import { type ImportSummary, importOpenData, runImport } from './run.ts';

/** A folder of data sets of many formats. */
const EVERYTHING = 'open-data';
/** Logos and photos, which are not feed updates. */
const IMAGES = 'images';

/** @throws CommanderError for a format that does not exist, ImportError when a path holds nothing of it */
export async function importCommand(
  deps: ApplyDeps,
  format: string,
  paths: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const importer = importerOf(format);
  if (!importer && format !== EVERYTHING && format !== IMAGES) {
    process.stderr.write(`touchline: unknown format ${format}; formats are\n${formatList()}\n`);
    throw new CommanderError(2, 'touchline.format', `unknown format ${format}`);
  }
  const report = (summary: ImportSummary) => summaryLines(summary).forEach(say);
  for (const path of paths) {
    if (importer) report(await runImport(deps, importer, path, { progress: true }));
    else if (format === IMAGES) report(await imagesOf(deps, path));
    else sumUp(await importOpenData(deps, path, { progress: true, onSummary: report })).forEach(say);
  }
  const pending = await countPendingUpdates(deps.pool);
  if (pending > 0)
    say(`${number(pending)} updates wait for matches that no file imported so far has (table match_pending)`);
}

async function imagesOf(deps: ApplyDeps, folder: string): Promise<ImportSummary> {
  const started = performance.now();
  const { read, stored, unchanged, rejected } = await importImages(deps, folder).catch(
    (error: NodeJS.ErrnoException) => {
      throw ['ENOENT', 'ENOTDIR'].includes(error.code ?? '')
        ? new ImportError(`${folder} is not a folder of images`)
        : error;
    },
  );
  const seconds = (performance.now() - started) / 1_000;
  const faults = rejected.slice(0, 20).map(({ file, detail }) => `${file}: ${detail}`);
  return { format: IMAGES, read, changed: stored, unchanged, pending: 0, rejected: rejected.length, faults, seconds };
}

const OTHERS = [
  { format: IMAGES, description: 'a folder of pictures, each named by a participant id or by provider:id' },
  { format: EVERYTHING, description: 'a folder with many of these, each in a folder of its own' },
];
const formatList = () =>
  [...IMPORTERS, ...OTHERS].map(({ format, description }) => `  ${format.padEnd(24)} ${description}`).join('\n');

/** Updates without a date are stored until the file that creates their matches is imported. */
const waiting = (pending: number) => (pending > 0 ? `${number(pending)} waiting for their matches, ` : '');

const number = (value: number) => value.toLocaleString('en');

function summaryLines(summary: ImportSummary): string[] {
  const { format, read, changed, unchanged, pending, rejected, seconds, faults } = summary;
  const more = rejected - faults.length;
  return [
    `${format}: ${number(read)} read, ${number(changed)} changed, ${number(unchanged)} unchanged, ${waiting(pending)}${number(rejected)} rejected (${seconds.toFixed(1)} s)`,
    ...faults.map((fault) => `  ${fault}`),
    ...(more > 0 ? [`  and ${number(more)} more`] : []),
  ];
}

function sumUp(summaries: readonly ImportSummary[]): string[] {
  const total = (field: 'read' | 'changed' | 'unchanged' | 'rejected' | 'seconds') =>
    summaries.reduce((sum, summary) => sum + summary[field], 0);
  return [
    `all: ${number(total('read'))} read, ${number(total('changed'))} changed, ${number(total('unchanged'))} unchanged, ${number(total('rejected'))} rejected (${total('seconds').toFixed(1)} s)`,
  ];
}
