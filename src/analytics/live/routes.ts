/** Live probabilities over REST. */
import { hash } from 'node:crypto';
import { idParams, Problem, type RouteValue } from '../../http/index.ts';
import { IN_PLAY_SPORTS, matchRates } from '../../in-play/index.ts';
import { findMatchSubject } from '../cards/subjects.ts';
import { type AnalyticsDeps, route } from '../deps.ts';
import { historyLoading } from '../history-loading.ts';
import { currentRates, matchProbabilitiesReply } from './probabilities-reply.ts';
import * as schema from './schema.ts';

/** Seconds for which a reply may be cached. Clients that need goals at once use the stream. */
const LIVE_SECONDS = 5;

const probabilities = route({
  method: 'GET',
  path: '/v1/event/{id}/probabilities',
  summary: 'Win probability with a timeline',
  description:
    'For football, computed from the goals that the calibrated model expects before the match, the share of goals that is still to come at each minute, the score, and the players sent off. The card has `current` as the block `win_probability`, unless a provider gives that block. For Twenty20 cricket, computed from the runs, the balls and the wickets that both sides have left, the target, and the ratings. `/docs/models` shows how accurate the forecasts are.',
  tag: 'Analytics',
  access: 'key',
  cost: 1,
  cache: { maxAge: LIVE_SECONDS },
  params: idParams,
  response: schema.matchProbabilities,
  errors: ['not_found'],
  handler: ({ params: { id } }, deps) =>
    deps.caches.replies.get(`probabilities ${id}`, id, async (cached) => {
      const [subject, stored] = await Promise.all([findMatchSubject(deps.reads, id), matchRates(deps.pool, [id])]);
      if (subject === null) throw new Problem('not_found', `There is no match ${id}.`);
      const rates = currentRates(stored, subject);
      if (rates === null && !subject.is_loaded && IN_PLAY_SPORTS.includes(subject.sport)) throw historyLoading();
      const version = `${subject.version} ${subject.match_version} ${rates?.computed_at}`;
      if (cached?.version === version) return cached;
      const body = JSON.stringify(await matchProbabilitiesReply(deps, subject, rates, deps.clock.now()));
      return { body, version, etag: hash('sha1', body, 'base64url') };
    }),
});

export const liveRoutes: RouteValue<AnalyticsDeps>[] = [probabilities];
