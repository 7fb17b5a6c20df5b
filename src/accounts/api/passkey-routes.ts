/** A member's passkeys over REST. A browser adds them at `/account/security`. A key can neither list nor change them. */
import { z } from 'zod';
import { idParams, type RouteValue } from '../../http/index.ts';
import { wireTime } from '../../wire/time.ts';
import { type ListedPasskey, listPasskeys } from '../credentials/passkeys.ts';
import { type AccountDeps, route } from '../deps.ts';
import { removePasskey, renamePasskey } from '../members/member-passkeys.ts';
import { actingMember } from './organisation-routes.ts';
import * as schema from './schema.ts';

const PATH = '/v1/account/passkeys';
const member = { tag: 'Account', access: 'member', permission: 'personal', cost: 0, cache: 'no-store' } as const;

const item = ({ id, name, rp_id, created_at, used_at }: ListedPasskey): z.output<typeof schema.passkey> => ({
  id,
  name,
  host: rp_id,
  created_at: wireTime(created_at.getTime()),
  last_used_at: used_at && wireTime(used_at.getTime()),
});

const list = route({
  ...member,
  method: 'GET',
  path: PATH,
  summary: 'Your passkeys',
  description: 'Returns at most 20 passkeys, oldest first. A browser adds one at `/account/security`.',
  response: schema.passkeys,
  handler: async (input, { pool }) => {
    const passkeys = await listPasskeys(pool, actingMember(input).memberId);
    return { body: { passkeys: passkeys.map(item) } };
  },
});

const rename = route({
  ...member,
  method: 'PATCH',
  path: `${PATH}/{id}`,
  needsRecentSignIn: true,
  summary: 'Rename a passkey',
  params: idParams,
  body: schema.passkeyChange,
  exampleBody: { name: 'Phone' },
  response: schema.passkey,
  errors: ['not_found'],
  handler: async (input, deps) => ({
    body: item(await renamePasskey(deps, actingMember(input), input.params.id, input.body.name)),
  }),
});

const remove = route({
  ...member,
  method: 'DELETE',
  path: `${PATH}/{id}`,
  needsRecentSignIn: true,
  summary: 'Remove a passkey',
  description: 'All your other sessions end. With the last second factor, the recovery codes end, too.',
  params: idParams,
  status: 204,
  response: z.null(),
  errors: ['not_found'],
  handler: async (input, deps) => {
    await removePasskey(deps, actingMember(input), input.params.id);
    return { body: null };
  },
});

export const passkeyRoutes: RouteValue<AccountDeps>[] = [list, rename, remove];
