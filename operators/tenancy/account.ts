/** The resource `Account`. A namespace has at most one, for which its keys and subscriptions act. */
import { z } from 'zod';
import {
  type Account,
  approveAccount,
  audit,
  changePlan,
  deleteAccount,
  findAccount,
  insertAccount,
  listAccounts,
  ownTarget,
  resourceActor,
  suspendAccount,
} from '../../src/accounts/index.ts';
import { transaction } from '../../src/db/postgres.ts';
import { immutable } from '../runtime/crd.ts';
import { commonSpec, defineKind, type Outcome, type Work } from './kind.ts';

const spec = z.strictObject({
  email: z
    .string()
    .min(3)
    .max(254)
    .meta({ description: 'The e-mail address, which identifies the account.', ...immutable }),
  plan: z.string().min(1).max(32).optional().meta({
    description: 'The name of a plan. Default: the plan for new accounts, or the plan that an adopted account has.',
  }),
  suspended: z.boolean().default(false).meta({
    description: 'While true, keys are refused, and sessions, streams and webhooks end.',
  }),
  ...commonSpec,
});
type Spec = z.output<typeof spec>;

/** Finds the account with the email, or creates one, and records that the resource owns it. */
function claim({
  pool,
  clock,
  plans,
  managing,
  resource,
}: Work<Spec>): Promise<{ id: number; isNew: boolean; isOwned: boolean }> {
  const { email, plan } = resource.spec;
  return transaction(pool, async (db) => {
    const [found] = await listAccounts(db, clock, email);
    const id = found?.id ?? (await insertAccount(db, { clock, plans }, { email, plan }));
    await ownTarget(db, managing, id);
    if (found === undefined)
      await audit(db, clock, {
        accountId: id,
        actor: resourceActor(managing),
        action: 'account.created',
        details: { email },
      });
    return { id, isNew: found === undefined, isOwned: found?.managed?.name === managing.name };
  });
}

/** Reads the account, and approves it if it waits for that, since the platform team declares it. */
async function readApproved({ pool, clock, managing }: Work<Spec>, id: number): Promise<Account> {
  const account = await findAccount(pool, clock, id);
  if (account?.awaits_approval) await approveAccount(pool, clock, id, resourceActor(managing));
  const approved = account?.awaits_approval ? await findAccount(pool, clock, id) : account;
  if (approved === null) throw new Error('the account was deleted meanwhile');
  return approved;
}

async function apply(work: Work<Spec>): Promise<Outcome> {
  const { pool, clock, plans, managing, resource } = work;
  const { plan, suspended } = resource.spec;
  const done: Outcome['done'] = [];
  const actor = resourceActor(managing);
  const { id, isNew, isOwned } = await claim(work);
  if (isNew) done.push(['Created', `The account ${id} was created.`]);
  else if (!isOwned) done.push(['Adopted', `The account ${id} existed and is managed by this resource from now on.`]);
  const account = await readApproved(work, id);
  if (plan !== undefined && plan !== account.plan) {
    await changePlan({ pool, clock, plans }, id, plan, actor);
    done.push(['PlanChanged', `The plan was changed from ${account.plan} to ${plan}.`]);
  }
  if (suspended !== (account.suspended_at !== null)) {
    await suspendAccount(pool, clock, id, suspended, actor);
    done.push(suspended ? ['Suspended', 'The account was suspended.'] : ['Resumed', 'The suspension was lifted.']);
  }
  return { details: { account: id, plan: plan ?? account.plan }, done };
}

export const account = defineKind<Spec>({
  kind: 'Account',
  plural: 'accounts',
  shortName: 'tla',
  description: 'Declares an account. Keys and subscriptions in the same namespace act for it.',
  columns: [
    { name: 'Email', type: 'string', jsonPath: '.spec.email' },
    { name: 'Plan', type: 'string', jsonPath: '.status.plan' },
  ],
  details: {
    account: z.int().optional().meta({ description: 'The id of the account in the service.' }),
    plan: z.string().max(64).optional().meta({ description: 'The plan that the account has.' }),
  },
  spec,
  apply,
  async remove({ pool, managing }, { target }) {
    await deleteAccount(pool, Number(target), resourceActor(managing));
  },
});
