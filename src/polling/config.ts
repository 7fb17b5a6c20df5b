/** Environment variables for polling public sources. */
import { z } from 'zod';
import { type ConfigOf, httpUrl, list, type Variables } from '../config/variable.ts';
import type { Provider } from '../providers/provider.ts';
import { PROVIDERS } from '../providers/providers.ts';

/** A provider with the scopes to read. */
export interface PolledProvider {
  name: string;
  /** Parts of the source, such as leagues. Null reads the whole source. */
  scopes: (string | null)[];
}

const names = PROVIDERS.map(({ name }) => name).join(', ');

/** @returns the provider, or a text that says that there is none with this name */
export const findProvider = (name: string): Provider | string =>
  PROVIDERS.find((provider) => provider.name === name) ?? `${name} is not a provider; providers are ${names}`;
const isKnown = (name: string) => typeof findProvider(name) !== 'string';

/** @returns why a provider has no such scope, or null if it has */
export function scopeFault(provider: Provider, scope: string | null): string | null {
  const begun = provider.start(scope);
  return typeof begun === 'string' ? begun : null;
}

const polled = list.transform((entries, ctx): PolledProvider[] => {
  const byName = new Map<string, PolledProvider>();
  for (const entry of new Set(entries)) {
    const colon = entry.indexOf(':');
    const name = colon === -1 ? entry : entry.slice(0, colon);
    const scope = colon === -1 ? null : entry.slice(colon + 1);
    const provider = findProvider(name);
    if (typeof provider === 'string') {
      ctx.addIssue({ code: 'custom', message: provider });
      continue;
    }
    const fault = scopeFault(provider, scope);
    if (fault !== null) ctx.addIssue({ code: 'custom', message: `${entry}: ${fault}` });
    const known = byName.get(name) ?? { name, scopes: [] };
    known.scopes.push(scope);
    byName.set(name, known);
  }
  return [...byName.values()];
});

/** For example `nhl, mlb`. */
const accepted = list.superRefine((given, ctx) => {
  for (const name of given) {
    const found = findProvider(name);
    if (typeof found === 'string') ctx.addIssue({ code: 'custom', message: found });
  }
});

/** Requests per day. */
export const dailyRequests = z.int().min(1).max(999_999_999);

/** For example `openligadb=http://localhost:9000, squiggle.events=http://localhost:9001`. */
const addresses = list.transform((entries, ctx): Record<string, string> => {
  const urls: Record<string, string> = {};
  for (const entry of entries) {
    const [, name, url] = /^([^=]+)=(.+)$/u.exec(entry) ?? [];
    const parsed = httpUrl.safeParse(url);
    if (name === undefined || !isKnown(name.replace(/\.events$/u, '')))
      ctx.addIssue({ code: 'custom', message: `${entry}: must be <provider>=<address>; providers are ${names}` });
    else if (!parsed.success)
      ctx.addIssue({ code: 'custom', message: `${entry}: the address must begin with http:// or https://` });
    else urls[name] = parsed.data;
  }
  return urls;
});

/** For example `openligadb=20000`. */
const budgets = list.transform((entries, ctx): Record<string, number> => {
  const requests: Record<string, number> = {};
  for (const entry of entries) {
    const [, name, number] = /^([^=]+)=([1-9]\d*)$/u.exec(entry) ?? [];
    const parsed = dailyRequests.safeParse(Number(number));
    if (name === undefined || !isKnown(name) || !parsed.success)
      ctx.addIssue({ code: 'custom', message: `${entry}: must be <provider>=<number>; providers are ${names}` });
    else requests[name] = parsed.data;
  }
  return requests;
});

export const pollingVariables = {
  providers: {
    name: 'PROVIDERS',
    schema: polled.default([]),
    meaning:
      '[public sources](providers.md) that are polled for live matches, separated by commas: `openligadb:bl1,openligadb:bl2`',
  },
  providersAccept: {
    name: 'PROVIDERS_ACCEPT',
    schema: accepted.default([]),
    meaning: 'the sources whose [terms](providers.md#terms) you accept, separated by commas; some need it',
  },
  providersContact: {
    name: 'PROVIDERS_CONTACT',
    schema: z
      .string()
      .trim()
      .min(3)
      .max(200)
      .regex(/^[\x20-\x7e]+$/u, 'must be ASCII')
      .optional(),
    meaning: 'your mail or web address, which is sent to the sources in `User-Agent`; some need it',
  },
  providersDailyRequests: {
    name: 'PROVIDERS_DAILY_REQUESTS',
    schema: budgets.default({}),
    unset: 'the limits that the owners of the sources ask for',
    meaning:
      'different daily request limits (UTC), for a mirror or an agreement with the owner: `openligadb=20000`, separated by commas',
  },
  providersUrls: {
    name: 'PROVIDERS_URLS',
    schema: addresses.default({}),
    unset: "the sources' own",
    meaning:
      'different source addresses, such as a mirror or a [recording](providers.md#record-and-replay): `openligadb=http://localhost:9000`, separated by commas',
  },
} satisfies Variables;
export type PollingConfig = ConfigOf<typeof pollingVariables>;

/**
 * @param how how the operator accepts the terms
 * @returns the reason why a provider may not be polled before its terms are accepted, or null if it may be polled
 */
export function missingAcceptance(
  { requires, notice, title }: Pick<Provider, 'requires' | 'notice' | 'title'>,
  isAccepted: boolean,
  how: string,
): string | null {
  if (requires !== 'acceptance' || isAccepted) return null;
  return `${title} is off until you accept its terms with ${how}: ${notice}`;
}

/** @returns the reason why a provider may not be polled yet, or null if it may be polled */
export function missingConsent(
  provider: Pick<Provider, 'name' | 'requires' | 'notice' | 'title'>,
  { providersAccept, providersContact }: Pick<PollingConfig, 'providersAccept' | 'providersContact'>,
): string | null {
  const { name, requires, notice, title } = provider;
  if (requires === 'contact' && providersContact === undefined)
    return `${title} is off until you set PROVIDERS_CONTACT to an address: ${notice}`;
  return missingAcceptance(provider, providersAccept.includes(name), `PROVIDERS_ACCEPT=${name}`);
}
