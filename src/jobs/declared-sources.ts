/** Starts, changes and stops the polling of sources that are declared in the database, while the process runs. */
import { missingConsent, type pollingVariables } from '../polling/config.ts';
import {
  checkDefinition,
  type DeclaredSource,
  readDeclaredSources,
  withDeclared,
} from '../polling/declared-sources.ts';
import { PROVIDERS } from '../providers/providers.ts';
import { type Loop, startLoop } from '../runtime/loop.ts';
import { saveReport } from '../sources/index.ts';
import type { JobContext } from './job.ts';
import { pollingJob } from './live-sources.ts';
import type { JobMetrics } from './metrics.ts';
import { startJob } from './runner.ts';

type Running = Pick<Loop, 'stop'>;
type Context = JobContext<typeof pollingVariables>;

/** How often the declared sources are read. */
const REFRESH_MS = 5_000;

class DeclaredSources {
  readonly #context: Context;
  readonly #metrics: JobMetrics;
  /** The sources that have been started or refused. */
  readonly #begun = new Map<DeclaredSource, Running | null>();

  constructor(context: Context, metrics: JobMetrics) {
    this.#context = context;
    this.#metrics = metrics;
  }

  /** Stops the sources whose definitions have changed, and starts the new ones. */
  async refresh(): Promise<void> {
    const declared = await readDeclaredSources(this.#context.pool, [...this.#begun.keys()]);
    await this.#end([...this.#begun.keys()].filter((source) => !declared.includes(source)));
    for (const source of declared) if (!this.#begun.has(source)) this.#begun.set(source, await this.#begin(source));
  }

  stop(): Promise<void> {
    return this.#end([...this.#begun.keys()]);
  }

  async #end(sources: readonly DeclaredSource[]): Promise<void> {
    await Promise.all(
      sources.map(async (source) => {
        await this.#begun.get(source)?.stop();
        this.#begun.delete(source);
      }),
    );
  }

  /** @returns null if the source may not be polled; the log says why */
  async #begin(source: DeclaredSource): Promise<Running | null> {
    const { config, logger } = this.#context;
    const provider = PROVIDERS.find(({ name }) => name === source.provider);
    const refuse = (reason: string): null => {
      logger.warn({ source: source.provider, reason }, 'a declared source is not polled');
      return null;
    };
    if (config.providers.some(({ name }) => name === source.provider)) return refuse('PROVIDERS has the source, too');
    if (source.settings === null || provider === undefined) return refuse('this version cannot read the definition');
    const own = withDeclared(config, source.settings);
    const missing = missingConsent(provider, own);
    if (missing !== null) {
      await this.#saveFault(source.provider, missing);
      return refuse(missing);
    }
    const job = pollingJob(provider, (db) => checkDefinition(db, source));
    return startJob(job, { ...this.#context, config: own }, this.#metrics);
  }

  /** Stores the reason, so that operators see it where they see other faults of the source. */
  async #saveFault(name: string, fault: string): Promise<void> {
    const { pool, clock } = this.#context;
    const report = { dailyRequests: 0, answeredAt: null, faultSince: clock.now(), changes: 0, notUnderstood: [] };
    await saveReport(pool, name, { ...report, fault });
  }
}

/** Follows the declared sources until it is stopped. */
export function startDeclaredSources(context: Context, metrics: JobMetrics, everyMs = REFRESH_MS): Running {
  const sources = new DeclaredSources(context, metrics);
  const loop = startLoop({
    run: async () => {
      await sources.refresh();
      return everyMs;
    },
    retryMs: everyMs,
    failed: 'the declared sources cannot be read, polling those that were read last',
    recovered: 'the declared sources are read again',
    logger: context.logger,
  });
  return {
    async stop() {
      await loop.stop();
      await sources.stop();
    },
  };
}
