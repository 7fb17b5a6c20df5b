/** What the sources do not say about the rights of roles: what a role never runs, and names of tables that the code puts together. */

import type { Right } from '../../../src/db/grants.ts';
import type { Role } from '../../../src/role.ts';

/** Columns that only the roles may read or write whose statements name them. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  member: ['password', 'totp_secret', 'totp_pending'],
  recovery_code: ['hash'],
  webhook_subscription: ['secret', 'previous_secret', 'secret_headers', 'destination_secret'],
  feed_token: ['secret'],
  push_browser: ['secret'],
  push_keys: ['private_key'],
  single_sign_on: ['client_secret'],
};

/** Statements by which operators change matches on pages of `api`. They run with a separate login. */
const MATCH_PAGES = [
  'src/portal/operator/corrections.ts#correct',
  'src/portal/operator/corrections.ts#withdraw',
  'src/portal/operator/pairs.ts#decide',
  'src/portal/operator/pairs.ts#reopen',
];

/** Where a role begins. */
export const ROOTS: Readonly<Record<string, readonly string[]>> = {
  api: ['src/api/role.ts#api'],
  corrections: MATCH_PAGES,
  stream: ['src/stream/role.ts#stream'],
  ingest: ['src/feed/role.ts#ingest'],
  relay: ['src/relay/role.ts#relay'],
  loader: ['src/analytics/role.ts#loader'],
  dispatcher: ['src/webhooks/role.ts#dispatcher'],
  operator: ['operators/role.ts#operator'],
  jobs: ['src/jobs/role.ts#jobs'],
};

/** Only a command, or a process with embedded stores, runs these. */
const NO_ROLE = [
  'src/roles.ts#LOAD_ROLE',
  'src/all-roles.ts#ROLES',
  'src/db/migrate.ts#migratePostgres',
  'src/db/seed.ts#seedCatalogue',
  'src/db/embedded-postgres.ts#startPostgres',
];

/** The writing half of the event log, which only the relay uses. */
const LOG_WRITER = [
  'src/events/kafka-writer.ts#KafkaWriter',
  'src/events/postgres-log.ts#PREPARE_MOVE',
  'src/events/postgres-log.ts#PASS_LOST',
  'src/events/postgres-log.ts#PRUNE',
  'src/events/relay-lease.ts#relayLease',
];

/** Returns what a role with this definition never runs. Undefined stands for the pages that change matches. */
export function leftOut(role: Role | undefined): Set<string> {
  const needs: readonly string[] = role?.needs ?? [];
  return new Set([
    ...NO_ROLE,
    ...(role?.name === 'relay' ? [] : LOG_WRITER),
    ...(role?.name === 'api' ? MATCH_PAGES : []),
    ...(needs.includes('eventLog') || needs.includes('lateEventLog')
      ? []
      : ['src/events/open-event-log.ts#openEventLog']),
    ...(needs.includes('clickhouse') ? [] : ['src/db/clickhouse.ts#lateClickHouse']),
    ...((role?.routes.length ?? 0) > 0 ? [] : ['src/main.ts#openServer', 'src/accounts/usage/index.ts#UsageRecorder']),
    ...(role?.usesReplicas === true ? [] : ['src/main.ts#openRouter']),
  ]);
}

const LOG_TABLES = new Set(['event_log', 'event_log_floor', 'outbox', 'relay']);

/** Whether a role sends a statement. A place alone does not always say so. @param written tables that the statement writes */
export function isSent(role: string, place: string, written: ReadonlySet<string>): boolean {
  // These send statements of other files.
  if (/^src\/db\/(?:postgres|lease|notices|planned-reads|read-router|routed-reads)\.ts:/.test(place)) return false;
  // One function opens both halves of the event log.
  return role === 'relay' || !place.startsWith('src/events/') || ![...written].some((table) => LOG_TABLES.has(table));
}

const WINDOWS = ['account_window', 'publishable_window'];
const BUCKETS = ['account_bucket', 'publishable_bucket'];
const DEMANDS = ['account_demand', 'publishable_demand'];
const USAGE = ['account_usage', 'account_activity'];

/** Tables that a declaration writes under names that it puts together, by right. */
export const DYNAMIC: Readonly<Record<string, Partial<Record<Right, readonly string[]>>>> = {
  'src/accounts/accounts.ts#removeAccount': { delete: [...WINDOWS, ...USAGE] },
  'src/accounts/limits/count-exchange.ts#acquireNotices': { update: WINDOWS },
  'src/accounts/limits/count-exchange.ts#exchangeText': {
    insert: [...WINDOWS, ...BUCKETS, ...DEMANDS],
    update: [...WINDOWS, ...BUCKETS, ...DEMANDS],
  },
  'src/accounts/limits/count-exchange.ts#leave': { delete: DEMANDS },
  'src/accounts/limits/count-exchange.ts#removeOldWindows': {
    delete: [...WINDOWS, ...BUCKETS, ...DEMANDS],
    lock: [...WINDOWS, ...BUCKETS, ...DEMANDS],
  },
  'src/accounts/usage/usage-queries.ts#removeOldUsage': { delete: USAGE },
  'src/apply/resolve/find-matches.ts#lockShown': { lock: ['participant', 'tournament', 'venue'] },
  'src/catalogue/search/name-queries.ts#candidates': { select: ['participant_prominence', 'tournament_prominence'] },
  'src/catalogue/search/prominence.ts#store': {
    insert: ['participant_prominence', 'tournament_prominence'],
    update: ['participant_prominence', 'tournament_prominence'],
    delete: ['participant_prominence', 'tournament_prominence'],
  },
  // Each caller names the table of its lease.
  'src/db/lease.ts#createLease': {},
  'src/identity/entities.ts#recordObservation': { update: ['participant', 'season', 'tournament', 'venue'] },
  'src/identity/entities.ts#rename': { lock: ['participant', 'tournament'] },
  'src/identity/entities.ts#updateOwned': { update: ['participant', 'season', 'tournament', 'venue'] },
  'src/identity/listed-names.ts#replaceAliases': {
    insert: ['participant_search_alias', 'tournament_alias'],
    delete: ['participant_search_alias', 'tournament_alias'],
  },
  'src/identity/listed-names.ts#setRussianNames': { update: ['participant', 'tournament'] },
};

/** Sequences that a declaration reads under names that it puts together. */
export const DYNAMIC_SEQUENCES: Readonly<Record<string, readonly string[]>> = {
  'src/relay/queue-floor.ts#lastId': ['match_touch_id_seq', 'outbox_id_seq'],
};
