/** Translates provider ids into this service's ids over REST, and back. */
import { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { type Route, route } from '../deps.ts';
import { commaList, idList, oneValue, Problem, text } from '../http/index.ts';
import { ENTITIES, type Entity, findByExternalIds, listExternalIds, listProviders } from '../identity/external-ids.ts';
import * as schema from './schema.ts';

/** Cache lifetime in seconds. Short, because new entities may get ids at any time. */
const LIST_SECONDS = 60;

/** Provider ids may contain anything but commas. */
const externalId = z
  .string()
  .min(1, 'must not be empty')
  .regex(/^[^,\s\u0000]([^,\u0000]*[^,\s\u0000])?$/, 'must not be empty')
  .max(200, 'must have at most 200 characters');
const entity = oneValue(ENTITIES);

const common = {
  method: 'GET',
  tag: 'Catalogue',
  access: 'key',
  cost: 1,
  cache: { maxAge: LIST_SECONDS },
  response: schema.externalIdList,
  errors: ['not_found'],
} as const;

const map = route({
  ...common,
  path: '/v1/map',
  example: { type: 'match', provider: 'touchline-demo', ids: 'world-cup-final-2022' },
  summary: "Our ids by a provider's ids",
  description: "In the request's order; `/v1/external-ids` maps our ids to a provider's. An unknown provider is 404.",
  query: z.object({
    type: entity,
    provider: text(1, 64),
    ids: commaList(externalId).meta({ description: "Up to 100 of the provider's ids" }),
  }),
  handler: async ({ query: { type, provider, ids }, access }, { pool }) => {
    const external_ids = await findByExternalIds(pool, type, provider, ids, access);
    if (external_ids.length === 0) await requireProvider(pool, type, provider);
    const found = new Set(external_ids.map(({ external_id }) => external_id));
    const unknown = ids.filter((id) => !found.has(id));
    return { body: { type, count: external_ids.length, external_ids, unknown } };
  },
});

const externalIds = route({
  ...common,
  path: '/v1/external-ids',
  example: { type: 'match', ids: '1,2' },
  summary: "Providers' ids by our ids",
  description:
    "In the request's order; an entity can have several ids at a provider. `/v1/map` maps a provider's ids to ours.",
  query: z.object({
    type: entity,
    ids: idList,
    provider: text(1, 64).optional().meta({ description: 'Only ids of this provider' }),
  }),
  handler: async ({ query: { type, provider, ids }, access }, { pool }) => {
    const external_ids = await listExternalIds(pool, type, ids, provider, access);
    if (external_ids.length === 0 && provider !== undefined) await requireProvider(pool, type, provider);
    const found = new Set(external_ids.map(({ id }) => id));
    const unknown = ids.filter((id) => !found.has(id)).map(String);
    return { body: { type, count: external_ids.length, external_ids, unknown } };
  },
});

/** The error lists the known providers, so that a typo is noticed. @throws {Problem} not_found */
async function requireProvider(pool: Queryable, type: Entity, provider: string): Promise<void> {
  const known = await listProviders(pool, type);
  if (known.includes(provider)) return;
  const list = known.length === 0 ? 'none' : known.join(', ');
  throw new Problem('not_found', `Provider ${provider} has no ids of type ${type}. Providers that have: ${list}.`);
}

export const externalIdRoutes: Route[] = [map, externalIds];
