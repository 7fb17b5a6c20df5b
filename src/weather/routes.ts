/** A match's weather over REST. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { prepared } from '../db/postgres.ts';
import { type Route, route } from '../deps.ts';
import { idParams, lang, Problem } from '../http/index.ts';
import { id, weather } from '../wire/match.ts';
import { inLanguage, type Weather } from './block.ts';

const WEATHER_SECONDS = 60;

const WEATHER = prepared(
  'weather',
  `SELECT m.version, b.json FROM match m LEFT JOIN match_block b ON b.match_id = m.id AND b.block = 'weather' WHERE m.id = $1`,
);

const eventWeather = route({
  method: 'GET',
  path: '/v1/event/{id}/weather',
  summary: 'Weather at the kick-off',
  description:
    'Weather at the ground in the full hour nearest to the kick-off. From 14 days before the match it is a forecast, later the observed weather. `weather` is null earlier than 14 days before the match, and if the ground or the hour of the kick-off is not known.',
  tag: 'Matches',
  access: 'key',
  cost: 1,
  cache: { maxAge: WEATHER_SECONDS },
  params: idParams,
  query: z.object({ lang }),
  response: z
    .strictObject({
      event_id: id,
      available: z.boolean(),
      weather: weather.nullable().meta({ description: "`conditions` is in the reply's language" }),
    })
    .meta({ id: 'MatchWeather' }),
  errors: ['not_found'],
  handler: ({ params, lang: language }, deps) =>
    deps.caches.replies.get(`weather ${params.id} ${language}`, params.id, async (cached) => {
      const { rows } = await deps.pool.query<{ version: number; json: string | null }>(WEATHER([params.id]));
      const [found] = rows;
      if (found === undefined) throw new Problem('not_found', `There is no match ${params.id}.`);
      if (cached?.version === found.version) return cached;
      const block = found.json === null ? null : inLanguage(JSON.parse(found.json) as Weather, language);
      const body = JSON.stringify({ event_id: params.id, available: block !== null, weather: block });
      return { body, version: found.version, etag: hash('sha1', body, 'base64url') };
    }),
});

export const routes: Route[] = [eventWeather];
