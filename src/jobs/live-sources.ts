/** The jobs that poll public sources. Each provider has its own job, so that a slow provider delays only itself. */
import { ConfigError } from '../config/variable.ts';
import type { Queryable } from '../db/postgres.ts';
import { precedenceVariables } from '../identity/config.ts';
import { EntityCache } from '../identity/entities.ts';
import { missingConsent, type PollingConfig, pollingVariables } from '../polling/config.ts';
import { DefinitionChanged, readDeclaredSources } from '../polling/declared-sources.ts';
import { Poller } from '../polling/poller.ts';
import type { Provider } from '../providers/provider.ts';
import { PROVIDERS } from '../providers/providers.ts';
import { retireSources } from '../sources/index.ts';
import { defineJob, type Job, jobLease } from './job.ts';

/**
 * Checks that the operator has given what the sources' owners require, and hides sources that are no longer polled.
 * @throws {ConfigError} if something is missing
 */
export async function prepareSources(config: PollingConfig, db: Queryable): Promise<void> {
  const isPolled = (provider: Provider) => config.providers.some(({ name }) => name === provider.name);
  const missing = PROVIDERS.filter(isPolled).flatMap((provider) => missingConsent(provider, config) ?? []);
  if (missing.length > 0) throw new ConfigError(missing.map((reason) => `PROVIDERS: ${reason}`));
  const declared = await readDeclaredSources(db);
  const isDeclared = (name: string) => declared.some(({ provider }) => provider === name);
  const others = PROVIDERS.filter((provider) => !isPolled(provider) && !isDeclared(provider.name)).map(
    ({ name }) => name,
  );
  await retireSources(db, others);
}

/** Pause until the job of a source whose definition has changed is stopped, and begins with the new definition. */
const CHANGED_MS = 1_000;

/**
 * Creates the job that polls a provider, if the configuration has it.
 * @param check runs in each transaction of the poller. It throws DefinitionChanged if the configuration no longer applies
 */
export function pollingJob(provider: Provider, check: (db: Queryable) => Promise<void> = async () => {}): Job {
  const name = `poll_${provider.name.replaceAll('-', '_')}`;
  const lease = jobLease(name);
  return defineJob({
    name,
    summary: `polls ${provider.title}`,
    variables: { ...pollingVariables, ...precedenceVariables },
    lease,
    schedule: { everyMs: 5_000 },
    retryMs: 5_000,
    limitMs: 120_000,
    failed: `polling ${provider.title} failed, retrying`,
    recovered: `polling ${provider.title} works again`,
    open({ config, sources, pool, clock, changes, logger }) {
      const polled = config.providers.find(({ name }) => name === provider.name);
      if (polled === undefined) return null;
      const metrics = sources.addPolled(provider.name);
      const entities = new EntityCache();
      const apply = { config, pool, clock, changes, entities };
      return (generation) => {
        const unfollow = entities.follow(changes);
        const poller = new Poller(
          {
            apply,
            clock,
            logger,
            metrics,
            url: config.providersUrls[provider.name],
            eventsUrl: config.providersUrls[`${provider.name}.events`] ?? provider.eventsUrl,
            contact: config.providersContact,
            dailyRequests: config.providersDailyRequests[provider.name] ?? provider.dailyRequests,
            transact: (work) =>
              lease.transaction(pool, generation, async (client) => {
                await check(client);
                return work(client);
              }),
          },
          provider,
          polled.scopes,
        );
        return {
          async run(signal) {
            try {
              const { asked, pauseMs } = await poller.turn(signal);
              return { result: asked > 0 ? 'done' : 'idle', pauseMs };
            } catch (error) {
              if (!(error instanceof DefinitionChanged)) throw error;
              return { result: 'idle', pauseMs: CHANGED_MS };
            }
          },
          end: () => {
            unfollow();
            poller.end();
          },
        };
      };
    },
  });
}

export const pollingJobs: readonly Job[] = PROVIDERS.map((provider) => pollingJob(provider));
