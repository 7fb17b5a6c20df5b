/** Analytics over REST for a match, a side or a tournament, and price history. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  bool,
  idParam,
  idParams,
  integer,
  lang,
  limit,
  oneValue,
  Problem,
  type RouteValue,
  text,
} from '../http/index.ts';
import { isWithin } from '../wire/access.ts';
import { modelledSports } from './calibrated/parameters.ts';
import type { Card } from './cards/cards.ts';
import { computeProfile, renderProfile } from './cards/league-profile.ts';
import { computeCard, renderCard } from './cards/match-card.ts';
import { readOddsHistory } from './cards/odds-history.ts';
import { type CardKey, tournamentVariant } from './cards/stored-cards.ts';
import {
  findMatchSubject,
  findParticipantSubject,
  findTournamentSubject,
  type HistoryState,
  SIDE_SCOPES,
} from './cards/subjects.ts';
import { computeSide, RECENT, renderSide, sideKey } from './cards/team-trends.ts';
import { type AnalyticsDeps, route } from './deps.ts';
import { historyLoading } from './history-loading.ts';
import { liveRoutes } from './live/routes.ts';
import { outlook } from './outlook/route.ts';
import { FORM_SAMPLES, formatDate } from './samples/match-samples.ts';
import * as schema from './schema.ts';

const ANALYTICS_SECONDS = 60;

const common = { tag: 'Analytics', method: 'GET', access: 'key', cost: 1 } as const;
const cache = { maxAge: ANALYTICS_SECONDS };
const unknown = (what: string, id: number) => new Problem('not_found', `There is no ${what} ${id}.`);

interface Found<S, F> {
  key: CardKey;
  subject: S & HistoryState;
  /** Version of everything in the reply that is not in the card. */
  shown?: string | number;
  compute: () => Promise<F>;
  render: (card: Card<F>) => object;
}

/**
 * Renders a reply again only if the version has changed.
 * @param find reads the subject together with the stored card
 */
const cardReply = <S, F>(deps: AnalyticsDeps, name: string, match: number | null, find: () => Promise<Found<S, F>>) =>
  deps.caches.replies.get(name, match, async (cached) => {
    const { key, subject, shown = '', compute, render } = await find();
    if (!subject.is_loaded) throw historyLoading();
    const versionWith = (version: string) => `${version} ${shown}`;
    if (cached?.version === versionWith(subject.version)) return cached;
    const card = await deps.cards.read(key, subject, compute);
    const body = JSON.stringify(render(card));
    return {
      body,
      version: versionWith(card.version),
      isStale: card.version !== subject.version,
      etag: hash('sha1', body, 'base64url'),
    };
  });

const analytics = route({
  ...common,
  path: '/v1/event/{id}/analytics',
  summary: 'Pre-match analytics',
  description: `Computed from the matches before the date of this match (UTC); with \`explain\` each block names them. \`model\` is null in sports other than ${modelledSports('en')}, and if the home side has fewer than 4 home matches or the away side fewer than 4 away matches.`,
  cache,
  params: idParams,
  query: z.object({
    sample: oneValue(FORM_SAMPLES).default('season').meta({
      description:
        'Sample of the form. season: matches of the same tournament and season; window: matches of the tournament in the last 913 days; all: matches of all tournaments',
    }),
    explain: bool.default(false),
    lang,
  }),
  response: schema.analyticsCard,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { sample, explain }, lang }, deps) =>
    cardReply(deps, `analytics ${id} ${sample} ${explain} ${lang}`, id, async () => {
      const subject = await findMatchSubject(deps.reads, id, sample);
      if (subject === null) throw unknown('match', id);
      return {
        key: { kind: 'match', id, variant: sample },
        subject,
        shown: subject.match_version,
        compute: () => computeCard(deps, subject, sample),
        render: ({ facts, computed_at }) => renderCard(subject, facts, { explain, lang, computed_at }),
      };
    }),
});

export const trends = route({
  ...common,
  path: '/v1/participant/{id}/trends',
  summary: "A side's form and trends",
  description:
    'For the tournament and season of the newest counted league match of the side, or for all competitions; `scope` names the sample. A player has trends only in sports in which players are sides.',
  cache,
  params: idParams,
  query: z.object({
    last: integer(1, RECENT.most)
      .default(RECENT.standard)
      .meta({ description: 'Number of matches in `last_n` and `recent`' }),
    scope: oneValue(SIDE_SCOPES).default('season').meta({
      description:
        'season: matches of the newest league season of the side; all: matches of all competitions in the last 913 days',
    }),
    lang,
  }),
  response: schema.teamTrends,
  errors: ['not_found'],
  handler: ({ params: { id }, query: { last, scope }, lang, access }, deps) =>
    cardReply(
      deps,
      `trends ${id} ${last} ${scope} ${lang}${access === null ? '' : JSON.stringify(access)}`,
      null,
      async () => {
        const now = deps.clock.now();
        const key = sideKey(id, last, scope);
        const day = formatDate(now / 1_000);
        const subject = await findParticipantSubject(deps.reads, id, { day, scope, variant: key.variant });
        if (subject === null) throw unknown('participant', id);
        if (subject.type === 'player' && subject.newest === null)
          throw new Problem(
            'not_found',
            `Participant ${id} is a player in a team sport, in which only teams have trends.`,
          );
        if (subject.newest !== null && !isWithin(access, subject.sport, subject.newest.tournament_id))
          throw new Problem('not_found', `The plan does not include the league of participant ${id}.`);
        return {
          key,
          subject,
          compute: () => computeSide(deps, subject, { last, now, scope }),
          render: ({ facts, computed_at }) => renderSide(subject, facts, { lang, computed_at }),
        };
      },
    ),
});

const profile = route({
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
    cardReply(deps, `profile ${id} ${season}`, null, async () => {
      const now = deps.clock.now();
      const day = formatDate(now / 1_000);
      const subject = await findTournamentSubject(deps.reads, id, { day, kind: 'league', season });
      if (subject === null) throw unknown('tournament', id);
      if (!subject.has_season) throw new Problem('not_found', `Tournament ${id} has no season ${season}.`);
      return {
        key: { kind: 'league', id, variant: tournamentVariant(season) },
        subject,
        shown: day,
        compute: () => computeProfile(deps, subject, season, now),
        render: (card) => renderProfile(subject, card, season, now),
      };
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
    cursor: z.string().optional().meta({ description: "The previous page's `next_cursor`" }),
  }),
  response: schema.oddsHistory,
  errors: ['not_found', 'invalid_cursor'],
  async handler({ params, query }, deps) {
    const subject = await findMatchSubject(deps.reads, params.id);
    if (subject === null) throw unknown('match', params.id);
    return { body: await readOddsHistory(deps, subject, query) };
  },
});

export const routes: RouteValue<AnalyticsDeps>[] = [analytics, trends, profile, outlook, odds, ...liveRoutes];
