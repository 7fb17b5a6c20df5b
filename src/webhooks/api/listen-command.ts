/**
 * For the developer's own machine. `touchline listen` sends the events of a stream to an address near the developer, which a service
 * elsewhere cannot reach. Requests look like a subscription's deliveries, with a signature. `touchline trigger` asks for a sample event.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { createClient } from '../../client/rest.ts';
import { openStream, type StreamEvent, type StreamState } from '../../client/stream.ts';
import { errorMessage, readErrorCode } from '../../runtime/unknown-values.ts';
import { deriveDeliveryId, signedHeaders } from '../delivery/signature.ts';
import { ATTEMPT_TIMEOUT_MS } from '../destinations/attempt.ts';
import { generateSecret } from '../subscriptions/secret.ts';
import { type SigningKey, signingKey } from '../subscriptions/signing-keys.ts';
import { integer, integers, list } from './command-arguments.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';
/** The number of a subscription that does not exist, in the ids of deliveries. */
const NO_SUBSCRIPTION = 0;

interface ListenOptions {
  /** The service's address. */
  url: string;
  forward: string;
  eventTypes?: readonly string[];
  sports?: readonly string[];
  leagues?: readonly number[];
  delay?: number;
}

function address(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (!/^https?:$/.test(protocol))
    throw new InvalidArgumentError('must be an address that begins with http:// or https://');
  return text;
}

/** @param stop ends the command */
export function addListenCommand(touchline: Command, say: (line: string) => void, stop: () => AbortSignal): void {
  touchline
    .command('listen')
    .description('send the events of a stream to an address near you, signed like deliveries; see docs/webhooks.md')
    .requiredOption('--forward <url>', 'where to send them: http://localhost:3000/hook', address)
    .option('--url <url>', 'address of the service', address, process.env.TOUCHLINE_URL ?? DEFAULT_URL)
    .option('--event-types <types>', 'only these, with commas: match.goal,match.card', list)
    .option('--sports <slugs>', 'only these, with commas', list)
    .option('--leagues <ids>', 'only these tournaments, by id, with commas', integers)
    .option('--delay <seconds>', 'give each event that many seconds later: 0 to 600', integer)
    .addHelpText('after', '\nTOUCHLINE_KEY is the secret key of your account.')
    .action((options: ListenOptions) => listen(options, requiredKey(), say, stop()));
}

interface TriggerOptions {
  url: string;
  sport?: string;
  tournament?: number;
}

export function addTriggerCommand(touchline: Command, say: (line: string) => void): void {
  touchline
    .command('trigger')
    .argument('<event-type>', 'such as match.goal')
    .description('send a sample event to the open streams of your account, and so to `listen`; see docs/webhooks.md')
    .option('--url <url>', 'address of the service', address, process.env.TOUCHLINE_URL ?? DEFAULT_URL)
    .option('--sport <slug>', 'of the sample match')
    .option('--tournament <id>', 'of the sample match, by id', integer)
    .addHelpText('after', '\nTOUCHLINE_KEY is the secret key of your account.')
    .action(async (type: string, { url, sport, tournament }: TriggerOptions) => {
      const client = createClient({ url, key: requiredKey() });
      // The service checks the values and names the ones that exist.
      const body = { event_type: type, sport, tournament } as never;
      const { id } = await client.post('/v1/account/trigger', { body });
      say(`${type} ${id} was sent to the streams that are open now`);
    });
}

/** @throws {Error} */
function requiredKey(): string {
  const key = process.env.TOUCHLINE_KEY;
  if (key === undefined || key === '') throw new Error('TOUCHLINE_KEY is missing: a secret key of your account');
  return key;
}

/**
 * Forwards events, each once and in order, until the signal is aborted. After a lost connection, missed events follow.
 * @param key key of an account
 * @throws {Error} if the service refuses the stream, with its reason
 */
async function listen(
  { url, forward, eventTypes, sports, leagues, delay }: ListenOptions,
  key: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const secret = generateSecret();
  const keys = [signingKey(secret)];
  let refusal: string | null = null;
  const filters = {
    ...(eventTypes && { event_type: eventTypes }),
    ...(sports && { sport: sports }),
    ...(leagues && { league: leagues }),
  };
  const stream = openStream({
    url,
    key,
    filters,
    ...(delay !== undefined && { delay }),
    onEvent: async (event) => say(`${event.type} ${event.id} → ${await send(event, forward, keys, signal)}`),
    onState: (state) => {
      if (state.phase === 'failed') refusal = state.reason;
      const line = stateLine(state);
      if (line !== null) say(line);
    },
  });
  say(`Signing secret: ${secret}`);
  say(`Sending events of ${url} to ${forward}`);
  signal.addEventListener('abort', () => stream.close(), { once: true });
  if (signal.aborted) stream.close();
  await stream.done;
  if (refusal !== null) throw new Error(refusal);
}

/** @returns what to print about the connection; null for nothing */
function stateLine(state: StreamState): string | null {
  switch (state.phase) {
    case 'live':
      return 'Connected';
    case 'waiting':
      return `Not connected, next attempt in ${(state.retryInMs / 1_000).toFixed(1)} s: ${state.reason}`;
    case 'replaying':
      return 'Reading missed events';
    case 'skipped':
      return 'Events were missed that are no longer stored';
    default:
      return null;
  }
}

/** Sends one event once. @returns the result for people */
async function send(
  event: StreamEvent,
  forward: string,
  keys: readonly SigningKey[],
  stop: AbortSignal,
): Promise<string> {
  const { id, type, data } = event;
  const body = Buffer.from(JSON.stringify({ id, type, data }));
  const timestamp = Math.floor(Date.now() / 1_000);
  const deliveryId = deriveDeliveryId(NO_SUBSCRIPTION, id);
  const begun = performance.now();
  const took = () => `after ${Math.round(performance.now() - begun)} ms`;
  try {
    const reply = await fetch(forward, {
      method: 'POST',
      headers: signedHeaders({ id, timestamp, body, attempt: 1, deliveryId }, keys),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    });
    await reply.body?.cancel();
    return `${reply.status} ${took()}`;
  } catch (error) {
    const { cause } = error as Error;
    return `${readErrorCode(cause) ?? errorMessage(cause ?? error)} ${took()}`;
  }
}
