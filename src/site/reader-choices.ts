/**
 * The choices of a reader on the page /settings, which cookies keep: a theme, and a time zone. Pages are rendered once for
 * all readers, and then adapted to the choices of the reader who asks.
 */
import { parseCookie } from 'cookie';
import { LRUCache } from 'lru-cache';
import { timeZone } from '../http/index.ts';
import { startText } from './texts/day.ts';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface ReaderChoices {
  /** Null to follow the browser. */
  theme: Theme | null;
  /** Name of a time zone. Null to follow the browser. */
  zone: string | null;
}

const COOKIES = { theme: 'touchline_theme', zone: 'touchline_zone' } as const;
const COOKIE_SECONDS = 31_536_000;
/** Longest name of a time zone. */
const MAX_ZONE_LENGTH = 64;
/** Readers send only a few cookies' values. */
const knownZones = new LRUCache<string, { zone: string | null }>({ max: 1_000 });

function checkedZone(name: string | undefined): string | null {
  if (name === undefined || name.length > MAX_ZONE_LENGTH) return null;
  const known = knownZones.get(name);
  if (known !== undefined) return known.zone;
  const zone = timeZone.safeParse(name).success ? name : null;
  knownZones.set(name, { zone });
  return zone;
}

/** Reads the choices from the header Cookie. An invalid value is ignored. */
export function readChoices(cookie: string | undefined): ReaderChoices {
  if (cookie === undefined || !cookie.includes('touchline_')) return { theme: null, zone: null };
  const sent = parseCookie(cookie);
  return {
    theme: THEMES.find((one) => one === sent[COOKIES.theme]) ?? null,
    zone: checkedZone(sent[COOKIES.zone]),
  };
}

/**
 * Returns the values of Set-Cookie that keep the choices, or forget former ones.
 * @param baseUrl public address
 */
export function choiceCookies(choices: Partial<ReaderChoices>, baseUrl: string): string[] {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return Object.entries(choices).map(([name, value]) => {
    const age = value === null ? 0 : COOKIE_SECONDS;
    const cookie = COOKIES[name as keyof ReaderChoices];
    return `${cookie}=${encodeURIComponent(value ?? '')}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
  });
}

/** The session of a member. Whether it is still valid does not matter here: scripts ask the service about it. */
const SESSION = /(^|;\s*)(__Host-)?touchline_member=/;
const HTML_TAG = /<html lang="(\w+)">/;
/** A picture or a colour for one theme. */
const OF_THEME = /media="\(prefers-color-scheme: (light|dark)\)"/g;
/** A time as `start` in web/match-rows.ts writes it. A day without a time is the same in every zone. */
const TIME = /<time datetime="(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"( data-part="(day|time)")?>[^<]*<\/time>/g;
/** The script that converts times to the browser's zone. Only pages with this script have their times converted here. */
const WITH_LOCAL_TIMES = /<script type="module" src="[^"]*assets\/site\.js">/;
const ZONE_NAME = /(<span lang="en" data-zone-name>)[^<]*/g;
/** The menu's links that choose a theme. */
const THEME_LINK = /data-choose="(\w+)"( aria-current="true")?/g;

/**
 * Returns the function that adapts a page to the reader's choices. Null for a reader without choices.
 * @param now the service's time, ms since 1970
 */
export function adaptPage(cookie: string, now: number): ((page: string) => string) | null {
  const { theme, zone } = readChoices(cookie);
  const isMember = SESSION.test(cookie);
  if (theme === null && zone === null && !isMember) return null;
  return (page) => {
    const lang = HTML_TAG.exec(page)?.[1] === 'ru' ? 'ru' : 'en';
    const member = isMember ? ' data-member' : '';
    const attributes = `${member}${theme === null ? '' : ` data-theme="${theme}"`}${zone === null ? '' : ` data-zone="${zone}"`}`;
    let adapted = page.replace(HTML_TAG, (tag) => `${tag.slice(0, -1)}${attributes}>`);
    // A page with a theme of its own, such as a widget.
    if (adapted === page) return page;
    if (theme !== null)
      adapted = adapted
        .replace(OF_THEME, (_, name) => `media="${name === theme ? 'all' : 'not all'}"`)
        .replace(THEME_LINK, (_, name) => `data-choose="${name}"${name === theme ? ' aria-current="true"' : ''}`);
    if (zone !== null && WITH_LOCAL_TIMES.test(page))
      adapted = adapted
        .replace(ZONE_NAME, `$1${zone}`)
        .replace(TIME, (_, at: string, attribute = '', part?: 'day' | 'time') => {
          return `<time datetime="${at}"${attribute}>${startText(at, lang, now, part, zone)}</time>`;
        });
    return adapted;
  };
}
