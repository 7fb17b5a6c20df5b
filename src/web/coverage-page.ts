/** /docs/leagues.html lists every league that has coverage. Search and filters are a form, which works without a script. */
import { type Choices, findLeagues, type League, type LeagueFilter, leagueChoices } from '../catalogue/index.ts';
import { DEPTHS } from '../catalogue/schema.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { flag } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import { fill, type LeagueTexts, TEXTS } from '../site/texts/index.ts';
import { coverageBars } from './coverage-bars.ts';
import { tournamentPath } from './paths.ts';
import { nameOf } from './status-text.ts';

/** Leagues per page. */
const PAGE_LEAGUES = 1_000;
/**
 * Countries with at most `ofCountry` leagues are unfolded. If the search finds at most `inAll` leagues in total, all countries are
 * unfolded.
 */
const UNFOLDED = { ofCountry: 10, inAll: 80 };

export interface CoverageQuery extends LeagueFilter {
  /** Page number, from 1. */
  page: number;
  /** Language from the URL. Links on the page keep this language. */
  lang?: Lang | undefined;
}

export interface CoverageOptions {
  lang: Lang;
  /** Whether visitors may see match pages. */
  hasMatchPages: boolean;
}

export async function coveragePage(
  db: Queryable,
  query: CoverageQuery,
  options: CoverageOptions,
  clock: Clock,
): Promise<string> {
  const [choices, found] = await Promise.all([
    leagueChoices(db),
    findLeagues(db, query, PAGE_LEAGUES, (query.page - 1) * PAGE_LEAGUES),
  ]);
  const { lang } = options;
  const text = TEXTS[lang].leagues;
  const isFiltered = query.q !== '' || query.sport !== '' || query.country !== '' || query.depth !== '';
  const isShort = found.total <= UNFOLDED.inAll;
  const body = html`
<h1>${text.title}</h1>
<p class="note">${text.intro}</p>
${form(query, choices, lang, isFiltered)}
<p class="found" role="status">${foundText(found, text, isFiltered)}</p>
${[...runs(found.leagues, ({ sport }) => sport)].map(([slug, leagues]) => {
  const sport = choices.sports.find(({ value }) => value === slug)!;
  return html`<section aria-labelledby="${slug}"><h2 id="${slug}">${nameOf(sport, lang)} <span>${leagues.length}</span></h2>
${[...runs(leagues, ({ country }) => country)].map(([, list]) =>
  country(list, isShort || list.length <= UNFOLDED.ofCountry, options),
)}</section>
`;
})}
${pages(query, found.total, text)}
<p class="note">${choices.measured_at === null ? text.notMeasured : fill(text.measured, { day: choices.measured_at.slice(0, 10) })}</p>`;
  return document({
    lang,
    title: `${text.title} · Touchline`,
    root: '../',
    query: queryText(query),
    styles: ['coverage.css'],
    clock,
    body,
  });
}

const number = (value: number, lang: Lang) => value.toLocaleString(lang);

function foundText({ total, countries }: { total: number; countries: number }, text: LeagueTexts, isFiltered: boolean) {
  if (total === 0) return isFiltered ? text.nothing : text.empty;
  if (total === 1) return text.foundOne;
  return fill(countries === 1 ? text.foundInOne : text.found, { leagues: total, countries });
}

function form(query: CoverageQuery, { sports, countries }: Choices, lang: Lang, isFiltered: boolean): Html {
  const text = TEXTS[lang].leagues;
  const options = (list: Choices['sports']) => list.map((one) => ({ value: one.value, name: nameOf(one, lang) }));
  const select = (name: 'sport' | 'country' | 'depth', label: string, list: { value: string; name: string }[]) =>
    html`<label>${label}<select name="${name}"><option value="">${text.all}</option>${list.map(
      (one) => html`<option value="${one.value}"${one.value === query[name] && html` selected`}>${one.name}</option>`,
    )}</select></label>
`;
  return html`<form class="panel filters" method="get" action="leagues.html" role="search">
<label class="wide">${text.search}<input type="search" name="q" value="${query.q}" maxlength="80"></label>
${select('sport', text.sport, options(sports))}${select('country', text.country, options(countries))}${select(
  'depth',
  text.depth,
  DEPTHS.map((value) => ({ value, name: text.depths[value] })),
)}${query.lang && html`<input type="hidden" name="lang" value="${query.lang}">`}<p><button>${text.show}</button>${
    isFiltered && html` <a href="leagues.html${query.lang && `?lang=${query.lang}`}">${text.clear}</a>`
  }</p>
</form>`;
}

function country(leagues: readonly League[], unfolded: boolean, options: CoverageOptions): Html {
  const [first] = leagues;
  if (first === undefined) return html``;
  const { country_name, country_name_ru } = first;
  const name = nameOf({ name: country_name, name_ru: country_name_ru }, options.lang);
  return html`<details${unfolded && html` open`}><summary>${flag(first.country, '../')} ${name} <span>${leagues.length}</span></summary>
<ul class="leagues">${leagues.map((league) => item(league, options))}</ul></details>
`;
}

function item(league: League, { lang, hasMatchPages }: CoverageOptions): Html {
  const text = TEXTS[lang].leagues;
  const { id, name, name_ru, gender, tier, events, depth, blocks, last_match_id } = league;
  const facts = [
    `id ${id}`,
    events === null
      ? text.matchesUnknown
      : events === 1
        ? text.matchesOne
        : fill(text.matches, { count: number(events, lang) }),
    tier !== null && fill(text.tier, { tier }),
    gender === 'women' ? text.women : gender === 'mixed' ? text.mixed : false,
    blocks !== null && text.depths[depth],
  ].filter((fact) => fact !== false);
  const other = lang === 'ru' ? name : name_ru;
  const title = nameOf({ name, name_ru }, lang);
  const head = hasMatchPages ? html`<a href="../${tournamentPath(id, name)}">${title}</a>` : title;
  return html`<li><h3>${head}${
    other !== null && other !== title && html` <span lang="${lang === 'ru' ? 'en' : 'ru'}">${other}</span>`
  }</h3>
<p class="facts">${facts.join(' · ')}${
    hasMatchPages && last_match_id !== null && html` · <a href="../match/${last_match_id}">${text.lastMatch}</a>`
  }</p>
${blocks && coverageBars(blocks, lang)}</li>
`;
}

function queryText(query: CoverageQuery): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '' && !(name === 'page' && value === 1)) given.set(name, String(value));
  return given.toString();
}

function pages(query: CoverageQuery, total: number, text: LeagueTexts): Html | false {
  const { page } = query;
  if (total <= PAGE_LEAGUES && page === 1) return false;
  const link = (to: number, label: string) =>
    html`<a href="leagues.html?${queryText({ ...query, page: to })}">${label}</a>`;
  return html`<p class="pages">${page > 1 && link(page - 1, text.previous)}
${page * PAGE_LEAGUES < total && link(page + 1, text.next)}</p>`;
}

/** Groups consecutive items with the same key. */
function* runs<T>(items: readonly T[], keyOf: (item: T) => string): Generator<[string, T[]]> {
  let run: [string, T[]] | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (run?.[0] === key) run[1].push(item);
    else {
      if (run !== undefined) yield run;
      run = [key, [item]];
    }
  }
  if (run !== undefined) yield run;
}
