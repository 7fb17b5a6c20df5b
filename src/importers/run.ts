/**
 * Runs an importer and stores the result in batches. Each batch is one transaction, and no events are sent. After an
 * interruption, the batches that were committed stay, and the next run finds them unchanged.
 */
import { setImmediate } from 'node:timers/promises';
import { type Options, Presets, SingleBar } from 'cli-progress';
import { type ApplyDeps, applyUpdates, drainCardRefresh } from '../apply/index.ts';
import { type Item, KnownTournaments } from '../identity/index.ts';
import { feedUpdate } from '../wire/feed-update.ts';
import type { InputFile, Meter } from './files.ts';
import type { EntryItem, Importer, ImportItem, RankingItem, TransferItem } from './importer.ts';
import { type ItemResult, storeEntryItems, storeRanking, storeTransferItems } from './listed-stores.ts';

const BATCH_UPDATES = 500;
/** Larger, because an entry is one row, and a register has half a million. */
const BATCH_ENTRIES = 2_000;
/**
 * After reading for this long (ms), the import lets the batch that is being applied continue, because its next
 * statement must not wait for the reading.
 */
const TURN_MS = 1;
/** How many rejections, and how many files, a summary names at most. */
const MAX_NAMED = 20;

export interface ImportSummary {
  format: string;
  path: string;
  files: number;
  /** Records in the files: updates and faults. */
  read: number;
  changed: number;
  unchanged: number;
  /** Updates that are stored until their matches exist; see apply/resolve/pending-updates.ts. */
  pending: number;
  /** Records that could not be read, and updates that were refused. */
  rejected: number;
  /** The first rejections, each with position and reason. */
  faults: string[];
  /** How many files were not read to the end. The reasons are in `faults`. */
  endedEarly: number;
  /** The first participants that a list has added to the catalogue, and how many there are. */
  created: { names: string[]; count: number };
  /** The first files from which no record was stored, and how many such files there are. */
  withoutRecords: { files: string[]; count: number };
  seconds: number;
}

/** Returns how many records have their content stored now. */
export const taken = ({ changed, unchanged, pending }: ImportSummary) => changed + unchanged + pending;

/** @throws ImportError if no file under `path` is in the format */
export async function runImport(
  deps: ApplyDeps,
  importer: Importer,
  path: string,
  options: { progress: boolean; onRejection?: (line: string) => void },
): Promise<ImportSummary> {
  const started = performance.now();
  const run = new ImportRun(deps, importer, path, options);
  const summary = await run.read();
  summary.seconds = (performance.now() - started) / 1000;
  return summary;
}

export const emptySummary = (format: string, path: string): ImportSummary => ({
  format,
  path,
  files: 0,
  read: 0,
  changed: 0,
  unchanged: 0,
  pending: 0,
  rejected: 0,
  faults: [],
  endedEarly: 0,
  created: { names: [], count: 0 },
  withoutRecords: { files: [], count: 0 },
  seconds: 0,
});

class ImportRun {
  readonly #deps: ApplyDeps;
  readonly #importer: Importer;
  readonly #summary: ImportSummary;
  readonly #onRejection: ((line: string) => void) | undefined;
  readonly #meter: Meter = { total: 0, done: 0, files: [] };
  readonly #counts = new FileCounts(this.#meter.files);
  readonly #bar: SingleBar | undefined;
  readonly #tournaments = new KnownTournaments();
  #batch: Item[] = [];
  /** Tournament updates that the batch needs. They are applied before the batch. */
  #tournamentsOfBatch: Item[] = [];
  #transfers: TransferItem[] = [];
  #entries: EntryItem[] = [];
  /** Transfers that were stored by this import. */
  readonly #seen = new Set<string>();
  /** The batch that is being applied while the next batch is read. */
  #applying: Promise<void> = Promise.resolve();

  constructor(
    deps: ApplyDeps,
    importer: Importer,
    path: string,
    { progress, onRejection }: { progress: boolean; onRejection?: (line: string) => void },
  ) {
    this.#deps = deps;
    this.#importer = importer;
    this.#summary = emptySummary(importer.format, path);
    this.#onRejection = onRejection;
    this.#bar = progress ? startBar(importer.format) : undefined;
  }

  /** Returns the summary without the time. */
  async read(): Promise<ImportSummary> {
    const summary = this.#summary;
    const meter = this.#meter;
    let turn = performance.now();
    try {
      for await (const item of this.#importer.read(summary.path, meter)) {
        await this.#take(item);
        if (performance.now() - turn < TURN_MS) continue;
        await setImmediate();
        turn = performance.now();
      }
      await this.#flush();
      await this.#applying;
      // Refreshes the cards that are stale because an import was interrupted after it had changed names. Repeating the
      // import would not refresh them, because the names are already stored.
      await drainCardRefresh(this.#deps);
    } finally {
      await this.#applying.catch(() => undefined);
      this.#bar?.update(meter.total, { read: summary.read });
      this.#bar?.stop();
    }
    const without = this.#counts.withoutRecords();
    summary.files = meter.files.length;
    summary.withoutRecords = { files: without.slice(0, MAX_NAMED), count: without.length };
    return summary;
  }

  async #take(item: ImportItem): Promise<void> {
    const summary = this.#summary;
    if (item.kind === 'ranking') {
      summary.read += item.positions.length;
      await this.#flush();
      await this.#start(() => this.#storeRanking(item));
      return;
    }
    summary.read++;
    if (item.kind === 'transfer') {
      this.#transfers.push(item);
      if (this.#transfers.length >= BATCH_UPDATES) await this.#flush();
      return;
    }
    if (item.kind === 'entry') {
      this.#entries.push(item);
      if (this.#entries.length >= BATCH_ENTRIES) await this.#flush();
      return;
    }
    if (item.kind === 'fault') {
      this.#reject(item.position, item.detail);
      if (item.endsFile) summary.endedEarly++;
      return;
    }
    this.#tournamentsOfBatch.push(...this.#tournaments.before(item.update));
    const parsed = feedUpdate.safeParse(item.update);
    if (parsed.success)
      this.#batch.push({ position: item.position, update: parsed.data }, ...this.#tournaments.after(item.update));
    else
      this.#reject(
        item.position,
        parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
      );
    if (this.#batch.length >= BATCH_UPDATES) await this.#flush();
  }

  #flush(): Promise<void> {
    const items = [...this.#tournamentsOfBatch, ...this.#batch];
    const [transfers, entries] = [this.#transfers, this.#entries];
    this.#tournamentsOfBatch = [];
    this.#batch = [];
    this.#transfers = [];
    this.#entries = [];
    return this.#start(async () => {
      await this.#apply(items);
      await this.#storeTransfers(transfers);
      await this.#storeEntries(entries);
    });
  }

  async #start(work: () => Promise<void>): Promise<void> {
    await this.#applying;
    this.#applying = work();
    this.#applying.catch(() => undefined); // An error is thrown where this promise is awaited, that is, when the next batch starts.
  }

  async #apply(items: readonly Item[]): Promise<void> {
    const results = await applyUpdates(
      this.#deps,
      items.map(({ update }) => update),
      { events: false, ...(this.#importer.existingOnly && { existingOnly: true }) },
    );
    for (const { index, outcome, errors } of results) {
      const { own, position } = items[index]!;
      if (outcome === 'rejected')
        this.#reject(position, (errors ?? []).map(({ path: at, detail }) => `${at} ${detail}`).join('; '));
      else if (!own) {
        this.#summary[outcome === 'accepted' ? 'changed' : outcome]++;
        this.#counts.take(position);
      }
    }
    this.#showProgress();
  }

  async #storeRanking({ snapshot, positions }: RankingItem): Promise<void> {
    const { changed, unchanged, rejected, created } = await storeRanking(this.#deps, snapshot);
    const summary = this.#summary;
    summary.changed += changed;
    summary.unchanged += unchanged;
    this.#addCreated(created);
    for (const { at, detail } of rejected) this.#reject(positions[at]!, detail);
    if (changed + unchanged > 0) this.#counts.take(positions[0]!);
    this.#showProgress();
  }

  async #storeTransfers(items: readonly TransferItem[]): Promise<void> {
    if (items.length === 0) return;
    const { outcomes, created } = await storeTransferItems(this.#deps, items, this.#seen);
    this.#addCreated(created);
    this.#countOutcomes(items, outcomes);
  }

  async #storeEntries(items: readonly EntryItem[]): Promise<void> {
    if (items.length > 0) this.#countOutcomes(items, await storeEntryItems(this.#deps, items));
  }

  #countOutcomes(items: readonly { position: string }[], outcomes: readonly ItemResult[]): void {
    for (const [index, result] of outcomes.entries()) {
      const { position } = items[index]!;
      if (result.outcome === 'rejected') this.#reject(position, result.detail);
      else {
        this.#summary[result.outcome]++;
        this.#counts.take(position);
      }
    }
    this.#showProgress();
  }

  #addCreated(added: readonly string[]): void {
    const { created } = this.#summary;
    created.count += added.length;
    created.names.push(...added.slice(0, MAX_NAMED - created.names.length));
  }

  #reject(position: string, detail: string): void {
    const line = `${position}: ${detail}`.replaceAll(/\s+/gu, ' ');
    this.#summary.rejected++;
    this.#onRejection?.(line);
    if (this.#summary.faults.length < MAX_NAMED) this.#summary.faults.push(line);
  }

  #showProgress(): void {
    this.#bar?.setTotal(Math.max(this.#meter.total, 1));
    this.#bar?.update(this.#meter.done, { read: this.#summary.read });
  }
}

/** Finds the files of an import from which no record was stored. */
class FileCounts {
  #files: readonly InputFile[];
  #taken = new Set<string>();

  /** @param files the list may grow while files are read */
  constructor(files: readonly InputFile[]) {
    this.#files = files;
  }

  /** @param position a record's position: the file path, then `:` or `#` and the place in the file */
  take(position: string): void {
    this.#taken.add(position.slice(0, position.search(/[:#][^:#]*$/u)));
  }

  /**
   * Returns the paths of files from which no record was stored. Leaves out files whose rows are parts of records in
   * other files.
   */
  withoutRecords(): string[] {
    return this.#files.filter(({ path, isPart }) => !isPart && !this.#taken.has(path)).map(({ path }) => path);
  }
}

function startBar(format: string): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined;
  const options: Options = {
    format: `${format} {bar} {percentage}% | {read} records | {duration_formatted}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  };
  const bar = new SingleBar(options, Presets.shades_classic);
  bar.start(1, 0, { read: 0 });
  return bar;
}
