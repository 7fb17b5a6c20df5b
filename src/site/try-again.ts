/** A page that was refused for now. It offers to try again, and does so once by itself. */
import { randomInt } from 'node:crypto';
import type { Problem, RefusedPage } from '../http/index.ts';
import { type Html, html } from './html.ts';
import { fill } from './texts/fill.ts';
import { TEXTS } from './texts/texts.ts';

/** Marks the address of a page that has been tried again. The script on the pages removes it. */
const MARK = 'retry';
/**
 * Seconds at most after the time that the problem names, so that readers who were refused together come back one by
 * one.
 */
const SPREAD_S = 5;
/** A reader does not look longer at a page that says to wait. */
const LONGEST_WAIT_S = 60;

export interface TryAgain {
  /** The next step for the reader, with the link. */
  body: Html;
  headers: Record<string, string>;
}

/**
 * @returns null if a later request has no better chance, or would send a form again
 */
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
    // A header, since a script that fetches the page must not find it in the document.
    headers: { Refresh: `${seconds}; url=${address(query)}` },
  };
}
