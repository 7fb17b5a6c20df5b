/** The API reference at /docs. Swagger UI comes from its npm package, so that browsers load all files from this host. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Lang, lang, oneValue, Problem, type RouteValue, type StaticFile, staticFile } from '../http/index.ts';
import { DAY_SECONDS } from '../wire/time.ts';
import { html } from './html.ts';
import { document } from './layout.ts';
import { REFERENCE } from './texts/index.ts';

const OWN_STYLES = html`<link rel="stylesheet" href="docs/assets/start.css">`;

const page = (language: Lang) => {
  const text = REFERENCE[language];
  return document({
    lang: language,
    title: text.title,
    root: '',
    query: '',
    // Only the styles of the first lines are awaited. Swagger UI is 20 times as large, so the styles for it stand behind these lines.
    head: html`${OWN_STYLES}
<script defer src="docs/assets/swagger-ui-bundle.js"></script>
<script defer src="docs/assets/start.js"></script>`,
    body: html`<h1 class="documents">${text.title}</h1>
<p class="documents">${text.files} <a href="v1/openapi.json">OpenAPI</a> · <a href="v1/asyncapi.json">AsyncAPI</a></p>
${text.note !== '' && html`<p class="documents">${text.note}</p>`}
<noscript><p class="documents">${text.needsScripts}</p></noscript>
<link rel="stylesheet" href="docs/assets/swagger-ui.css">${OWN_STYLES}
<div id="swagger-ui" lang="en"><p class="documents" lang="${language}">${text.loading}</p></div>`,
  });
};
const PAGES: Record<Lang, string> = { en: page('en'), ru: page('ru') };

/** Files that come from this project instead of Swagger UI, by the name under which they are served. */
const OWN: Partial<Record<AssetName, string>> = { 'start.js': 'reference.js', 'start.css': 'reference.css' };

const MEDIA_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'start.css': 'text/css; charset=utf-8',
} as const;
type AssetName = keyof typeof MEDIA_TYPES;
const ASSET_NAMES = Object.keys(MEDIA_TYPES) as [AssetName, ...AssetName[]];

const folder = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** All files are kept in memory. They take 1.5 MB in total. */
const assets = Object.fromEntries(
  ASSET_NAMES.map((name) => {
    const own = OWN[name];
    const file = () => (own === undefined ? join(folder(), name) : new URL(`assets/${own}`, import.meta.url));
    return [name, staticFile(() => readFile(file()))];
  }),
) as Record<AssetName, StaticFile>;

const ASSET_MAX_AGE_SECONDS = DAY_SECONDS;

const pageRoute: RouteValue<unknown> = {
  method: 'GET',
  path: '/docs',
  summary: 'This documentation as a page',
  tag: 'Service',
  access: 'public',
  cost: 0,
  // The page depends on the language, which a cookie may choose.
  cache: 'no-store',
  query: z.object({ lang }),
  response: { contentType: 'text/html; charset=utf-8' },
  handler: ({ lang: language }) => ({ body: PAGES[language] }),
};

const assetParams = z.object({ file: oneValue(ASSET_NAMES) });

const assetRoute: RouteValue<unknown> = {
  method: 'GET',
  path: '/docs/assets/{file}',
  summary: 'Files of the documentation page',
  tag: 'Service',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: ASSET_MAX_AGE_SECONDS },
  response: { contentType: 'application/octet-stream' },
  handler: async ({ params }) => {
    const { success, data } = assetParams.safeParse(params);
    if (!success) throw new Problem('not_found');
    return { ...(await assets[data.file]()), contentType: MEDIA_TYPES[data.file] };
  },
};

export const referenceRoutes: readonly RouteValue<unknown>[] = [pageRoute, assetRoute];
