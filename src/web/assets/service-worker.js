/**
 * The service worker of the installed app. Pages always come from the network, so no score is old. If the network fails, a page
 * says so; this page and the files that it needs are the only ones that are kept. The worker also shows notifications.
 */
const KEPT = 'offline';
const LANGUAGES = ['en', 'ru'];
/** The language is not in the parameter `lang`, which would store it as the reader's choice. */
const pageIn = (lang) => `offline/${lang}`;
const FILES = ['assets/site.css', 'assets/offline.js', 'assets/icon.svg'];
/** Stands for the language of the last page that was loaded. */
const LAST_LANGUAGE = 'offline/last-language';

/** The languages are in the addresses, and the other headers that replies vary by do not change the files. */
const MATCH = { ignoreVary: true };

const atRoot = (path) => new URL(path, self.registration.scope).href;
let language;

async function install() {
  const cache = await caches.open(KEPT);
  await cache.addAll(
    [...LANGUAGES.map(pageIn), ...FILES].map((path) => new Request(atRoot(path), { cache: 'no-cache' })),
  );
  await self.skipWaiting();
}

async function remember(lang) {
  if (lang === language || !LANGUAGES.includes(lang)) return;
  language = lang;
  const cache = await caches.open(KEPT);
  await cache.put(atRoot(LAST_LANGUAGE), new Response(lang));
}

async function offlinePage() {
  const cache = await caches.open(KEPT);
  const last = language ?? (await (await cache.match(atRoot(LAST_LANGUAGE), MATCH))?.text());
  const lang = last ?? (navigator.language.startsWith('ru') ? 'ru' : 'en');
  return (await cache.match(atRoot(pageIn(lang)), MATCH)) ?? Response.error();
}

async function page(event) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(remember(response.headers.get('Content-Language')));
    return response;
  } catch {
    return offlinePage();
  }
}

async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, MATCH)) ?? Response.error();
  }
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (FILES.some((path) => request.url === atRoot(path))) event.respondWith(file(request));
});

/** Shows what the service has sent (src/push/news.ts). A browser requires that each message is shown. */
function notify(event) {
  let shown = {};
  try {
    shown = event.data?.json() ?? {};
  } catch {
    // A message that is not from this service still has to be shown.
  }
  const { title = 'Touchline', body = '', tag = '', renotify = false, path = '', lang = '' } = shown;
  return self.registration.showNotification(String(title), {
    body: String(body),
    tag: String(tag),
    renotify: renotify === true && tag !== '',
    lang: String(lang),
    icon: atRoot('app/icon-192.png'),
    data: { path: String(path) },
  });
}

/** Opens the match, in a page of this site if there is one. */
async function open({ data }) {
  const address = atRoot(data?.path ?? '');
  // A path never leads to another site.
  const url = address.startsWith(self.registration.scope) ? address : self.registration.scope;
  for (const client of await self.clients.matchAll({ type: 'window', includeUncontrolled: true }))
    if (client.url === url) return client.focus();
  return self.clients.openWindow(url);
}

/** A browser may give its subscription another address. */
async function moveSubscription({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const fresh = newSubscription ?? (await self.registration.pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = fresh.toJSON();
  const lang = navigator.language.startsWith('ru') ? 'ru' : 'en';
  const body = new URLSearchParams({ endpoint, ...keys, lang, former: oldSubscription.endpoint });
  await fetch(atRoot('account/notifications/browsers'), { method: 'POST', body });
}

self.addEventListener('push', (event) => event.waitUntil(notify(event)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(moveSubscription(event)));
