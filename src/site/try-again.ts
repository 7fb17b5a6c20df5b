/** Parts of a page for a request that was refused only for now. The page offers to try again, and does so once by itself. */
import { randomInt } from 'node:crypto';
import type { Problem, RefusedPage } from '../http/index.ts';
import { type Html, html } from './html.ts';
import { fill } from './texts/fill.ts';
import { TEXTS } from './texts/texts.ts';

/** Query parameter that marks a page as already tried again. The pages' script removes it from the address. */
const MARK = 'retry';
/**
 * Maximum number of seconds that are added to the problem's wait, so that readers who were refused together do not all
 * return at once.
 */
const SPREAD_S = 5;
/** Longest wait after which the page tries again by itself. Readers do not stay on such a page for longer. */
const LONGEST_WAIT_S = 60;

export interface TryAgain {
  /** The next step for the reader, with the link. */
  body: Html;
  headers: Record<string, string>;
}

/** @returns null if trying again is no more likely to succeed, or would submit a form again */
export function tryAgain(problem: Problem, { method, path, querystring, baseUrl, lang }: RefusedPage): TryAgain | null {
  const after = Number(problem.options.headers?.['Retry-After']);
  if (method !== 'GET' || !(after <= LONGEST_WAIT_S)) return null;
  const query = new URLSearchParams(querystring);
  const isSecond = query.has(MARK);
  query.delete(MARK);
  const address = (asked: URLSearchParams) => {
    const root = new URL(baseUrl).pathname.replace(/\/$/, '');
    return `${root}${path}${asked.size > 0 ? `?${asked}` : ''}`;
  };
  const text = TEXTS[lang].pages;
  const link = html`<p><a class="button" href="${address(query)}" rel="nofollow">${text.tryAgain}</a></p>`;
  if (isSecond) return { body: html`<p>${text.stillRefused}</p>${link}`, headers: {} };
  const seconds = after + randomInt(SPREAD_S + 1);
  query.set(MARK, '1');
  return {
    body: html`<p>${fill(text.triesAgain, { seconds })}</p>${link}`,
    // This is a header and not part of the document, because a script that fetches the page would otherwise find the refresh there.
    headers: { Refresh: `${seconds}; url=${address(query)}` },
  };
}
