/** The `webhooks` section in the OpenAPI document. */
import type { Channel, WebhookChannel } from './channel.ts';
import type { Components, Json, JsonObject } from './openapi-schemas.ts';

function webhooksOf({ sends, headers, responses, description, tag }: WebhookChannel, components: Components) {
  const parameters = Object.entries(headers).map(
    ([name, text]): JsonObject => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    }),
  );
  const replies = Object.entries(responses).map(([status, text]) => [status, { description: text }] as const);
  return sends.map(({ name, summary, payload, example }): [string, Json] => {
    const media = { schema: components.add(payload, 'output'), examples: { sample: { value: example as Json } } };
    const operation: JsonObject = {
      operationId: name,
      summary,
      description,
      tags: [tag],
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': media } },
      responses: Object.fromEntries(replies),
    };
    return [name, { post: operation }];
  });
}

export const webhooks = (channels: readonly Channel[], components: Components): JsonObject =>
  Object.fromEntries(
    channels.flatMap((channel) => (channel.kind === 'webhook' ? webhooksOf(channel, components) : [])),
  );
