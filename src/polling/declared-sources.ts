/** Public sources that are declared in the database. They are polled beside the sources in PROVIDERS. */
import { z } from 'zod';
import { httpUrl } from '../config/variable.ts';
import { type PoolAndClock, type Queryable, transaction } from '../db/postgres.ts';
import { invalidParameter, invalidParameters } from '../http/index.ts';
import type { Provider } from '../providers/provider.ts';
import type { Clock } from '../runtime/clock.ts';
import { endBackoff, polledSources, retireSources } from '../sources/index.ts';
import {
  dailyRequests,
  findProvider,
  missingAcceptance,
  type PolledProvider,
  type PollingConfig,
  scopeFault,
} from './config.ts';

/** An upper bound for the size of the resource. */
const MAX_SCOPES = 100;

/** Checked as `PROVIDERS`, `PROVIDERS_ACCEPT`, `PROVIDERS_DAILY_REQUESTS` and `PROVIDERS_URLS` are. */
const definition = z
  .strictObject({
    provider: z.string(),
    /** Empty for the whole source. */
    scopes: z.array(z.string()).max(MAX_SCOPES).default([]),
    accept_terms: z.boolean().default(false),
    daily_requests: dailyRequests.optional(),
    url: httpUrl.refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters').optional(),
  })
  .superRefine((given, ctx) => {
    const report = (field: string, message: string | null) => {
      if (message !== null) ctx.addIssue({ code: 'custom', path: [field], message });
    };
    const provider = findProvider(given.provider);
    if (typeof provider === 'string') return report('provider', provider);
    for (const scope of scopesToPoll(given)) report('scopes', scopeFault(provider, scope));
    report('accept_terms', missingAcceptance(provider, given.accept_terms, 'accept_terms: true'));
  });
type Settings = z.infer<typeof definition>;

export interface DeclaredSource {
  provider: string;
  /** The stored definition as JSON. */
  definition: string;
  /** Null if this version cannot poll the source as it is defined. */
  settings: Settings | null;
}

/** Thrown if a source is no longer declared with the definition with which it is polled. */
export class DefinitionChanged extends Error {}

interface DeclaringDeps extends PoolAndClock {
  /** The sources in PROVIDERS, which cannot be declared. */
  configured: readonly PolledProvider[];
}

/** Returns each scope once; null for the whole source. */
function scopesToPoll({ scopes }: Pick<Settings, 'scopes'>): (string | null)[] {
  return scopes.length === 0 ? [null] : [...new Set(scopes)];
}

const readSettings = (text: string): Settings | null => definition.safeParse(JSON.parse(text)).data ?? null;

/**
 * Reads the declared sources, including sources that this version cannot poll.
 * @param known the result of an earlier read; a source whose definition is the same stays the same object
 */
export async function readDeclaredSources(
  db: Queryable,
  known: readonly DeclaredSource[] = [],
): Promise<DeclaredSource[]> {
  const { rows } = await db.query<{ provider: string; definition: string }>(
    'SELECT provider, definition::text AS definition FROM declared_source ORDER BY provider',
  );
  return rows.map(
    (row) =>
      known.find((one) => one.provider === row.provider && one.definition === row.definition) ?? {
        ...row,
        settings: readSettings(row.definition),
      },
  );
}

/**
 * Checks that a source is still declared with the same definition.
 * @throws {DefinitionChanged}
 */
export async function checkDefinition(db: Queryable, source: Omit<DeclaredSource, 'settings'>): Promise<void> {
  const { rowCount } = await db.query('SELECT FROM declared_source WHERE provider = $1 AND definition::text = $2', [
    source.provider,
    source.definition,
  ]);
  if (rowCount === 0) throw new DefinitionChanged(`the definition of ${source.provider} has changed`);
}

/**
 * Declares a source, or changes its definition. The role `jobs` follows within seconds. As soon as the change is stored,
 * no request is taken from the budget by the former definition.
 * @param given `{ provider, scopes, accept_terms, daily_requests, url }`; all but `provider` are optional
 * @returns whether something was written; false if the source is declared with this definition already
 * @throws {Problem} invalid_parameter for a wrong definition, for terms that are not accepted, and for a source in PROVIDERS
 */
export async function declareSource({ pool, clock, configured }: DeclaringDeps, given: unknown): Promise<boolean> {
  const parsed = definition.safeParse(given);
  if (!parsed.success)
    throw invalidParameters(
      parsed.error.issues.map(({ path, message }) => ({
        parameter: path.join('.') || 'source',
        code: 'invalid',
        detail: message,
      })),
    );
  const { provider, url = null } = parsed.data;
  if (configured.some(({ name }) => name === provider))
    throw invalidParameter('provider', 'conflict', `${provider} is in PROVIDERS, and cannot be a resource, too`);
  return transaction(pool, async (client) => {
    // The first row is the one that is replaced, because the statement sees the table as it was before.
    const { rows } = await client.query<{ before: string | null }>(
      `WITH former AS (SELECT definition ->> 'url' AS url FROM declared_source WHERE provider = $1)
       INSERT INTO declared_source (provider, definition, changed_at) VALUES ($1, $2, $3)
       ON CONFLICT (provider) DO UPDATE SET definition = excluded.definition, changed_at = excluded.changed_at
       WHERE declared_source.definition <> excluded.definition RETURNING (SELECT url FROM former) AS before`,
      [provider, JSON.stringify(given), new Date(clock.now())],
    );
    // The pause after failures concerned the former address.
    if (rows[0] !== undefined && rows[0].before !== url) await endBackoff(client, provider);
    return rows[0] !== undefined;
  });
}

/**
 * Withdraws a source. It is polled no longer. The known state of the matches is kept, in case the source is declared again.
 * @returns false if the source is not declared
 */
export async function withdrawSource(pool: PoolAndClock['pool'], provider: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    const { rowCount } = await client.query('DELETE FROM declared_source WHERE provider = $1', [provider]);
    if (rowCount === 0) return false;
    await retireSources(client, [provider]);
    return true;
  });
}

/** Returns the configuration with which the declared source is polled. */
export function withDeclared<C extends PollingConfig>(config: C, { provider, ...settings }: Settings): C {
  const { accept_terms: isAccepted, daily_requests: daily, url } = settings;
  return {
    ...config,
    providers: [{ name: provider, scopes: scopesToPoll(settings) }],
    providersAccept: isAccepted ? [...config.providersAccept, provider] : config.providersAccept,
    providersDailyRequests: { ...config.providersDailyRequests, ...(daily !== undefined && { [provider]: daily }) },
    providersUrls: { ...config.providersUrls, ...(url !== undefined && { [provider]: url }) },
  };
}

/** What operators see about a source. Times are in the wire format. */
export interface SourceState {
  /** Whether the source has been polled since it was declared or configured. */
  isPolled: boolean;
  answeredAt: string | null;
  /** The reason for the latest failure; null after a good reply. */
  fault: string | null;
  faultSince: string | null;
}

/** Returns what the pollers have last stored, at most some seconds ago. */
export async function sourceState(db: Queryable, clock: Clock, provider: Provider['name']): Promise<SourceState> {
  const found = (await polledSources(db, clock.now())).find(({ name }) => name === provider);
  return {
    isPolled: found !== undefined,
    answeredAt: found?.answered_at ?? null,
    fault: found?.fault ?? null,
    faultSince: found?.fault_since ?? null,
  };
}
