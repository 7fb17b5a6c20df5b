/** API reference at /docs: Swagger UI from its package, so that the browser loads no file from other hosts. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../http/errors.ts';
import { oneValue } from '../http/query.ts';
import type { RouteValue } from '../http/route.ts';
import { type StaticFile, staticFile } from '../http/static-file.ts';
import { html } from './html.ts';
import { document } from './layout.ts';

const PAGE = document({
  lang: 'en',
  title: 'Touchline API',
  root: '',
  head: html`<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<link rel="stylesheet" href="docs/assets/start.css">
<script defer src="docs/assets/swagger-ui-bundle.js"></script>
<script defer src="docs/assets/start.js"></script>`,
  body: html`<div id="swagger-ui"></div>
<noscript>The OpenAPI document is at <a href="v1/openapi.json">v1/openapi.json</a>.</noscript>`,
});

/** `validatorUrl: null`: by default the page sends the document to a validator on the internet. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
setTheme();
dark.addEventListener('change', setTheme);
SwaggerUIBundle({
  url: new URL('v1/openapi.json', document.baseURI).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** On a phone the table of error codes is wider than the page: its rows are stacked. No reply has OpenAPI links. */
const START_CSS = `main{max-width:1460px;padding:0 0 48px}
html.dark-mode .swagger-ui{background:none}
@media (max-width:760px){
.swagger-ui .renderedMarkdown table,.swagger-ui .renderedMarkdown tbody{display:block}
.swagger-ui .renderedMarkdown thead{display:none}
.swagger-ui .renderedMarkdown tr{display:grid;grid-template-columns:3em minmax(0,1fr);padding:7px 0;border-bottom:1px solid var(--line)}
.swagger-ui .renderedMarkdown table tbody tr td:nth-child(n){padding:0;overflow-wrap:anywhere}
.swagger-ui .renderedMarkdown td:last-child{grid-column:2}
.swagger-ui .response-col_links{display:none}
}
`;

const GENERATED: Partial<Record<AssetName, string>> = { 'start.js': START, 'start.css': START_CSS };

const MEDIA_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'start.css': 'text/css; charset=utf-8',
} as const;
type AssetName = keyof typeof MEDIA_TYPES;
const ASSET_NAMES = Object.keys(MEDIA_TYPES) as [AssetName, ...AssetName[]];

const folder = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** 1.5 MB in total. */
const assets = Object.fromEntries(
  ASSET_NAMES.map((name) => {
    const generated = GENERATED[name];
    return [
      name,
      staticFile(async () => (generated === undefined ? readFile(join(folder(), name)) : Buffer.from(generated))),
    ];
  }),
) as Record<AssetName, StaticFile>;

const PAGE_MAX_AGE_SECONDS = 300;
const ASSET_MAX_AGE_SECONDS = 86_400;

const pageRoute: RouteValue<unknown> = {
  method: 'GET',
  path: '/docs',
  summary: 'This documentation as a page',
  tag: 'Service',
  access: 'public',
  cost: 0,
  cache: { maxAge: PAGE_MAX_AGE_SECONDS },
  response: { contentType: 'text/html; charset=utf-8' },
  handler: () => ({ body: PAGE }),
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
