/** Search for teams, people, tournaments and venues: the results page, and suggestions while typing. */
import type { z } from 'zod';
import { countryNames } from '../catalogue/index.ts';
import { searchAll } from '../catalogue/routes.ts';
import type { searchHitList } from '../catalogue/schema.ts';
import { type Lang, readRoute } from '../http/index.ts';
import { listVenues } from '../people/index.ts';
import { flagPath } from '../site/components/index.ts';
import { html } from '../site/html.ts';
import { breadcrumbs, document } from '../site/layout.ts';
import { fill, TEXTS } from '../site/texts/index.ts';
import { findSport } from '../sports/sports.ts';
import type { WebDeps } from './deps.ts';
import type { PageOptions } from './page-options.ts';
import { coachPath, playerPath, refereePath, teamPath, tournamentPath, venuePath } from './paths.ts';
import { nameOf, picturePath } from './status-text.ts';

type Hit = z.infer<typeof searchHitList>['results'][number];

const RESULTS = 30;
const SUGGESTIONS = 8;
const FOUND_VENUES = 10;
const SUGGESTED_VENUES = 2;
const LEAST_CHARACTERS = 2;
/** Hits with less relevance do not contain the query, but are only similar to it. */
const FITTING = 0.5;
const PATHS = {
  team: teamPath,
  player: playerPath,
  referee: refereePath,
  coach: coachPath,
  tournament: tournamentPath,
} as const;

export interface Suggestion {
  type: Hit['type'] | 'venue';
  name: string;
  /** Text with the kind, sport and country. */
  note: string;
  /** From the service's root. */
  path: string;
  /** The crest or photo of a team or player, or the flag of a tournament's country, from the service's root. Null without a flag. */
  picture: string | null;
}

async function find(deps: WebDeps, q: string, limit: number): Promise<Hit[]> {
  if ([...q].length < LEAST_CHARACTERS) return [];
  const { results } = await readRoute(searchAll, { query: { q, limit: String(limit) } }, deps);
  return results;
}

/** Adds to each hit what tells it from others with the same name. */
export async function described(
  deps: WebDeps,
  hits: readonly Omit<Hit, 'relevance' | 'image_url'>[],
  lang: Lang,
): Promise<Suggestion[]> {
  const text = TEXTS[lang].catalogue;
  const countries = await countryNames(deps.pool, [...new Set(hits.flatMap(({ country }) => country ?? []))]);
  return hits.map(({ type, id, name_i18n, sport, country, gender }) => {
    const of = findSport(sport);
    const place = countries.get(country ?? '');
    const note = [
      text.kindsOfHit[type],
      of && nameOf({ name: of.name, name_ru: of.name_ru }, lang),
      place && nameOf(place, lang),
      gender === 'women' && text.women,
    ];
    return {
      type,
      name: nameOf({ name: name_i18n.en, name_ru: name_i18n.ru ?? null }, lang),
      note: note.filter(Boolean).join(' · '),
      path: PATHS[type](id, name_i18n.en),
      picture: type === 'tournament' ? flagPath(country) : picturePath({ participant_id: id }),
    };
  });
}

/** Returns the venues whose names or cities the query begins. */
async function foundVenues(deps: WebDeps, q: string, limit: number, lang: Lang): Promise<Suggestion[]> {
  if ([...q].length < LEAST_CHARACTERS) return [];
  const { venues } = await listVenues(deps.reads, { q, limit, offset: 0 });
  const countries = await countryNames(deps.pool, [...new Set(venues.map(({ country }) => country))]);
  return venues.map(({ id, name, city, country }) => {
    const place = countries.get(country);
    return {
      type: 'venue',
      name,
      note: [TEXTS[lang].catalogue.kindsOfHit.venue, city, place && nameOf(place, lang)].filter(Boolean).join(' · '),
      path: venuePath(id, name),
      picture: flagPath(country),
    };
  });
}

export async function suggestions(deps: WebDeps, q: string, lang: Lang): Promise<Suggestion[]> {
  const [hits, venues] = await Promise.all([find(deps, q, SUGGESTIONS), foundVenues(deps, q, SUGGESTED_VENUES, lang)]);
  const others = await described(deps, hits, lang);
  return [...others.slice(0, SUGGESTIONS - venues.length), ...venues];
}

export async function searchPage(deps: WebDeps, q: string, { lang, root }: PageOptions): Promise<string> {
  const text = TEXTS[lang].catalogue;
  const hits = await find(deps, q, RESULTS);
  const venues = await foundVenues(deps, q, FOUND_VENUES, lang);
  const list = [...(await described(deps, hits, lang)), ...venues];
  const isShort = [...q].length < LEAST_CHARACTERS;
  const fits = venues.length > 0 || hits.some(({ relevance }) => relevance >= FITTING);
  const title = q === '' ? text.search : fill(text.found, { q });
  const note = isShort
    ? text.tooShort
    : list.length === 0
      ? fill(text.nothingFound, { q })
      : fits
        ? null
        : fill(text.similar, { q });
  const body = html`${breadcrumbs(lang, root, [{ name: text.search }])}
<section class="panel"><h1>${title}</h1>
${note !== null && html`<p class="note" role="status">${note}</p>`}
<ul class="hits">${list.map(
    ({ name, note: about, path, picture }) =>
      html`<li>${
        picture && html`<img src="${root}${picture}" alt="" width="20" height="20" loading="lazy">`
      } <a href="${root}${path}">${name}</a> <small>${about}</small></li>`,
  )}</ul></section>`;
  return document({
    lang,
    title: `${title} · Touchline`,
    root,
    query: new URLSearchParams({ q }).toString(),
    searched: q,
    styles: ['tables.css', 'catalogue.css'],
    head: html`<meta name="robots" content="noindex">`,
    body,
  });
}
