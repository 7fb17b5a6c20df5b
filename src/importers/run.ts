/**
 * Runs an importer into the store, in batches of one transaction each and without events. After an interruption
 * everything that was committed remains; the next run finds it unchanged.
 */
import { type Options, Presets, SingleBar } from 'cli-progress';
import { applyUpdates } from '../apply/apply.ts';
import type { ApplyDeps } from '../apply/interface.ts';
import { identifyParticipant } from '../identity/identity.ts';
import { findTournament, type KnownTournament } from '../identity/tournaments.ts';
import { type FeedUpdate, type FeedUpdateInput, feedUpdate } from '../wire/feed-update.ts';
import { FileCounts } from './file-counts.ts';
import type { Meter } from './files.ts';
import type { Importer } from './importer.ts';
import { LIST_PROVIDER, tournamentUpdateOf } from './tournaments.ts';

const BATCH_UPDATES = 500;
/** Rejections and files that a summary names. */
const MAX_NAMED = 20;

export interface ImportSummary {
  format: string;
  path: string;
  files: number;
  /** Records of the files: updates and faults. */
  read: number;
  changed: number;
  unchanged: number;
  /** Stored until their matches exist: see apply/pending-updates.ts. */
  pending: number;
  /** Records that could not be read, and updates that were refused. */
  rejected: number;
  /** The first of them: where and why. */
  faults: string[];
  /** How many files were not read to their end, for the reason among the faults. */
  endedEarly: number;
  /** The first files without a record that was taken, and how many there are. */
  withoutRecords: { files: string[]; count: number };
  seconds: number;
}

/** Records whose content is stored now. */
export const taken = ({ changed, unchanged, pending }: ImportSummary) => changed + unchanged + pending;

interface Item {
  position: string;
  update: FeedUpdate;
  /** Not a record of the file: comes from our list of tournaments. */
  own?: boolean;
}

/** @throws ImportError when `path` holds nothing of the format */
export async function runImport(
  deps: ApplyDeps,
  importer: Importer,
  path: string,
  { progress, onRejection }: { progress: boolean; onRejection?: (line: string) => void },
): Promise<ImportSummary> {
  const started = performance.now();
  const summary: ImportSummary = {
    format: importer.format,
    path,
    files: 0,
    read: 0,
    changed: 0,
    unchanged: 0,
    pending: 0,
    rejected: 0,
    faults: [],
    endedEarly: 0,
    withoutRecords: { files: [], count: 0 },
    seconds: 0,
  };
  const reject = (position: string, detail: string) => {
    const line = `${position}: ${detail}`.replaceAll(/\s+/gu, ' ');
    summary.rejected++;
    onRejection?.(line);
    if (summary.faults.length < MAX_NAMED) summary.faults.push(line);
  };
  const meter: Meter = { total: 0, done: 0, files: [] };
  const counts = new FileCounts(meter.files);
  const bar = progress ? startBar(importer.format) : undefined;
  const tournaments = new KnownTournaments();
  let applying: Promise<void> = Promise.resolve();
  let batch: Item[] = [];
  const apply = async (items: Item[]) => {
    const results = await applyUpdates(
      deps,
      items.map(({ update }) => update),
      { events: false, ...(importer.existingOnly && { existingOnly: true }) },
    );
    for (const { index, outcome, errors } of results) {
      const { own, position } = items[index]!;
      if (outcome === 'rejected')
        reject(position, (errors ?? []).map(({ path: at, detail }) => `${at} ${detail}`).join('; '));
      else if (!own) {
        summary[outcome === 'accepted' ? 'changed' : outcome]++;
        counts.take(position);
      }
    }
    bar?.setTotal(Math.max(meter.total, 1));
    bar?.update(meter.done, { read: summary.read });
  };
  /** Applies one batch while the next is read. */
  const flush = async () => {
    await applying;
    applying = apply(batch);
    applying.catch(() => undefined); // Awaited, and thrown, at the next flush.
    batch = [];
  };
  try {
    for await (const item of importer.read(path, meter)) {
      summary.read++;
      if (item.kind === 'update') batch.push(...tournaments.before(item.update));
      if (item.kind === 'fault') {
        reject(item.position, item.detail);
        if (item.endsFile) summary.endedEarly++;
        continue;
      }
      const parsed = feedUpdate.safeParse(item.update);
      if (parsed.success)
        batch.push({ position: item.position, update: parsed.data }, ...tournaments.after(item.update));
      else
        reject(
          item.position,
          parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
        );
      if (batch.length >= BATCH_UPDATES) await flush();
    }
    await flush();
    await applying;
  } finally {
    await applying.catch(() => undefined);
    bar?.update(meter.total, { read: summary.read });
    bar?.stop();
  }
  const without = counts.withoutRecords();
  summary.files = meter.files.length;
  summary.withoutRecords = { files: without.slice(0, MAX_NAMED), count: without.length };
  summary.seconds = (performance.now() - started) / 1000;
  return summary;
}

/**
 * Updates from our own list of tournaments, added to those of the files: of each tournament before its first match, since matching
 * the matches of two sources depends on it and must not depend on whether the list was imported before; and of matches whose
 * result the organiser set.
 */
class KnownTournaments {
  #added = new Set<KnownTournament>();

  before(update: FeedUpdateInput): Item[] {
    const known = this.#of(update);
    if (!known || this.#added.has(known)) return [];
    this.#added.add(known);
    return [own(known, tournamentUpdateOf(known, update.observed_at))];
  }

  after(update: FeedUpdateInput): Item[] {
    const known = this.#of(update);
    if (update.kind !== 'match' || !known) return [];
    const { season, home, away, sport } = update.match;
    const name = (side: typeof home) => identifyParticipant({ ...side, type: 'team', sport }).name;
    const found = known.awarded[season.label]?.find(([first, second]) => first === name(home) && second === name(away));
    if (!found) return [];
    const [first, second, scored, conceded] = found;
    const { country } = known;
    const match = {
      id: `awarded/${country}/${known.name}/${season.label}/${first}/${second}`,
      sport,
      tournament: { name: known.name, country, gender: known.gender },
      season,
      home: { name: first, country },
      away: { name: second, country },
      status_detail: 'awarded' as const,
      score: { home: scored, away: conceded },
      period_scores: [],
    };
    return [own(known, { ...update, provider: LIST_PROVIDER, match })];
  }

  #of(update: FeedUpdateInput): KnownTournament | undefined {
    if (update.kind !== 'match') return undefined;
    const { sport, tournament } = update.match;
    return findTournament(sport, tournament.country, tournament.gender ?? 'men', tournament.name);
  }
}

const own = (known: KnownTournament, update: FeedUpdateInput): Item => ({
  position: `tournaments.yaml: ${known.name}`,
  update: feedUpdate.parse(update),
  own: true,
});

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
