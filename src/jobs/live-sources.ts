/** The jobs that poll public sources: one for each provider, so that none delays another. */
import { ConfigError } from '../config/variable.ts';
import { precedenceVariables } from '../identity/config.ts';
import { EntityCache } from '../identity/entities.ts';
import { missingConsent, type PollingConfig, pollingVariables } from '../polling/config.ts';
import { Poller } from '../polling/poller.ts';
import type { Provider } from '../providers/provider.ts';
import { PROVIDERS } from '../providers/providers.ts';
import { defineJob, type Job, jobLease } from './job.ts';

/** @throws {ConfigError} if a provider is configured without what its owner requires */
export function checkConsent(config: PollingConfig): void {
  const missing = PROVIDERS.filter((provider) => config.providers.some(({ name }) => name === provider.name)).flatMap(
    (provider) => missingConsent(provider, config) ?? [],
  );
  if (missing.length > 0) throw new ConfigError(missing.map((reason) => `PROVIDERS: ${reason}`));
}

function pollingJob(provider: Provider): Job {
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
            url: config.providersUrls[provider.name] ?? provider.baseUrl,
            eventsUrl: config.providersUrls[`${provider.name}.events`] ?? provider.eventsUrl,
            contact: config.providersContact,
            transact: (work) => lease.transaction(pool, generation, work),
          },
          provider,
          polled.scopes,
        );
        return {
          async run(signal) {
            const { asked, pauseMs } = await poller.turn(signal);
            return { result: asked > 0 ? 'done' : 'idle', pauseMs };
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

export const pollingJobs: readonly Job[] = PROVIDERS.map(pollingJob);
