/** A member's sessions over REST. A key can neither list nor end them, so a leaked key does no harm here. */
import { z } from 'zod';
import { idParams, type MemberPrincipal, type Principal, type RouteValue } from '../../http/index.ts';
import { wireTime } from '../../wire/time.ts';
import { toActor } from '../audit.ts';
import { type ListedSession, listSessions } from '../credentials/sessions.ts';
import { type AccountDeps, route } from '../deps.ts';
import { endOneSession } from '../members/session-end.ts';
import { deviceName } from '../members/user-agent.ts';
import * as schema from './schema.ts';

const member = { tag: 'Account', access: 'member', permission: 'personal', cost: 0, cache: 'no-store' } as const;

function signedIn(principal: Principal | null): MemberPrincipal {
  if (principal?.kind === 'member') return principal;
  throw new TypeError('no member is signed in');
}

const item = (session: ListedSession, current: Buffer): z.output<typeof schema.session> => ({
  id: session.id,
  device: deviceName(session.agent),
  user_agent: session.agent,
  address: session.address,
  created_at: wireTime(session.created_at.getTime()),
  last_seen_at: wireTime(session.seen_at.getTime()),
  current: session.hash.equals(current),
});

const list = route({
  ...member,
  method: 'GET',
  path: '/v1/account/sessions',
  summary: 'Your sessions',
  description: 'Returns at most 100 sessions, most recently used first. For members signed in at `/account`.',
  response: schema.sessions,
  handler: async ({ principal }, { pool, clock }) => {
    const { memberId, sessionHash } = signedIn(principal);
    const sessions = await listSessions(pool, clock, { memberId });
    return { body: { sessions: sessions.map((session) => item(session, sessionHash)) } };
  },
});

const end = route({
  ...member,
  method: 'DELETE',
  path: '/v1/account/sessions/{id}',
  needsRecentSignIn: true,
  summary: 'End a session',
  description: 'The browser of that session has to sign in again. The current session can be ended, too.',
  params: idParams,
  status: 204,
  response: z.null(),
  errors: ['not_found'],
  handler: async (input, deps) => {
    const { memberId } = signedIn(input.principal);
    await endOneSession(deps, { memberId }, input.params.id, toActor(input));
    return { body: null };
  },
});

export const sessionRoutes: RouteValue<AccountDeps>[] = [list, end];
