/** Files of the installed app: the manifest, the icons, the service worker, and the page without a connection. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { lang, oneValue, Problem, type RouteValue, type StaticFile, staticFile } from '../http/index.ts';
import { VERSION } from '../runtime/version.ts';
import { html } from '../site/html.ts';
import { htmlDocument } from '../site/html-document.ts';
import { APP } from '../site/texts/index.ts';
import { SITE_TAG } from '../wire/cache-tags.ts';
import { DAY_SECONDS } from '../wire/time.ts';
import { scripts } from './assets/asset-routes.ts';
import { route, type WebDeps } from './deps.ts';
import { page } from './page-route.ts';

const MANIFEST_SECONDS = 3_600;
const ICON_SECONDS = 7 * DAY_SECONDS;
/** Colours of the header and of the page, as in site.css. */
const COLOURS = { theme: '#0b7a4b', background: '#f3f5f4' };

interface Icon {
  /** Pixels. */
  size: number;
  /** True if the sign keeps away from the edges, which systems may cut off. */
  isMaskable: boolean;
}
const ICONS: Record<string, Icon> = {
  'icon-180': { size: 180, isMaskable: true },
  'icon-192': { size: 192, isMaskable: false },
  'icon-512': { size: 512, isMaskable: false },
  'icon-maskable-512': { size: 512, isMaskable: true },
};
/** The visible part of a maskable icon is a circle with 80 % of the width. The drawing with its own margin fits into it at this share. */
const SIGN_SHARE = 0.8;

/** Draws the sign of icon.svg as a PNG. */
async function drawIcon({ size, isMaskable }: Icon): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const sign = await readFile(new URL('../site/assets/icon.svg', import.meta.url));
  const width = isMaskable ? Math.round(size * SIGN_SHARE) : size;
  const drawn = sharp(sign, { density: (72 * width) / 32 }).resize(width, width);
  if (!isMaskable) return drawn.png({ compressionLevel: 9 }).toBuffer();
  return sharp({ create: { width: size, height: size, channels: 4, background: COLOURS.theme } })
    .composite([{ input: await drawn.png().toBuffer() }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

const drawn = new Map<string, StaticFile>(
  Object.entries(ICONS).map(([name, icon]) => [name, staticFile(() => drawIcon(icon))]),
);

const common = { method: 'GET', tag: 'Pages', undocumented: true, access: 'public', cost: 0 } as const;

const icon = route({
  ...common,
  path: '/app/{icon}.png',
  summary: 'An icon of the installed app',
  cache: { maxAge: ICON_SECONDS },
  params: z.object({ icon: z.string() }),
  response: { contentType: 'image/png' },
  handler: async ({ params }) => {
    const picture = drawn.get(params.icon);
    if (picture === undefined) throw new Problem('not_found', `There is no icon ${params.icon}.`);
    return { ...(await picture()), cacheTags: [SITE_TAG] };
  },
});

const manifest = route({
  ...common,
  path: '/app/manifest.webmanifest',
  summary: 'How the site is installed as an app',
  cache: { maxAge: MANIFEST_SECONDS },
  query: z.object({ lang }),
  response: { contentType: 'application/manifest+json; charset=utf-8' },
  handler: ({ lang: language }) => ({
    body: JSON.stringify({
      id: '../',
      name: 'Touchline',
      short_name: 'Touchline',
      description: APP[language].description,
      lang: language,
      dir: 'ltr',
      start_url: '../',
      scope: '../',
      display: 'standalone',
      theme_color: COLOURS.theme,
      background_color: COLOURS.background,
      categories: ['sports'],
      icons: Object.entries(ICONS)
        .filter(([, { size }]) => size !== ICONS['icon-180']!.size)
        .map(([name, { size, isMaskable }]) => ({
          src: `${name}.png`,
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose: isMaskable ? 'maskable' : 'any',
        })),
    }),
  }),
});

/** The worker itself requests pages and files of this service. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

const worker = route({
  ...common,
  path: '/service-worker.js',
  summary: 'The service worker, which shows a page if there is no connection',
  cache: 'no-store',
  response: { contentType: 'text/javascript; charset=utf-8' },
  handler: async () => ({
    // With a new version, browsers store the page without a connection again.
    body: `/* ${VERSION} */${await scripts.read('service-worker.js')}`,
    headers: { 'Content-Security-Policy': WORKER_POLICY },
  }),
});

/** The page is shown at any address, so its links begin at the root. */
const offline = route({
  ...page,
  path: '/offline/{language}',
  summary: 'The page that the installed app shows without a connection',
  access: 'public',
  params: z.object({ language: oneValue(['en', 'ru']) }),
  handler: ({ params: { language }, baseUrl }) => {
    const text = APP[language];
    const root = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
    return {
      body: htmlDocument({
        lang: language,
        title: `${text.offlineTitle} · Touchline`,
        meta: html`<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">`,
        links: html`<link rel="icon" type="image/svg+xml" href="${root}assets/icon.svg">
<link rel="stylesheet" href="${root}assets/site.css">
<script type="module" src="${root}assets/offline.js"></script>`,
        body: html`<main id="offline"><section class="panel notice"><h1>${text.offlineTitle}</h1>
<p role="status">${text.offline}</p><p><a id="again" class="button" href="">${text.again}</a></p></section></main>`,
      }),
    };
  },
});

export const appRoutes: RouteValue<WebDeps>[] = [icon, manifest, worker, offline];
