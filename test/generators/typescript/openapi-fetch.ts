/** Prints the service's replies, as openapi-fetch returns them with types from openapi-typescript. */
import { readFileSync } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

// Without a media type, a reply that may also be CSV would have a union type with text.
const api = createClient<paths, `application/${string}`>({
  baseUrl: process.env.TOUCHLINE_URL!,
  headers: { 'X-API-Key': process.env.TOUCHLINE_KEY! },
});
const tournament = Number(process.env.TOURNAMENT);
const id = Number(process.env.EVENT);

const { data: list } = await api.GET('/v1/events', {
  params: { query: { tournament: [tournament], from: '2024-01-01', limit: 5 } },
});
const { data: detail } = await api.GET('/v1/event/{id}', { params: { path: { id } } });
const { data: standings } = await api.GET('/v1/tournament/{id}/standings', { params: { path: { id: tournament } } });
const { error } = await api.GET('/v1/event/{id}', { params: { path: { id: Number.MAX_SAFE_INTEGER } } });
const problem: components['schemas']['Problem'] = error!;

interface Operation {
  id: string;
  method: string;
  path: string;
  inPath: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
}
type Call = (path: string, init: object) => Promise<{ response: Response; data?: unknown }>;

/** Writes lists as the document specifies. */
const querySerializer = { array: { style: 'form', explode: false } } as const;
const answers: Record<string, { status: number; reply: unknown }> = {};
for (const one of JSON.parse(readFileSync(process.env.OPERATIONS!, 'utf8')) as Operation[]) {
  const { id, method, path, inPath, query, body, headers } = one;
  const asking = createClient<paths>({ baseUrl: process.env.TOUCHLINE_URL!, headers, querySerializer });
  const call = asking[method as 'GET'] as unknown as Call;
  const { response, data } = await call(path, {
    params: { path: inPath, query },
    ...(body !== null && { body }),
    parseAs: 'text',
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  answers[id] = { status: response.status, reply: isJson && data !== undefined ? JSON.parse(String(data)) : null };
}

console.log(
  JSON.stringify({
    ids: list!.events.map((match) => match.id),
    home: detail!.participants![0]!.name,
    score: detail!.participants![0]!.score,
    incidents: detail!.incidents!.length,
    leader: standings!.table[0]!.name,
    points: standings!.table[0]!.points,
    missing: problem.code,
    answers,
  }),
);
