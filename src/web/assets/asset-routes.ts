/** Serves the files that pages need, and the client that other sites' pages import. Each file is read once. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Problem, type RouteValue, type StaticFile, staticFile } from '../../http/index.ts';
import { SITE_TAG } from '../../wire/cache-tags.ts';
import { route, type WebDeps } from '../deps.ts';
import type { ScriptName } from './bundle-scripts.ts';
import { createScripts } from './bundled-scripts.ts';

const ASSET_MAX_AGE_SECONDS = 300;
/** Pages on other sites import the client on each load. After an upgrade, they get the new version within an hour. */
const CLIENT_MAX_AGE_SECONDS = 3_600;

export const scripts = createScripts();
const script = (name: ScriptName) => ({
  contentType: 'text/javascript; charset=utf-8',
  read: staticFile(() => scripts.read(name)),
});
const file = (name: string, contentType: string) => ({
  contentType: `${contentType}; charset=utf-8`,
  read: staticFile(() => readFile(new URL(`../../site/assets/${name}`, import.meta.url))),
});
const CLIENT = script('touchline.js');
const ASSETS: Record<string, { contentType: string; read: StaticFile }> = {
  'site.css': file('site.css', 'text/css'),
  'home.css': file('home.css', 'text/css'),
  'guides.css': file('guides.css', 'text/css'),
  'tables.css': file('tables.css', 'text/css'),
  'catalogue.css': file('catalogue.css', 'text/css'),
  'match.css': file('match.css', 'text/css'),
  'analytics.css': file('analytics.css', 'text/css'),
  'widget.css': file('widget.css', 'text/css'),
  'meetings.css': file('meetings.css', 'text/css'),
  'leagues.css': file('leagues.css', 'text/css'),
  'coverage.css': file('coverage.css', 'text/css'),
  'account.css': file('account.css', 'text/css'),
  'models.css': file('models.css', 'text/css'),
  'site.js': script('site.js'),
  'home.js': script('home.js'),
  'match.js': script('match.js'),
  'passkey.js': script('passkey.js'),
  'widget.js': script('widget.js'),
  'offline.js': script('offline.js'),
  'icon.svg': file('icon.svg', 'image/svg+xml'),
};

const assets = route({
  method: 'GET',
  path: '/assets/{file}',
  summary: 'Files of the pages',
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: ASSET_MAX_AGE_SECONDS },
  perAddress: { requests: 15_000, seconds: 60 },
  params: z.object({ file: z.string() }),
  response: { contentType: 'application/octet-stream' },
  handler: async ({ params }) => {
    const asset = Object.hasOwn(ASSETS, params.file) ? ASSETS[params.file] : undefined;
    if (asset === undefined) throw new Problem('not_found', `There is no file ${params.file}.`);
    return { ...(await asset.read()), contentType: asset.contentType, cacheTags: [SITE_TAG] };
  },
});

const client = route({
  method: 'GET',
  path: '/client/touchline.js',
  summary: 'The client for pages of other sites, as a module',
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: CLIENT_MAX_AGE_SECONDS },
  response: { contentType: 'text/javascript' },
  handler: async () => {
    const headers = { 'Cache-Control': `public, max-age=${CLIENT_MAX_AGE_SECONDS}` };
    return { ...(await CLIENT.read()), contentType: CLIENT.contentType, headers };
  },
});

export const files: RouteValue<WebDeps>[] = [assets, client];
