/** Routes for the guides, which supplement the API reference. */
import { z } from 'zod';
import { lang, type RouteValue } from '../http/index.ts';
import { agents } from './agents.ts';
import { type GuideDeps, route } from './deps.ts';
import { limits } from './limits.ts';
import { type Guide, type GuideInput, guidePage, indexPage } from './page.ts';
import { quickStart } from './quick-start.ts';
import { streaming } from './streaming.ts';
import { webhooks } from './webhooks.ts';
import { widgetQuery, widgets } from './widgets.ts';

const widgetsGuide = widgets(widgetQuery.parse({}));
/** In reading order. */
const GUIDES: readonly Guide[] = [quickStart, streaming, webhooks, widgetsGuide, agents, limits];

const page = {
  method: 'GET',
  tag: 'Service',
  access: 'public',
  cost: 0,
  // The page depends on the language, which a cookie may choose.
  cache: 'no-store',
  response: { contentType: 'text/html; charset=utf-8' },
} as const;
const query = z.object({ lang });

const index = route({
  ...page,
  path: '/docs/guides',
  summary: 'The guides: quick start, streaming, webhooks, widgets, agents, limits and plans',
  query,
  handler: ({ lang: language }, { caches }) =>
    caches.versioned.get(`guides ${language}`, '', async () => indexPage(GUIDES, language)),
});

const toInput = (
  { baseUrl, lang: language }: Pick<GuideInput, 'baseUrl' | 'lang'>,
  { config, plans: { list: plans } }: GuideDeps,
): GuideInput => ({ baseUrl, signUp: config.signUp, plans, contactUrl: config.contactUrl, lang: language });

const guides = GUIDES.filter((guide) => guide !== widgetsGuide).map((guide) =>
  route({
    ...page,
    path: `/docs/guides/${guide.name}`,
    summary: `Guide: ${guide.text('en').title}`,
    undocumented: true,
    query,
    handler: (input, deps) =>
      deps.caches.versioned.get(
        `guide ${guide.name} ${input.baseUrl} ${input.lang}`,
        JSON.stringify(deps.plans.list),
        async () => guidePage(guide, GUIDES, toInput(input, deps)),
      ),
  }),
);

/** As for other pages; in addition, the page may show a widget in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';');

const widgetsPage = route({
  ...page,
  path: '/docs/guides/widgets',
  summary: 'Guide: Widgets, with a form that builds one',
  undocumented: true,
  query: widgetQuery,
  handler: (input, deps) => {
    const { lang: _, ...given } = input.query;
    const kept = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const shown = widgets(input.query);
    const all = GUIDES.map((guide) => (guide === widgetsGuide ? shown : guide));
    const switched = input.query.widget === undefined ? '' : new URLSearchParams(kept).toString();
    const body = guidePage(shown, all, toInput(input, deps), switched);
    return { body, headers: { 'Content-Security-Policy': POLICY } };
  },
});

export const routes: RouteValue<GuideDeps>[] = [index, ...guides, widgetsPage];
