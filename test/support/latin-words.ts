/** Finds words in Latin letters on a Russian page that are not marked as English. */

/** Names and abbreviations that Russian texts write in Latin letters. */
const ALLOWED = new Set(
  'touchline api utc url id qr https http json ndjson csv sdk rest sse websocket openapi asyncapi mcp hmac sha256 hmac-sha256 xx ipv6 cookie ics javascript conifa null post ip typescript python go node postgres kafka mqtt slack discord telegram home assistant kubernetes tls scram-sha-512 scram-sha-256 plain var elo xg uefa fifa user-agent twenty20 openid connect'.split(
    ' ',
  ),
);
/** Elements without children. */
const VOID = new Set([
  'br',
  'img',
  'input',
  'hr',
  'link',
  'meta',
  'col',
  'source',
  'path',
  'circle',
  'rect',
  'line',
  'use',
]);
/** Their content is code, data, or not shown. */
const SKIPPED = new Set(['code', 'pre', 'script', 'style', 'title', 'svg', 'time', 'textarea']);
const SHOWN_ATTRIBUTES = /\s(?:aria-label|alt|title|placeholder|data-label)="([^"]*)"/g;

const decoded = (text: string) => text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, ' ');

/**
 * @param markup a whole page, or a part of one
 * @param data texts that come from data, such as a member's address or a team without a Russian name
 * @returns texts with words in Latin letters, outside of elements with lang="en", code and the texts from data
 */
export function latinTexts(markup: string, data: readonly string[] = []): string[] {
  const found: string[] = [];
  const longestFirst = data.toSorted((a, b) => b.length - a.length);
  const open: { name: string; isExempt: boolean }[] = [];
  const check = (text: string) => {
    let shown = decoded(text);
    for (const one of longestFirst) shown = shown.replaceAll(one, ' ');
    // Addresses and examples such as 1H 1:0 are not words.
    const words = shown.replace(/https?:\S+|\S+@\S+|\{[^}]*\}/g, ' ').match(/[a-z][a-z0-9.-]*[a-z0-9]/gi) ?? [];
    if (words.some((word) => !ALLOWED.has(word.toLowerCase()))) found.push(text.replace(/\s+/g, ' ').trim());
  };
  for (const [, comment, close, name = '', attributes = '', text] of markup.matchAll(
    /(<!--[\s\S]*?-->|<!doctype[^>]*>)|<(\/?)([a-z][a-z0-9-]*)((?:"[^"]*"|[^>"])*)>|([^<]+)/gi,
  )) {
    if (comment !== undefined) continue;
    const isExempt = open.some((one) => one.isExempt);
    if (text !== undefined) {
      if (!isExempt) check(text);
    } else if (close === '/') {
      while (open.length > 0 && open.pop()!.name !== name) {}
    } else {
      const lang = /\slang="(\w+)"/.exec(attributes)?.[1];
      const own = isExempt || (lang !== undefined && lang !== 'ru') || SKIPPED.has(name);
      if (!own) for (const [, value] of attributes.matchAll(SHOWN_ATTRIBUTES)) check(value!);
      if (!VOID.has(name) && !attributes.endsWith('/')) open.push({ name, isExempt: own });
    }
  }
  return [...new Set(found)].filter((text) => text !== '');
}
