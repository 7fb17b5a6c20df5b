/** The stream for pages: server-sent events for the front page's matches, or for one match. */
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { EVERYTHING } from '../../events/index.ts';
import { idParam, Problem, type RouteValue, routeFor } from '../../http/index.ts';
import { tournamentOfLiveMatch } from '../../matches/index.ts';
import { type Hub, STREAM_HEADERS, type StreamFilter, takeOver } from '../../stream/index.ts';
import { findViewer } from '../site-access.ts';
import { liveEncoder } from './page-frames.ts';
import type { LivePages } from './page-streams.ts';
import { frontPageRule, matchPageRule } from './shown-events.ts';

export interface LiveDeps extends Deps {
  hub: Hub;
  livePages: LivePages;
}

/** A page stream has no gap frames, so it needs no links for them. */
const NO_LINKS = { sync: '', replay: () => '' };

/** @throws {Problem} not_found unless the match is being played */
async function pageFilter({ pool, livePages }: LiveDeps, match: number | undefined): Promise<StreamFilter> {
  if (match === undefined) return { ...EVERYTHING, rule: frontPageRule((id) => livePages.shown.has(id)) };
  const tournament = await tournamentOfLiveMatch(pool, match);
  if (tournament === null) throw new Problem('not_found', `Match ${match} is not being played.`);
  return { ...EVERYTHING, leagues: [tournament], rule: matchPageRule(match) };
}

const live = routeFor<LiveDeps>()({
  method: 'GET',
  path: '/live',
  summary: 'What changes on the front page, or on the page of one match, as server-sent events',
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  cache: 'no-store',
  /** Limits how often streams are opened. LivePages limits how many are open. */
  perAddress: { requests: 600, seconds: 60 },
  inTotal: { requests: 2_000, seconds: 10 },
  query: z.object({ match: idParam.optional() }),
  isStream: true,
  response: { contentType: 'text/event-stream; charset=utf-8' },
  errors: ['not_found', 'too_many_connections'],
  handler: async ({ query, address, ...input }, deps) => {
    const viewer = findViewer(deps.config, input);
    if (viewer === undefined) throw new Problem('not_found', 'There is nothing at this path.');
    const filter = await pageFilter(deps, query.match);
    return {
      body: null,
      headers: STREAM_HEADERS,
      attach: async (response) => {
        const page = await deps.livePages.enter(address, viewer, query.match === undefined);
        const socket = takeOver(response);
        const options = { socket, encoder: liveEncoder, filter, cursor: null, links: NO_LINKS, owner: page };
        deps.hub.connect(options).catch((error: unknown) => {
          deps.logger.warn({ err: error }, 'opening the stream of a page failed');
          page.left();
          socket.end();
        });
      },
    };
  },
});

/** Routes that the role `stream` serves. */
export const liveRoutes: RouteValue<LiveDeps>[] = [live];
