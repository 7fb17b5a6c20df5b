/** The resource `Plan`, which offers a plan beside the configured ones. The resource's name is the plan's name. */
import { z } from 'zod';
import { findOwned, ownTarget, releaseTarget } from '../../src/accounts/index.ts';
import { declarePlan, withdrawPlan } from '../../src/accounts/plans/index.ts';
import { transaction } from '../../src/db/postgres.ts';
import { listSet } from '../runtime/crd.ts';
import { commonSpec, defineKind, type Outcome, toFault, type Work } from './kind.ts';

const quota = z.int().min(1).max(1_000_000_000_000).optional();
const quotas = z.strictObject({ burst: quota, day: quota, month: quota });
const connections = z.int().min(0).max(100_000).optional();

const spec = z.strictObject({
  title: z.string().min(1).max(60).meta({ description: 'Shown on pages.' }),
  price: z
    .strictObject({ amount: z.number().min(0).max(1_000_000_000), currency: z.string().min(3).max(3) })
    .optional()
    .meta({ description: 'Per month, in a currency of ISO 4217; default: free.' }),
  windows: quotas.optional().meta({
    description: 'Requests of all secret keys in a second, a day and a month, together; a missing window has no limit.',
  }),
  publishableWindows: quotas.optional().meta({
    description: 'Requests of all publishable keys, together; default: the same as windows.',
  }),
  publishablePerAddress: quotas.optional().meta({
    description: 'How much of publishableWindows one client address may use.',
  }),
  connections: connections.meta({ description: 'Concurrent streams of all secret keys; default 5.' }),
  publishableConnections: connections.meta({ description: 'Concurrent streams of all publishable keys; default 5.' }),
  stream: z.boolean().default(false).meta({ description: 'Whether the plan includes streams and replay.' }),
  webhooks: z.boolean().default(false).meta({ description: 'Whether the plan includes webhooks.' }),
  access: z
    .strictObject({
      sports: z.array(z.string().min(1).max(32)).max(64).optional().meta(listSet),
      tournaments: z.array(z.int().min(1)).max(10_000).optional().meta(listSet),
    })
    .optional()
    .meta({ description: 'The only sports and tournaments that the plan includes; default: all.' }),
  ...commonSpec,
});
type Spec = z.output<typeof spec>;

/** Returns a spec in the form of PLANS_FILE. */
const toDefinition = (name: string, wanted: Spec) => {
  const { deletionPolicy: _, publishableWindows, publishablePerAddress, publishableConnections, ...others } = wanted;
  return {
    name,
    ...others,
    ...(publishableWindows !== undefined && { publishable_windows: publishableWindows }),
    ...(publishablePerAddress !== undefined && { publishable_per_address: publishablePerAddress }),
    ...(publishableConnections !== undefined && { publishable_connections: publishableConnections }),
  };
};

async function apply({ pool, clock, plans, configuredPlans, managing, resource }: Work<Spec>): Promise<Outcome> {
  const { name } = managing;
  const isNew = (await findOwned(pool, managing.uid)) === null;
  await transaction(pool, (db) => ownTarget(db, managing, name));
  try {
    const definition = toDefinition(name, resource.spec);
    const isChanged = await declarePlan({ pool, clock, configured: configuredPlans }, definition);
    if (isChanged) await plans.refresh(pool);
    return { details: {}, done: isChanged ? [['Declared', `The plan ${name} is offered within seconds.`]] : [] };
  } catch (error) {
    // A plan of PLANS_FILE is not the resource's.
    if (isNew && toFault(error) !== null) await releaseTarget(pool, managing.uid);
    throw error;
  }
}

export const plan = defineKind<Spec>({
  kind: 'Plan',
  plural: 'plans',
  shortName: 'tlp',
  description: 'Offers a plan, whose name is the name of the resource. Names in PLANS_FILE cannot be resources.',
  columns: [
    { name: 'Title', type: 'string', jsonPath: '.spec.title' },
    { name: 'Stream', type: 'boolean', jsonPath: '.spec.stream' },
    { name: 'Webhooks', type: 'boolean', jsonPath: '.spec.webhooks' },
  ],
  details: {},
  spec,
  apply,
  async remove({ pool, plans, configuredPlans }, { target }) {
    await withdrawPlan({ pool, configured: configuredPlans }, target);
    await plans.refresh(pool);
  },
});
