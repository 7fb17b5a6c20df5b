/** The resource `Source`, which has a public source polled for live matches. */
import { z } from 'zod';
import { findOwned, ownTarget, releaseTarget } from '../../src/accounts/index.ts';
import { transaction } from '../../src/db/postgres.ts';
import { declareSource, sourceState, withdrawSource } from '../../src/polling/declared-sources.ts';
import { PROVIDERS } from '../../src/providers/providers.ts';
import { immutable, listSet } from '../runtime/crd.ts';
import { commonSpec, defineKind, type Outcome, toFault, type Work } from './kind.ts';

/** How often the status is brought up to date with what the pollers have stored. */
const STATE_MS = 60_000;
const MESSAGE_CHARACTERS = 500;

const spec = z.strictObject({
  provider: z
    .string()
    .min(1)
    .max(50)
    .meta({
      description: `The source: ${PROVIDERS.map(({ name }) => name).join(', ')}.`,
      ...immutable,
    }),
  scopes: z
    .array(z.string().min(1).max(100))
    .max(100)
    .default([])
    .meta({
      description: 'The parts of the source to poll, such as leagues; empty: the whole source.',
      ...listSet,
    }),
  acceptTerms: z.boolean().default(false).meta({
    description: 'Whether you accept the terms of the source, which some sources require.',
  }),
  dailyRequests: z.int().min(1).max(999_999_999).optional().meta({
    description:
      'Requests per day (UTC), for a mirror or an agreement with the owner; default: what the owner asks for.',
  }),
  url: z
    .string()
    .min(1)
    .max(2_048)
    .optional()
    .meta({ description: 'A different address of the source, such as a mirror.' }),
  ...commonSpec,
});
type Spec = z.output<typeof spec>;

async function apply({ pool, clock, configuredSources, managing, resource }: Work<Spec>): Promise<Outcome> {
  const { provider, scopes, acceptTerms, dailyRequests, url } = resource.spec;
  const isNew = (await findOwned(pool, managing.uid)) === null;
  await transaction(pool, (db) => ownTarget(db, managing, provider));
  const definition = {
    provider,
    scopes,
    accept_terms: acceptTerms,
    ...(dailyRequests !== undefined && { daily_requests: dailyRequests }),
    ...(url !== undefined && { url }),
  };
  let isChanged: boolean;
  try {
    isChanged = await declareSource({ pool, clock, configured: configuredSources }, definition);
  } catch (error) {
    // A source in PROVIDERS is not the resource's.
    if (isNew && toFault(error) !== null) await releaseTarget(pool, managing.uid);
    throw error;
  }
  const { answeredAt, fault } = await sourceState(pool, clock, provider);
  return {
    details: {
      ...(answeredAt !== null && { answeredAt: minute(answeredAt) }),
      ...(fault !== null && { lastFailure: fault.slice(0, MESSAGE_CHARACTERS) }),
    },
    done: isChanged ? [['Declared', `The source ${provider} is polled within seconds.`]] : [],
    dueMs: STATE_MS,
  };
}

/** Leaves the seconds out, so that the status does not change with each reply. */
const minute = (time: string) => `${time.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00Z`;

export const source = defineKind<Spec>({
  kind: 'Source',
  plural: 'sources',
  shortName: 'tls',
  description: 'Has a public source polled for live matches.',
  columns: [
    { name: 'Provider', type: 'string', jsonPath: '.spec.provider' },
    { name: 'Answered', type: 'date', jsonPath: '.status.answeredAt' },
    { name: 'Failure', type: 'string', jsonPath: '.status.lastFailure', priority: 1 },
  ],
  details: {
    answeredAt: z
      .string()
      .max(40)
      .optional()
      .meta({ description: 'When the source last answered.', format: 'date-time' }),
    lastFailure: z.string().max(MESSAGE_CHARACTERS).optional().meta({
      description: 'Why the latest request failed. Missing after a good reply.',
    }),
  },
  spec,
  apply,
  async remove({ pool }, { target }) {
    await withdrawSource(pool, target);
  },
});
