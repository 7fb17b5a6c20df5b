/** Chooses the response language. */
import { parseCookie } from 'cookie';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { readMember } from '../runtime/unknown-values.ts';
import type { Lang } from './route.ts';

/** Cookie that remembers for a year which language a reader has chosen on a page. */
const LANGUAGE_COOKIE = 'touchline_lang';
const LANGUAGE_SECONDS = 31_536_000;

/** Browsers send only a few Accept-Language values. */
const knownLanguages = new LRUCache<string, Lang>({ max: 1_000 });
const MAX_KNOWN_LENGTH = 100;

/**
 * Returns the language in the address. If there is none, returns the language in the cookie (on pages only), or the one
 * that Accept-Language prefers.
 */
export function chooseLanguage(ctx: Context, query: unknown, isPage: boolean): Lang {
  const lang = readMember(query, 'lang');
  if (lang === 'en' || lang === 'ru') return lang;
  if (isPage && ctx.headers.cookie !== undefined) {
    const chosen = parseCookie(ctx.headers.cookie)[LANGUAGE_COOKIE];
    if (chosen === 'en' || chosen === 'ru') return chosen;
  }
  const accepted = ctx.headers['accept-language'];
  if (accepted === undefined) return 'en';
  const known = knownLanguages.get(accepted);
  if (known !== undefined) return known;
  const preferred = ctx.acceptsLanguages('en', 'ru') === 'ru' ? 'ru' : 'en';
  if (accepted.length <= MAX_KNOWN_LENGTH) knownLanguages.set(accepted, preferred);
  return preferred;
}

/**
 * @returns the value of Set-Cookie that remembers the choice
 * @param baseUrl public address
 */
export const languageCookie = (lang: string, baseUrl: string) =>
  `${LANGUAGE_COOKIE}=${lang}; Path=/; Max-Age=${LANGUAGE_SECONDS}; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
