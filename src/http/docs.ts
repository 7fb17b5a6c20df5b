/** The docs page at /docs: Swagger UI from its package; nothing is loaded from other hosts. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from './errors.ts';
import { oneValue } from './query.ts';
import type { RouteValue } from './route.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** URLs are relative, so that the page works under a path of BASE_URL as well. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Touchline API</title>
<link rel="icon" type="image/png" href="docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<link rel="stylesheet" href="docs/assets/start.css">
</head>
<body>
<nav aria-label="Touchline"><a href="./">Touchline</a> <a href="docs/guides">Guides</a> <a href="docs/leagues.html">Leagues</a> <a href="account">Account</a></nav>
<div id="swagger-ui"></div>
<noscript>The OpenAPI document is at <a href="v1/openapi.json">v1/openapi.json</a>.</noscript>
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/assets/start.js"></script>
</body>
</html>
`;

/** `validatorUrl: null`: by default the page sends the document to a validator on the internet. */
const START = `SwaggerUIBundle({
  url: new URL('v1/openapi.json', document.baseURI).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** On a phone the rows of the table of error codes are stacked, since it is wider than the page. */
const START_CSS = `body{margin:0}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;padding:12px 20px;border-bottom:1px solid #ccc;font:16px sans-serif}
nav a{color:#0b5c3a}
nav a:first-child{font-weight:700;text-decoration:none}
@media (max-width:760px){
.swagger-ui .renderedMarkdown table,.swagger-ui .renderedMarkdown tbody{display:block}
.swagger-ui .renderedMarkdown thead{display:none}
.swagger-ui .renderedMarkdown tr{display:grid;grid-template-columns:3em minmax(0,1fr);padding:7px 0;border-bottom:1px solid #ccc}
.swagger-ui .renderedMarkdown table tbody tr td:nth-child(n){padding:0;overflow-wrap:anywhere}
.swagger-ui .renderedMarkdown td:last-child{grid-column:2}
}
`;

const GENERATED: Partial<Record<AssetName, string>> = { 'start.js': START, 'start.css': START_CSS };

const MEDIA_TYPES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'start.js': 'text/javascript; charset=utf-8',
  'start.css': 'text/css; charset=utf-8',
} as const;
type AssetName = keyof typeof MEDIA_TYPES;
const ASSET_NAMES = Object.keys(MEDIA_TYPES) as [AssetName, ...AssetName[]];

const folder = () => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** 1.5 MB in all. */
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

export const docsRoutes: readonly RouteValue<unknown>[] = [pageRoute, assetRoute];
