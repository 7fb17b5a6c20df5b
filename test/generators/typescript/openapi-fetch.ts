/** Prints what the service answers to openapi-fetch with the types of openapi-typescript. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const api = createClient<paths>({
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

console.log(
  JSON.stringify({
    ids: list!.events.map((match) => match.id),
    home: detail!.participants[0]!.name,
    score: detail!.participants[0]!.score,
    incidents: detail!.incidents!.length,
    leader: standings!.table[0]!.name,
    points: standings!.table[0]!.points,
    missing: problem.code,
  }),
);
