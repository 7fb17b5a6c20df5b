/** Analytics over REST: of a match, a side, a tournament; and the history of prices. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { Problem, unavailable } from '../http/errors.ts';
import { bool, idParam, idParams, integer, lang, limit, oneValue, text } from '../http/query.ts';
import type { RouteValue } from '../http/route.ts';
import { calibrationPlot } from '../site/plots/calibration-plot.ts';
import { THEMES } from '../site/plots/palette.ts';
import { isWithin } from '../wire/access.ts';
import { MODELS } from './backtest/forecast.ts';
import { drawPlot } from './backtest/plots.ts';
import { scoresIn } from './backtest/scores.ts';
import { modelledSports } from './calibrated/parameters.ts';
import { computeCard } from './card.ts';
import { type AnalyticsDeps, route } from './deps.ts';
import { liveRoutes } from './live/routes.ts';
import { readModelReports } from './model-report.ts';
import { modelsPage } from './models-page.ts';
import { readOddsHistory } from './odds-history.ts';
import { computeProfile } from './profile.ts';
import * as schema from './schema.ts';
import { findMatchSubject, findParticipantSubject, findTournamentSubject, type MatchSubject } from './subjects.ts';
import { trendsOfSide } from './team-trends.ts';

const ANALYTICS_SECONDS = 60;
const SAMPLES = ['season', 'window', 'all'] as const;
const RECENT = { standard: 10, most: 50 };

const common = { tag: 'Analytics', method: 'GET', access: 'key', cost: 1 } as const;
const cache = { maxAge: ANALYTICS_SECONDS };
const unknown = (what: string, id: number) => new Problem('not_found', `There is no ${what} ${id}.`);

const formatDay = (now: number) => new Date(now).toISOString().slice(0, 10);

/**
 * Recomputes a reply only when its version has changed.
 * @param find reads the version, and returns how to compute the body
 */
const cachedReply = (
  deps: AnalyticsDeps,
  key: string,
  match: number | null,
  find: () => Promise<[subject: Pick<MatchSubject, 'version' | 'is_loaded'>, compute: () => Promise<object>]>,
) =>
  deps.caches.replies.get(key, match, async (cached) => {
    const [{ version, is_loaded }, compute] = await find();
    if (!is_loaded) throw unavailable('The history of matches is being loaded.');
    if (cached?.version === version) return cached;
    const body = JSON.stringify(await compute());
    return { body, version, etag: hash('sha1', body, 'base64url') };
  });

const analytics = route({
  ...common,
  path: '/v1/event/{id}/analytics',
  summary: 'Pre-match analytics',
  description: `Computed from the matches before the date of this one (UTC); with \`explain\` each block names them. \`model\` is null if there is none: in sports other than ${modelledSports('en')}, and if the home side has fewer than 4 home matches or the away side fewer than 4 away matches.`,
  cache,
  params: idParams,
  query: z.object({
    sample: oneValue(SAMPLES).default('season').meta({
      description:
        'Sample of the form: matches of the same tournament and season; of the tournament in the last 913 days; of all tournaments',
    }),
    explain: bool.default(false),
    lang,
  }),
  response: schema.analyticsCard,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { sample, explain }, lang }, deps) =>
    cachedReply(deps, `analytics ${id} ${sample} ${explain} ${lang}`, id, async () => {
      const subject = await findMatchSubject(deps.pool, id, sample !== 'all');
      if (subject === null) throw unknown('match', id);
      return [subject, () => computeCard(deps, subject, { sample, explain, lang })];
    }),
});

export const trends = route({
  ...common,
  path: '/v1/participant/{id}/trends',
  summary: 'Form and trends of a side',
  description:
    'For the tournament and season of its newest counted league match. A player has trends only in sports in which players are sides.',
  cache,
  params: idParams,
  query: z.object({
    last: integer(1, RECENT.most).default(RECENT.standard).meta({ description: 'Matches of `last_n` and `recent`' }),
    lang,
  }),
  response: schema.teamTrends,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { last }, lang, access }, deps) =>
    cachedReply(
      deps,
      `trends ${id} ${last} ${lang}${access === null ? '' : JSON.stringify(access)}`,
      null,
      async () => {
        const now = deps.clock.now();
        const subject = await findParticipantSubject(deps.pool, id);
        if (subject === null) throw unknown('participant', id);
        if (subject.type === 'player' && subject.newest === null)
          throw new Problem('not_found', `Participant ${id} is a player of teams: trends belong to sides.`);
        if (subject.newest !== null && !isWithin(access, subject.sport, subject.newest.tournament_id))
          throw new Problem('not_found', `The plan does not include the league of participant ${id}.`);
        return [
          { ...subject, version: `${subject.version} ${formatDay(now)}` },
          () => trendsOfSide(deps, subject, { last, lang, now }),
        ];
      },
    ),
});

export const profile = route({
  ...common,
  path: '/v1/tournament/{id}/profile',
  summary: 'League profile',
  description: 'For the last 913 days, or a season.',
  cache,
  params: idParams,
  query: z.object({ season: idParam.optional().meta({ description: 'Season id; default: the last 913 days' }) }),
  response: schema.leagueProfile,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { season } }, deps) =>
    cachedReply(deps, `profile ${id} ${season}`, null, async () => {
      const now = deps.clock.now();
      const subject = await findTournamentSubject(deps.pool, id, season);
      if (subject === null) throw unknown('tournament', id);
      if (!subject.has_season) throw new Problem('not_found', `Tournament ${id} has no season ${season}.`);
      return [
        { ...subject, version: `${subject.version} ${formatDay(now)}` },
        () => computeProfile(deps, subject, season, now),
      ];
    }),
});

const odds = route({
  ...common,
  path: '/v1/event/{id}/odds/history',
  summary: 'History of prices',
  description: 'Every price and every change, in the order of observation.',
  cache,
  params: idParams,
  query: z.object({
    market: text(1, 200).optional(),
    bookmaker: text(1, 200).optional(),
    limit: limit(100, 1_000),
    cursor: z.string().optional().meta({ description: '`next_cursor` of the previous page' }),
  }),
  response: schema.oddsHistory,
  errors: ['not_found', 'invalid_cursor'],
  async handler({ params, query }, deps) {
    const subject = await findMatchSubject(deps.pool, params.id);
    if (subject === null) throw unknown('match', params.id);
    return { body: await readOddsHistory(deps, subject, query) };
  },
});

const models = route({
  method: 'GET',
  path: '/docs/models',
  summary: 'Page about the models and their scores on this installation',
  tag: 'Service',
  access: 'public',
  cost: 0,
  cache,
  query: z.object({ lang }),
  response: { contentType: 'text/html; charset=utf-8' },
  handler: async ({ lang: language }, { pool }) => ({ body: modelsPage(await readModelReports(pool), language) }),
});

const calibration = route({
  method: 'GET',
  path: '/docs/models/{model}/calibration.svg',
  summary: 'Calibration of a model as a picture',
  tag: 'Service',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache,
  params: z.object({ model: oneValue(MODELS) }),
  query: z.object({ theme: oneValue(THEMES).default('light'), v: z.string().optional() }),
  response: { contentType: 'image/svg+xml; charset=utf-8' },
  errors: ['not_found'],
  async handler({ params: { model }, query: { theme } }, { pool }) {
    const { matches } = await readModelReports(pool);
    const scores = matches && scoresIn(matches.report, model);
    if (!scores) throw new Problem('not_found', `The model ${model} has not been measured.`);
    return { body: calibrationPlot(drawPlot(model, scores, theme)).text };
  },
});

export const routes: RouteValue<AnalyticsDeps>[] = [
  analytics,
  trends,
  profile,
  odds,
  models,
  calibration,
  ...liveRoutes,
];
