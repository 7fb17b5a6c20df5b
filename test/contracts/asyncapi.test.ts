import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import schemaOfDocument from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { allChannels, allRoutes } from '../../src/all-roles.ts';
import { asyncApiDocument } from '../../src/http/asyncapi.ts';
import { memberSchemas } from '../../src/http/input.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import {
  BINARY_MESSAGE,
  CLOSE_CODES,
  END_CODES,
  INTERNAL_ERROR,
  REFUSAL_CODES,
  TOO_MANY_MESSAGES,
} from '../../src/stream/close-codes.ts';
import { clientMessage, sseGap } from '../../src/stream/message-schemas.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { channel as webhooks } from '../../src/webhooks/delivery/asyncapi-channel.ts';
import { noticeData } from '../../src/webhooks/delivery/notice-queries.ts';
import { ownEnvelope } from '../../src/webhooks/delivery/own-events.ts';
import { signedHeaders } from '../../src/webhooks/delivery/signature.ts';
import { signingKey } from '../../src/webhooks/subscriptions/signing-keys.ts';
import { EXAMPLE_EVENT, envelopeData, renderEnvelope } from '../../src/wire/envelope.ts';
import { NOTICE_TYPES } from '../../src/wire/event-types.ts';
import { parseSse } from '../support/sse.ts';

const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schemaOfDocument);

interface AsyncApi extends JsonObject {
  channels: Record<
    string,
    JsonObject & { messages: JsonObject; bindings: { ws: { query: { properties: JsonObject } } } }
  >;
  operations: Record<string, JsonObject & { bindings: { http: JsonObject & { query: { properties: JsonObject } } } }>;
  components: { messages: Record<string, JsonObject & { examples: JsonObject[] }>; schemas: JsonObject };
}

describe('the AsyncAPI document', () => {
  const document = asyncApiDocument(allChannels, 'https://api.example.com/sport') as AsyncApi;
  const { channels, operations, components } = document;
  const resolve = (value: Json): JsonObject | undefined => {
    const { $ref } = value as JsonObject;
    if (typeof $ref !== 'string') return value as JsonObject;
    const steps = $ref.slice('#/'.length).split('/');
    return steps.reduce<Json | undefined>((at, step) => (at as JsonObject | undefined)?.[step], document) as JsonObject;
  };

  it('is valid AsyncAPI 3, and this test’s checker finds errors', () => {
    assert.ok(isValid(document), JSON.stringify(isValid.errors?.slice(0, 3)));
    for (const broken of [
      { ...document, asyncapi: '2.6.0' },
      { ...document, operations: { one: { action: 'publish', channel: { $ref: '#/channels/webSocket' } } } },
    ])
      assert.ok(!isValid(broken));
  });

  it('has no dangling reference', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    assert.ok(refs.length > 50);
    for (const path of refs) {
      assert.notEqual(resolve({ $ref: `#/${path}` }), undefined, path);
    }
  });

  it('has examples that conform to the schema, and a changed example does not', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components });
    for (const [name, { payload, examples }] of Object.entries(components.messages)) {
      const schema = JSON.parse(JSON.stringify(payload).replaceAll('"#/components', '"document#/components'));
      const validate = ajv.compile(schema);
      const [example] = examples;
      assert.ok(validate(example!.payload), `${name}: ${ajv.errorsText(validate.errors)}`);
      const { required } = resolve(payload!) as { required: string[] };
      assert.ok(required.length > 0);
      for (const member of required) {
        const { [member]: _, ...rest } = example!.payload as JsonObject;
        assert.ok(!validate(rest), `${name} without ${member}`);
      }
    }
  });

  it('has the streams at the routes’ addresses, with the same parameters', () => {
    const { serverSentEvents, webSocket } = channels;
    assert.deepEqual([serverSentEvents!.address, webSocket!.address], ['/v1/stream', '/v1/stream/ws']);
    assert.deepEqual(document.servers, {
      http: { host: 'api.example.com', pathname: '/sport', protocol: 'https' },
      websocket: { host: 'api.example.com', pathname: '/sport', protocol: 'wss' },
      receiver: (document.servers as JsonObject).receiver,
    });
    const queryOf = (path: string) => Object.keys(memberSchemas(allRoutes.find((one) => one.path === path)!.query!));
    const { query } = operations.serverSentEventsSend!.bindings.http;
    assert.deepEqual(Object.keys(query.properties), queryOf('/v1/stream'));
    assert.deepEqual(Object.keys(webSocket!.bindings.ws.query.properties), queryOf('/v1/stream/ws'));
  });

  it('has each message that a client may send, with the service’s answer', () => {
    const received = Object.values(operations).filter(({ action }) => action === 'receive');
    const types = clientMessage.options.map((option) => option.shape.type.value);
    assert.deepEqual(
      received.map(({ messages }) => messages),
      types.map((type) => [{ $ref: `#/channels/webSocket/messages/${type}` }]),
    );
    assert.deepEqual((operations.webSocketReceivePing!.reply as JsonObject).messages, [
      { $ref: '#/channels/webSocket/messages/pong' },
      { $ref: '#/channels/webSocket/messages/error' },
    ]);
  });

  it('explains each close code', () => {
    const used = [...Object.values(REFUSAL_CODES), ...Object.values(END_CODES).map(([code]) => code)];
    for (const code of [...used, INTERNAL_ERROR, BINARY_MESSAGE, TOO_MANY_MESSAGES])
      assert.ok(CLOSE_CODES[code], `${code}`);
    assert.deepEqual(channels.webSocket!['x-close-codes'], CLOSE_CODES);
    const page = readFileSync(new URL('../../docs/streams.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| (\d{4}) \|/gm)].map(([, code]) => code);
    assert.deepEqual(listed, Object.keys(CLOSE_CODES));
  });

  it('describes the gap in a server-sent event stream as the service sends it', () => {
    const links = { sync: 'https://x.example/v1/sync', replay: (from: number) => `https://x.example/r?since=${from}` };
    for (const reason of ['limit', 'expired', 'ahead'] as const) {
      const text = sseEncoder.frame({ kind: 'gap', from: 5, to: 9, reason }, 0, links);
      const { event, data, id } = parseSse(String(text))[0]!;
      assert.deepEqual([event, id], ['stream.gap', undefined]);
      assert.equal(sseGap.parse(JSON.parse(data!)).reason, reason);
    }
  });

  it('has an example event that equals the service’s output', () => {
    const { type, data } = EXAMPLE_EVENT;
    assert.deepEqual(JSON.parse(renderEnvelope(type, envelopeData.parse(data))), {
      ...EXAMPLE_EVENT,
      id: `evt_${data.match.id}_${data.sequence}`,
    });
  });
});

describe('the webhooks in the documents', () => {
  const keys = [signingKey(`whsec_${Buffer.alloc(24).toString('base64')}`)];
  const { webhooks: described } = openApiDocument(allRoutes, 'https://api.example.com', { channels: allChannels });
  const operation = (name: string) => ((described as JsonObject)[name] as JsonObject).post as JsonObject;

  it('list the headers that a delivery has', () => {
    const sent = signedHeaders(
      { id: 'evt_1_1', timestamp: 1, body: Buffer.alloc(0), attempt: 1, deliveryId: 'd' },
      keys,
    );
    const own = Object.keys(sent).filter((name) => !['Content-Type', 'User-Agent'].includes(name));
    assert.deepEqual(Object.keys(webhooks.headers).sort(), own.sort());
    for (const name of Object.keys(described as JsonObject)) {
      const parameters = operation(name).parameters as JsonObject[];
      assert.deepEqual(parameters.map((one) => one.name).sort(), own);
      assert.ok(parameters.every((one) => one.in === 'header' && one.required === true));
    }
  });

  it('have the bodies of events, pings, tests, challenges and notices', () => {
    assert.deepEqual(Object.keys(described as JsonObject), [
      'matchEvent',
      'webhookChallenge',
      'webhookPing',
      'webhookFailing',
      'webhookDisabled',
      'webhookRecovered',
      'accountChanged',
      'webhookTest',
    ]);
    const about = {
      subscription_id: 3,
      account_id: 1,
      id: 1,
      at: 0,
      since: null,
      failure: 'status 500',
      description: '',
    };
    for (const type of NOTICE_TYPES) {
      const payload = webhooks.sends.find(({ example }) => (example as JsonObject).type === type)!.payload;
      const reason = type === 'webhook.disabled' ? 'gone' : null;
      const body = {
        id: 'evt_0_7',
        type,
        data: noticeData({ ...about, type, reason, cursor: 7, host: 'example.com' }),
      };
      assert.deepEqual(payload.parse(body), body);
    }
    for (const { name, payload } of webhooks.sends.slice(1)) {
      // test/webhooks/account-events.test.ts checks a real change of an account.
      if (/Failing|Disabled|Recovered|account/.test(name)) continue;
      const type = name.replace(/^webhook/, 'webhook.').toLowerCase() as Parameters<typeof ownEnvelope>[0];
      const body = ownEnvelope(type, 'evt_0_7', 3, 0, type === 'webhook.challenge' ? 'text' : null);
      assert.deepEqual(payload.parse(JSON.parse(body)), JSON.parse(body));
    }
  });
});
