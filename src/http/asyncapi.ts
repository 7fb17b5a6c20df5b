/** The AsyncAPI 3 document for the streams and the webhooks, from the same schemas as the OpenAPI document. */
import { VERSION } from '../runtime/version.ts';
import type { Channel, Message } from './channel.ts';
import { documentRoute } from './document-route.ts';
import { memberSchemas } from './input.ts';
import { Components, type Json, type JsonObject } from './openapi-schemas.ts';
import type { RouteValue } from './route.ts';

const ref = (...path: string[]): JsonObject => ({ $ref: `#/${path.join('/')}` });
const textHeaders = (headers: Readonly<Record<string, string>>): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required: Object.keys(headers),
});

/** The key is in a header, or in the query if the client is a browser. */
const SECURITY_SCHEMES: JsonObject = {
  ApiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
  ApiKeyInQuery: { type: 'httpApiKey', in: 'query', name: 'key', description: 'For clients that cannot set headers.' },
};

function servers(baseUrl: string): JsonObject {
  // A Host header such as 127.0.0.1:99999 is answered, although it is not a valid URL.
  const [, scheme, host = '', pathname] = /^(https?):\/\/([^/]+)(\/.*)?$/.exec(baseUrl) ?? [];
  const isSecure = scheme === 'https';
  const base = { host, ...(pathname !== undefined && { pathname }) };
  return {
    http: { ...base, protocol: isSecure ? 'https' : 'http' },
    websocket: { ...base, protocol: isSecure ? 'wss' : 'ws' },
    receiver: {
      host: '{receiver}',
      protocol: 'https',
      description: 'The address of a webhook subscription.',
      variables: { receiver: { description: 'Host of the subscription', default: 'example.com' } },
    },
  };
}

const SERVER_OF = { sse: 'http', websocket: 'websocket', webhook: 'receiver' } as const;

const message = ({ name, summary, example }: Message, headers: JsonObject | undefined, schema: JsonObject) => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  ...(headers && { headers }),
  payload: schema,
  examples: [{ payload: example as Json }],
});

const isClientMessage = (channel: Channel, one: Message) =>
  channel.kind !== 'webhook' && channel.receives.some(({ name }) => name === one.name);

const messagesOf = (channel: Channel): readonly Message[] =>
  channel.kind === 'webhook' ? channel.sends : [...channel.sends, ...channel.receives];

function query({ route }: Extract<Channel, { kind: 'sse' | 'websocket' }>, components: Components): JsonObject {
  const members = Object.entries(route.query === undefined ? {} : memberSchemas(route.query));
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, schema]) => [name, components.add(schema, 'output')])),
  };
}

function channelObject(channel: Channel, components: Components): JsonObject {
  const { title, description, kind } = channel;
  const messages = messagesOf(channel).map((one) => [one.name, ref('components', 'messages', one.name)] as const);
  return {
    address: kind === 'webhook' ? null : channel.route.path,
    title,
    description,
    servers: [ref('servers', SERVER_OF[kind])],
    messages: Object.fromEntries(messages),
    ...(kind === 'websocket' && {
      bindings: { ws: { method: 'GET', query: query(channel, components), bindingVersion: '0.1.0' } },
      'x-close-codes': { ...channel.closeCodes },
    }),
  };
}

/**
 * One operation sends all messages of a channel. Each kind of client message is received by an operation of its own.
 */
function operationsOf(channel: Channel, components: Components): [string, JsonObject][] {
  const { name, title, kind } = channel;
  const at = ref('channels', name);
  const named = (names: readonly string[]) => names.map((one) => ref('channels', name, 'messages', one));
  const security =
    kind === 'webhook'
      ? []
      : Object.keys(SECURITY_SCHEMES).map((scheme) => ref('components', 'securitySchemes', scheme));
  const http =
    kind === 'websocket'
      ? undefined
      : {
          method: kind === 'webhook' ? 'POST' : 'GET',
          ...(kind === 'sse' && { query: query(channel, components) }),
          bindingVersion: '0.3.0',
        };
  const sends: JsonObject = {
    action: 'send',
    channel: at,
    title,
    messages: named(channel.sends.map((one) => one.name)),
    ...(security.length > 0 && { security }),
    ...(http && { bindings: { http } }),
  };
  const receives = kind === 'webhook' ? [] : channel.receives;
  return [
    [`${name}Send`, sends],
    ...receives.map(({ name: one, summary, answers }): [string, JsonObject] => [
      `${name}Receive${one.charAt(0).toUpperCase()}${one.slice(1)}`,
      {
        action: 'receive',
        channel: at,
        summary,
        messages: named([one]),
        reply: { channel: at, messages: named(answers) },
      },
    ]),
  ];
}

/** @param baseUrl the public address, without a trailing slash */
export function asyncApiDocument(channels: readonly Channel[], baseUrl: string): JsonObject {
  const components = new Components();
  const messages = channels.flatMap((channel) => {
    const headers = channel.kind === 'webhook' ? textHeaders(channel.headers) : undefined;
    return messagesOf(channel).map((one): [string, Json] => {
      const io = isClientMessage(channel, one) ? 'input' : 'output';
      return [one.name, message(one, headers, components.add(one.payload, io))];
    });
  });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Touchline',
      version: VERSION,
      description: 'The streams of events and the webhooks. `/v1/openapi.json` describes the requests.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: servers(baseUrl),
    channels: Object.fromEntries(channels.map((channel) => [channel.name, channelObject(channel, components)])),
    operations: Object.fromEntries(channels.flatMap((channel) => operationsOf(channel, components))),
    components: {
      messages: Object.fromEntries(messages),
      schemas: components.schemas,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** @param read reads the channels when a client first requests the document */
export const asyncApiRoute = (read: () => Promise<readonly Channel[]>): RouteValue<unknown> =>
  documentRoute('/v1/asyncapi.json', 'The streams and the webhooks, as an AsyncAPI document', async (baseUrl) =>
    asyncApiDocument(await read(), baseUrl),
  );
