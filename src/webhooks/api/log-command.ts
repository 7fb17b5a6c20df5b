/**
 * `touchline webhook log|retry|skip|replay`. They show the service's operators the same delivery log that the owner sees
 * over REST and in the portal.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { transaction } from '../../db/postgres.ts';
import { type LateEventLog, lateEventLog } from '../../events/late-event-log.ts';
import { openEventLog } from '../../events/open-event-log.ts';
import { timeParam } from '../../http/index.ts';
import {
  DELIVERY_ID,
  type Delivery,
  type DeliveryDetail,
  type DeliveryFilter,
  findDeliveries,
  findDelivery,
  MAX_PAGE_SIZE,
  PAGE_SIZE,
} from '../delivery/delivery-log.ts';
import { unknownDelivery } from '../delivery/delivery-retry.ts';
import { resolveReplay } from '../subscriptions/replay-start.ts';
import { subscriptions, unknownSubscription } from '../subscriptions/subscription.ts';
import {
  replayAccountSubscription,
  retryAccountDelivery,
  retryFailedAccountDeliveries,
  skipAccountDelivery,
} from './account-subscriptions.ts';
import { integer } from './command-arguments.ts';
import { type CommandStores, operatorOn, type WithStores } from './command-stores.ts';
import { DELIVERY_STATES, EVENT_TYPE_NAMES } from './schema.ts';
import { subscriptionItem } from './subscription-item.ts';

type Say = (line: string) => void;
/** Defines a command on one subscription. */
export type On = (name: string, description: string) => Command;

/** @returns milliseconds since 1970 */
function time(text: string): number {
  const parsed = timeParam.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]!.message);
  return Date.parse(parsed.data);
}

function pageSize(text: string): number {
  const size = integer(text);
  if (size < 1 || size > MAX_PAGE_SIZE) throw new InvalidArgumentError(`must be from 1 to ${MAX_PAGE_SIZE}`);
  return size;
}

function deliveryArgument(text: string): string {
  if (!DELIVERY_ID.test(text))
    throw new InvalidArgumentError('must be the id of a delivery, as `webhook log` shows it');
  return text;
}

const json = () => new Option('--json', 'print the JSON that the same request over REST returns');

async function withLog<T>(
  { config, pool, logger, changes }: CommandStores,
  work: (log: LateEventLog) => Promise<T>,
): Promise<T> {
  const log = lateEventLog(() => openEventLog(config, pool, logger, changes));
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

// ---- log

const COLUMNS = ['DELIVERY', 'EVENT TYPE', 'STATE', 'ATTEMPTS', 'FIRST ATTEMPT', 'NEXT ATTEMPT', 'OUTCOME'];

function describeResult({ status, failure, duration_ms }: Delivery): string {
  const outcome = failure ?? (status === null ? 'confirmed' : `status ${status}`);
  return duration_ms === null ? outcome : `${outcome}, ${duration_ms} ms`;
}

/** Formats rows as a table in which each column is as wide as its widest cell. The last column is not padded. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = COLUMNS.map((_, column) => width(column));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const logLines = (deliveries: readonly Delivery[]) =>
  table([
    COLUMNS,
    ...deliveries.map((one) => [
      one.id,
      one.event_type,
      one.state,
      String(one.attempts),
      one.created_at,
      one.next_attempt_at ?? '-',
      describeResult(one),
    ]),
  ]);

/** Shows receivers' texts as JSON, since they may contain line breaks and control characters. */
const detailLines = (one: DeliveryDetail): string[] => [
  ...logLines([one]),
  '',
  `Request: ${one.body ?? 'not stored any more'}`,
  ...one.log.map(
    ({ attempt, at, status, failure, duration_ms, reply }) =>
      `Attempt ${attempt}, ${at}: ${failure ?? (status === null ? 'confirmed' : `status ${status}`)}, ${duration_ms} ms${reply === null ? '' : `, reply ${JSON.stringify(reply)}`}`,
  ),
];

interface LogOptions extends DeliveryFilter {
  limit: number;
  cursor?: string;
  json?: true;
}

async function logPage(stores: CommandStores, id: number, options: LogOptions, say: Say): Promise<void> {
  const { limit, cursor, ...filter } = options;
  const { deliveries, nextCursor } = await findDeliveries(stores.pool, id, filter, { limit, cursor });
  if (options.json) {
    say(JSON.stringify({ deliveries, next_cursor: nextCursor }, null, 2));
    return;
  }
  if (deliveries.length === 0) say(nextCursor === null ? 'no such deliveries' : 'no such deliveries among the newest');
  else for (const line of logLines(deliveries)) say(line);
  if (nextCursor !== null) say(`older deliveries: --cursor ${nextCursor}`);
}

async function logOne(stores: CommandStores, id: number, delivery: string, isJson: boolean, say: Say): Promise<void> {
  const found = await withLog(stores, (log) => findDelivery(stores.pool, log, id, delivery));
  if (found === null) throw unknownDelivery(id, delivery);
  if (isJson) say(JSON.stringify(found, null, 2));
  else for (const line of detailLines(found)) say(line);
}

function addLog(on: On, withStores: WithStores, say: Say): void {
  on(
    'log',
    'list the deliveries of a subscription, newest first, or show one with the request and the attempts; also works after its deletion',
  )
    .argument('[delivery]', 'the id of a delivery', deliveryArgument)
    .addOption(new Option('--state <state>').choices(DELIVERY_STATES))
    .addOption(new Option('--event-type <type>').choices(EVENT_TYPE_NAMES))
    .option('--match-id <id>', 'only deliveries for this match', integer)
    .option('--since <time>', 'only deliveries that were first attempted at this time or later', time)
    .option('--until <time>', 'only deliveries that were first attempted before this time', time)
    .option('--limit <count>', `maximum number of deliveries, at most ${MAX_PAGE_SIZE}`, pageSize, PAGE_SIZE)
    .option('--cursor <cursor>', 'older deliveries: the cursor that the previous page has printed')
    .addOption(json())
    .action((id: number, delivery: string | undefined, options: LogOptions, command: Command) => {
      const filters = ['state', 'eventType', 'matchId', 'since', 'until', 'cursor'];
      if (delivery !== undefined && filters.some((name) => command.getOptionValue(name) !== undefined))
        command.error('error: do not combine the id of a delivery with filters');
      return withStores(async (stores) => {
        const [one] = await subscriptions(stores.pool, { id, ended: true });
        if (one === undefined) throw unknownSubscription(id);
        if (delivery === undefined) await logPage(stores, id, options, say);
        else await logOne(stores, id, delivery, options.json === true, say);
      });
    });
}

// ---- retry

function addRetry(on: On, withStores: WithStores, say: Say): void {
  on('retry', 'retry a delivery now, or all deliveries that have failed since a time')
    .argument('[delivery]', 'the id of a delivery', deliveryArgument)
    .option('--failed-since <time>', 'all failed deliveries whose first attempt was at this time or later', time)
    .addOption(json())
    .action(
      (
        id: number,
        delivery: string | undefined,
        { failedSince, json: isJson }: { failedSince?: number; json?: true },
        command: Command,
      ) => {
        if ((delivery === undefined) === (failedSince === undefined))
          command.error('error: give either the id of a delivery or --failed-since');
        return withStores(async (stores) => {
          const deps = await operatorOn(stores, id);
          const { count, hasMore } = await transaction(stores.pool, async (db) => {
            const own = { ...deps, pool: db };
            if (failedSince !== undefined) return retryFailedAccountDeliveries(own, id, failedSince);
            await retryAccountDelivery(own, id, delivery!);
            return { count: 1, hasMore: false };
          });
          if (isJson) say(JSON.stringify({ retried: count, has_more: hasMore }));
          else
            say(
              `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} retried now${hasMore ? '; there are more: run this again when these have been sent' : ''}`,
            );
        });
      },
    );
}

// ---- skip

function addSkip(on: On, withStores: WithStores, say: Say): void {
  on('skip', "give up a delivery that waits for a retry; if events are ordered, its match's later events are sent")
    .argument('<delivery>', 'the id of a delivery', deliveryArgument)
    .action((id: number, delivery: string) =>
      withStores(async (stores) => {
        const deps = await operatorOn(stores, id);
        await transaction(stores.pool, (db) => skipAccountDelivery({ ...deps, pool: db }, id, delivery));
        say(`${delivery} is given up`);
      }),
    );
}

// ---- replay

function addReplay(on: On, withStores: WithStores, say: Say): void {
  on('replay', 'send events again, after a cursor or since a time')
    .option('--cursor <cursor>', 'send the events after this cursor', integer)
    .option('--since <time>', 'send the events from this time on, within the last 7 days', time)
    .addOption(json())
    .action(
      (id: number, { json: isJson, ...from }: { cursor?: number; since?: number; json?: true }, command: Command) => {
        if ((from.cursor === undefined) === (from.since === undefined))
          command.error('error: give either --cursor or --since');
        return withStores(async (stores) => {
          const { pool } = stores;
          const deps = await operatorOn(stores, id);
          const cursor = (await withLog(stores, (log) => resolveReplay(log, deps.clock, from)))!;
          await transaction(pool, (db) => replayAccountSubscription({ ...deps, pool: db }, id, cursor));
          const [one] = await subscriptions(pool, { id });
          if (one === undefined) throw unknownSubscription(id);
          say(
            isJson
              ? JSON.stringify(subscriptionItem(one, deps.plans), null, 2)
              : `events after cursor ${cursor} are sent again`,
          );
        });
      },
    );
}

export function addLogCommands(on: On, withStores: WithStores, say: Say): void {
  addLog(on, withStores, say);
  addRetry(on, withStores, say);
  addSkip(on, withStores, say);
  addReplay(on, withStores, say);
}
