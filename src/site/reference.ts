/** The API reference at /docs. Swagger UI comes from its npm package, so that browsers load all files from this host. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  type Lang,
  type ListedOperation,
  lang,
  oneValue,
  Problem,
  type RouteValue,
  type StaticFile,
  staticFile,
} from '../http/index.ts';
import { DAY_SECONDS } from '../wire/time.ts';
import { type Html, html } from './html.ts';
import { document } from './layout.ts';
import { REFERENCE } from './texts/index.ts';

const OWN_STYLES = html`<link rel="stylesheet" href="docs/assets/start.css">`;

/** Lists the operations, for readers without scripts, and until one of the operations is opened. */
function operationList(operations: readonly ListedOperation[]): Html {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return html`${tags.map(
    (tag) => html`<h2>${tag}</h2>
<ul>${operations
      .filter((one) => one.tag === tag)
      .map(
        ({
          id,
          method,
          path,
          summary,
        }) => html`<li><a href="docs#/${tag.replaceAll(' ', '%20')}/${id}"><b>${method}</b> ${path}</a> ${summary.replaceAll('`', '')}</li>
`,
      )}</ul>`,
  )}`;
}

const page = (operations: readonly ListedOperation[], language: Lang) => {
  const text = REFERENCE[language];
  return document({
    lang: language,
    title: text.title,
    root: '',
    query: '',
    // Swagger UI is 20 times as large as the rest, so the script loads it only when a reader opens an operation.
    head: html`${OWN_STYLES}<script defer src="docs/assets/start.js"></script>`,
    body: html`<h1 class="documents">${text.title}</h1>
<p class="documents">${text.files} <a href="v1/openapi.json">OpenAPI</a> · <a href="v1/asyncapi.json">AsyncAPI</a></p>
${text.note !== '' && html`<p class="documents">${text.note}</p>`}
<noscript><p class="documents">${text.needsScripts}</p></noscript>
<p class="documents scripted"><button type="button" id="open" data-loading="${text.loading}">${text.open}</button></p>
<div id="swagger-ui" lang="en"><div class="documents operations">${operationList(operations)}</div></div>`,
  });
};

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

const pageRoute = (list: () => Promise<readonly ListedOperation[]>): RouteValue<unknown> => ({
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
  handler: async ({ lang: language }) => ({ body: page(await list(), language) }),
});

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

/** @param list lists the operations of the API document */
export const referenceRoutes = (list: () => Promise<readonly ListedOperation[]>): readonly RouteValue<unknown>[] => [
  pageRoute(list),
  assetRoute,
];
