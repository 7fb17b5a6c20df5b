/**
 * Collects what operators see about a polled source: the last reply, the fault, changes, and values that were not
 * understood.
 */
import type { Unknown } from '../providers/provider.ts';
import type { NotUnderstood, PolledMetrics, SourceError, SourceOptions, SourceReport } from '../sources/index.ts';

/** How many values that were not understood are shown to operators. */
const MOST_NOT_UNDERSTOOD = 10;

interface SourceLogOptions extends Pick<SourceOptions, 'clock' | 'logger'> {
  /** The source's name for itself. */
  title: string;
  metrics: PolledMetrics;
}

export class SourceLog {
  readonly #options: SourceLogOptions;
  #answeredAt: number | null = null;
  #fault: { reason: string; since: number } | null = null;
  #changes = 0;
  #notUnderstood: NotUnderstood[] = [];

  constructor(options: SourceLogOptions) {
    this.#options = options;
  }

  /**
   * Ends the fault, if the request was sent after the fault began.
   * @param askedAt when the request was sent, ms
   */
  answered(askedAt: number): void {
    this.#answeredAt = this.#options.clock.now();
    if (this.#fault !== null && this.#fault.since < askedAt) this.#fault = null;
  }

  failed(path: string, { message }: SourceError): void {
    this.#fault = { reason: `${path}: ${message}`, since: this.#fault?.since ?? this.#options.clock.now() };
  }

  changed(count: number): void {
    this.#options.metrics.changed(count);
    this.#changes += count;
  }

  notUnderstood(path: string, unknown: readonly Unknown[]): void {
    const { clock, logger, title, metrics } = this.#options;
    const at = new Date(clock.now()).toISOString();
    for (const one of unknown) {
      metrics.notUnderstood();
      const note = { path: `${path} ${one.path}`.slice(0, 300), value: shortText(one.value), at };
      if (this.#notUnderstood.some((other) => other.path === note.path && other.value === note.value)) continue;
      logger.warn(note, `${title}: a value is not understood, and left out`);
      this.#notUnderstood = [note, ...this.#notUnderstood].slice(0, MOST_NOT_UNDERSTOOD);
    }
  }

  report(dailyRequests: number): SourceReport {
    return {
      dailyRequests,
      answeredAt: this.#answeredAt,
      fault: this.#fault?.reason ?? null,
      faultSince: this.#fault?.since ?? null,
      changes: this.#changes,
      notUnderstood: this.#notUnderstood,
    };
  }

  /** Subtracts the changes in a report that has been stored, so that they are not counted again. */
  saved({ changes }: SourceReport): void {
    this.#changes -= changes;
  }
}

const shortText = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 200);
