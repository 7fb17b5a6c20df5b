// npm install @modelcontextprotocol/client
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { TOUCHLINE_URL, TOUCHLINE_KEY } = process.env;
const requestInit = { headers: { Authorization: `Bearer ${TOUCHLINE_KEY}` } };
const transport = new StreamableHTTPClientTransport(new URL(`${TOUCHLINE_URL}/mcp`), {
  requestInit,
});
const client = new Client(
  { name: 'example', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(transport);

async function call(name: string, args: Record<string, unknown>) {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : 'null');
}

const { events } = await call('events_live', { limit: 10 });
const ids = events.map((event: { id: number }) => event.id);
const cards = await call('event_analytics', { id: ids, fields: ['model'] });
console.log(JSON.stringify({ events, cards }, null, 2));
await client.close();
