/** Routes for the guides, which supplement the API reference. */
import type { RouteValue } from '../http/index.ts';
import { agents } from './agents.ts';
import { type GuideDeps, route } from './deps.ts';
import { limits } from './limits.ts';
import { type Guide, guidePage, indexPage } from './page.ts';
import { quickStart } from './quick-start.ts';
import { streaming } from './streaming.ts';
import { webhooks } from './webhooks.ts';

/** In reading order. */
const GUIDES: readonly Guide[] = [quickStart, streaming, webhooks, agents, limits];
const MAX_AGE_SECONDS = 60;

const page = {
  method: 'GET',
  tag: 'Service',
  access: 'public',
  cost: 0,
  cache: { maxAge: MAX_AGE_SECONDS },
  response: { contentType: 'text/html; charset=utf-8' },
} as const;

const index = route({
  ...page,
  path: '/docs/guides',
  summary: 'The guides: quick start, streaming, webhooks, agents, limits and plans',
  handler: (_input, { caches }) => caches.versioned.get('guides', '', async () => indexPage(GUIDES)),
});

const guides = GUIDES.map((guide) =>
  route({
    ...page,
    path: `/docs/guides/${guide.name}`,
    summary: `Guide: ${guide.title}`,
    undocumented: true,
    handler: ({ baseUrl }, { config, caches, plans: { list: plans } }) =>
      caches.versioned.get(`guide ${guide.name} ${baseUrl}`, JSON.stringify(plans), async () =>
        guidePage(guide, GUIDES, { baseUrl, signUp: config.signUp, plans, contactUrl: config.contactUrl }),
      ),
  }),
);

export const routes: RouteValue<GuideDeps>[] = [index, ...guides];
