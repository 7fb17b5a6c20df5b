/** The account over REST. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { integer, invalidParameter, limit, MAX_INTEGER, Problem, type RouteValue } from '../../http/index.ts';
import { columnsOf, type Row } from '../../wire/table-columns.ts';
import { csvLines, ndjsonLines } from '../../wire/table-lines.ts';
import { wireTime } from '../../wire/time.ts';
import { findAccount } from '../accounts.ts';
import { accountIdOf, readAudit } from '../audit.ts';
import { auditBatches, auditEvent, readAuditEvents } from '../audit-events.ts';
import { type AccountDeps, route } from '../deps.ts';
import { normalEmail } from '../email-address.ts';
import { findAccountKey } from '../keys/manage-keys.ts';
import { deleteOrganisation, renameOrganisation } from '../members/memberships.ts';
import { signUp } from '../members/sign-up.ts';
import { keyItem } from './key-item.ts';
import { keyRoutes } from './key-routes.ts';
import { actingMember, organisationRoutes } from './organisation-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import * as schema from './schema.ts';
import { sessionRoutes } from './session-routes.ts';
import { singleSignOnRoutes } from './single-sign-on-routes.ts';

const AUDIT_PAGE = 50;
const MAX_AUDIT_PAGE = 500;

const own = { tag: 'Account', access: 'account', cost: 0, cache: 'no-store' } as const;

async function accountItem(
  { pool, clock, plans }: Pick<AccountDeps, 'pool' | 'clock' | 'plans'>,
  accountId: number,
): Promise<z.output<typeof schema.account>> {
  const found = await findAccount(pool, clock, accountId);
  if (found === null) throw new Problem('not_found', 'The account has been deleted.');
  const { name, title, price, connections, publishableConnections, stream, webhooks, ...plan } = plans.for(found);
  return {
    id: found.id,
    email: found.email,
    name: found.name,
    email_verified: !found.awaits_verification,
    created_at: wireTime(found.created_at.getTime()),
    plan: {
      name,
      title,
      price,
      windows: [...plan.windows],
      publishable_windows: [...plan.publishableWindows],
      publishable_per_address: [...plan.publishablePerAddress],
      connections,
      publishable_connections: publishableConnections,
      stream,
      webhooks,
    },
    keys: found.keys,
    awaits_approval: found.awaits_approval,
  };
}

const create = route({
  method: 'POST',
  path: '/v1/account',
  summary: 'Sign up',
  description:
    'Creates an account with a first key, which is shown only in this reply. Sign in at `/account` to create more keys.',
  tag: 'Account',
  access: 'public',
  cost: 0,
  cache: 'no-store',
  body: schema.signUp,
  exampleBody: { email: 'ann@example.com', password: 'correct horse battery' },
  status: 201,
  response: schema.signedUp,
  errors: ['not_found', 'conflict', 'rate_limited', 'unavailable'],
  handler: async ({ body, address }, deps) => {
    const { member, key, keyId } = await signUp(deps, body, address);
    const { accountId } = member;
    return {
      body: {
        account: await accountItem(deps, accountId),
        key: { ...keyItem(await findAccountKey(deps.pool, accountId, keyId), deps.clock.now()), key },
      },
    };
  },
});

const show = route({
  ...own,
  method: 'GET',
  path: '/v1/account',
  permission: 'view',
  summary: 'The account and the plan',
  description: 'Requires a secret key, or a browser that is signed in at `/account`.',
  response: schema.account,
  handler: async ({ principal }, deps) => ({ body: await accountItem(deps, accountIdOf(principal)) }),
});

const auditLog = route({
  ...own,
  method: 'GET',
  path: '/v1/account/audit',
  permission: 'audit',
  summary: "The account's audit log",
  description: 'Newest first.',
  query: z.object({
    limit: limit(AUDIT_PAGE, MAX_AUDIT_PAGE),
    cursor: integer(1, MAX_INTEGER).optional().meta({ description: "The previous page's `next_cursor`" }),
  }),
  response: schema.auditLog,
  handler: async ({ principal, query }, { pool }) => ({
    body: await readAudit(pool, accountIdOf(principal), query.limit, query.cursor),
  }),
});

const auditEvents = route({
  ...own,
  method: 'GET',
  path: '/v1/account/events',
  permission: 'audit',
  summary: "The account's audit log after a cursor",
  description:
    'Oldest first. Send `next_cursor` of the last reply as `cursor` to get what has happened since; no entry is missed or repeated.',
  query: z.object({
    limit: limit(AUDIT_PAGE, MAX_AUDIT_PAGE),
    cursor: integer(0, MAX_INTEGER).default(0).meta({ description: "The previous reply's `next_cursor`" }),
  }),
  response: schema.auditEvents,
  handler: async ({ principal, query }, { pool }) => {
    const page = await readAuditEvents(pool, accountIdOf(principal), query.cursor, query.limit);
    return { body: { ...page, next_cursor: page.events.at(-1)?.cursor ?? query.cursor } };
  },
});

const EXPORTS = {
  csv: { write: csvLines, contentType: 'text/csv; charset=utf-8; header=present' },
  ndjson: { write: ndjsonLines, contentType: 'application/x-ndjson' },
};
const AUDIT_COLUMNS = columnsOf(auditEvent);

const auditExport = route({
  ...own,
  method: 'GET',
  path: '/v1/account/events/export',
  permission: 'audit',
  summary: "The account's whole audit log as a file",
  description: 'Oldest first, as CSV or as one JSON object a line.',
  query: z.object({ format: z.enum(['csv', 'ndjson']).default('ndjson') }),
  isStream: true,
  response: { contentType: EXPORTS.ndjson.contentType },
  responseHeaders: { 'Content-Disposition': { description: 'A file name.', required: true } },
  handler: ({ principal, query: { format } }, { pool }) => {
    const { write, contentType } = EXPORTS[format];
    const rows = auditBatches(pool, accountIdOf(principal)) as AsyncIterable<Row[]>;
    return {
      body: Readable.from(write(AUDIT_COLUMNS, rows)),
      contentType,
      headers: { 'Content-Disposition': `attachment; filename="audit-log.${format}"` },
    };
  },
});

const rename = route({
  ...own,
  access: 'member',
  method: 'PATCH',
  path: '/v1/account',
  permission: 'organisation',
  needsRecentSignIn: true,
  summary: 'Name the organisation',
  body: schema.accountChange,
  exampleBody: { name: 'Example Sports' },
  response: schema.account,
  handler: async (input, deps) => {
    await renameOrganisation(deps, actingMember(input), input.body.name);
    return { body: await accountItem(deps, accountIdOf(input.principal)) };
  },
});

const remove = route({
  ...own,
  access: 'member',
  needsRecentSignIn: true,
  method: 'DELETE',
  path: '/v1/account',
  permission: 'organisation',
  summary: 'Delete the organisation',
  description:
    'Ends all keys, streams and webhooks within seconds, and removes their logs and the members who belong to no other organisation. It cannot be undone.',
  query: z.object({ email: z.string().max(1_000).meta({ description: "The account's email, as a confirmation" }) }),
  example: { email: 'another@example.com' },
  status: 204,
  response: z.null(),
  errors: ['conflict'],
  handler: async (input, deps) => {
    const found = await findAccount(deps.pool, deps.clock, accountIdOf(input.principal));
    if (found !== null && normalEmail(found.email) !== normalEmail(input.query.email))
      throw invalidParameter('email', 'other_email', 'is not the email of this account');
    await deleteOrganisation(deps, actingMember(input));
    return { body: null };
  },
});

export const routes: RouteValue<AccountDeps>[] = [
  create,
  show,
  auditLog,
  auditEvents,
  auditExport,
  ...keyRoutes,
  ...singleSignOnRoutes,
  ...organisationRoutes,
  rename,
  ...passkeyRoutes,
  ...sessionRoutes,
  remove,
];
