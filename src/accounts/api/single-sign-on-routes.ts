/** An organisation's single sign-on over REST, for its owners. */
import { z } from 'zod';
import type { RouteValue } from '../../http/index.ts';
import { accountIdOf, toActor } from '../audit.ts';
import { type AccountDeps, route } from '../deps.ts';
import { callbackPath } from '../single-sign-on/company-sign-in.ts';
import { verifyDomain } from '../single-sign-on/domains.ts';
import { changeSettings, notSetUp, readSettings, removeSettings, settingsChange } from '../single-sign-on/settings.ts';
import * as schema from './schema.ts';

const PATH = '/v1/account/single-sign-on';
const owners = { tag: 'Account', access: 'member', permission: 'organisation', cost: 0, cache: 'no-store' } as const;
const changes = { ...owners, needsRecentSignIn: true } as const;

async function item(
  { pool }: Pick<AccountDeps, 'pool'>,
  accountId: number,
  baseUrl: string,
): Promise<z.output<typeof schema.singleSignOn>> {
  const settings = await readSettings(pool, accountId);
  if (settings === null) throw notSetUp();
  return { ...settings, redirect_uri: baseUrl + callbackPath(accountId) };
}

const show = route({
  ...owners,
  method: 'GET',
  path: PATH,
  summary: 'The identity provider of the organisation',
  description: 'For owners. The client secret is never shown.',
  response: schema.singleSignOn,
  errors: ['not_found'],
  handler: async ({ principal, baseUrl }, deps) => ({ body: await item(deps, accountIdOf(principal), baseUrl) }),
});

const change = route({
  ...changes,
  method: 'PATCH',
  path: PATH,
  summary: 'Set single sign-on up, or change it',
  description:
    'For owners. The first time, `issuer`, `client_id` and `client_secret` are required. Other settings that are absent stay as they are. The provider is asked before its issuer or secret is saved.',
  body: settingsChange,
  exampleBody: {
    default_role: 'viewer',
    groups_claim: 'groups',
    group_roles: [{ group: 'developers', role: 'developer' }],
  },
  response: schema.singleSignOn,
  errors: ['conflict'],
  handler: async (input, deps) => {
    const accountId = accountIdOf(input.principal);
    await changeSettings(deps, { accountId, actor: toActor(input) }, input.body);
    return { body: await item(deps, accountId, input.baseUrl) };
  },
});

const remove = route({
  ...changes,
  method: 'DELETE',
  path: PATH,
  summary: 'Remove single sign-on',
  description:
    'For owners. The domains are given up, too. People keep their membership, and need a password from then on.',
  status: 204,
  response: z.null(),
  errors: ['not_found'],
  handler: async (input, deps) => {
    await removeSettings(deps, { accountId: accountIdOf(input.principal), actor: toActor(input) });
    return { body: null };
  },
});

const verify = route({
  ...changes,
  method: 'POST',
  path: `${PATH}/verify`,
  summary: 'Verify a domain',
  description: 'For owners. Reads the TXT record of the domain, which `record` in the settings names.',
  body: z.strictObject({ domain: z.string().min(1).max(260) }),
  exampleBody: { domain: 'example.com' },
  response: schema.singleSignOn,
  errors: ['conflict', 'unavailable'],
  handler: async (input, deps) => {
    const accountId = accountIdOf(input.principal);
    await verifyDomain(deps, { accountId, actor: toActor(input) }, input.body.domain);
    return { body: await item(deps, accountId, input.baseUrl) };
  },
});

export const singleSignOnRoutes: RouteValue<AccountDeps>[] = [show, change, remove, verify];
