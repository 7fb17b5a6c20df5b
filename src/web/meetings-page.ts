/** /meetings shows all matches between two teams. The form in which the reader chooses the teams works without a script. */
import { searchParticipants } from '../catalogue/search/index.ts';
import { invalidParameter } from '../http/index.ts';
import { findMeetingSides, listMeetings, type MeetingSide, type Meetings } from '../matches/index.ts';
import { type Html, html } from '../site/html.ts';
import { breadcrumbs, document } from '../site/layout.ts';
import { shareBar } from '../site/plots/index.ts';
import { fill, MEETINGS, nounAfter, TEXTS } from '../site/texts/index.ts';
import { UNITS } from '../sports/score-units.ts';
import { findSport } from '../sports/sports.ts';
import type { WebDeps } from './deps.ts';
import { matchRows } from './match-rows.ts';
import { type PageOptions, shareTags } from './page-options.ts';
import { meetingsPath, teamPath } from './paths.ts';
import { described } from './search-page.ts';
import { nameOf, picturePath } from './status-text.ts';

/** Meetings on a page. */
const PAGE_MEETINGS = 50;
/** Teams that a search offers. */
const FOUND = 12;
const LEAST_CHARACTERS = 2;

export interface MeetingsQuery {
  /** Ids of the chosen teams. */
  first?: number | undefined;
  second?: number | undefined;
  /** The reader's search for a team that is not chosen yet. */
  first_name: string;
  second_name: string;
  /** From 1. */
  page: number;
}

const SLOTS = ['first', 'second'] as const;
type Slot = (typeof SLOTS)[number];

type Chosen = Record<Slot, MeetingSide | null>;
const NOT_CHOSEN: Chosen = { first: null, second: null };
const NOT_TYPED: Typed = { first_name: '', second_name: '' };

/**
 * @returns the page, and the ids of both teams if both are chosen; null if an id is unknown
 * @throws {Problem} invalid_parameter if both ids stand for one team
 */
export async function meetingsPage(
  deps: WebDeps,
  query: MeetingsQuery,
  options: PageOptions,
): Promise<{ body: string; teams: number[] } | null> {
  const ids = SLOTS.map((slot) => query[slot]);
  const known = await findMeetingSides(
    deps.reads,
    ids.filter((id) => id !== undefined),
    new Date(options.now),
  );
  if (known.includes(null)) return null;
  const rest = [...known];
  const [first, second] = ids.map((id) => (id === undefined ? null : rest.shift()!)) as [
    MeetingSide | null,
    MeetingSide | null,
  ];
  if (first !== null && second !== null) {
    if (first.id === second.id) throw invalidParameter('second', 'invalid_value', 'must be another team');
    return { body: await pageOfBoth(deps, first, second, query.page, options), teams: [first.id, second.id] };
  }
  return { body: await choosingPage(deps, query, { first, second }, options), teams: [] };
}

async function pageOfBoth(
  deps: WebDeps,
  first: MeetingSide,
  second: MeetingSide,
  page: number,
  options: PageOptions,
): Promise<string> {
  const { lang, root } = options;
  const text = MEETINGS[lang];
  const offset = (page - 1) * PAGE_MEETINGS;
  const meetings = await listMeetings(deps.reads, [first.id, second.id], { limit: PAGE_MEETINGS, offset });
  const title = `${nameOf(first, lang)} – ${nameOf(second, lang)}`;
  const none = first.sport === second.sport ? text.none : text.otherSport;
  const body = html`${breadcrumbs(lang, root, [{ name: text.title, path: 'meetings' }, { name: title }])}
<header class="panel sides">${crest(first, options)}<div><h1>${title}</h1>
<p class="facts">${text.of}</p></div>${crest(second, options)}</header>
${
  meetings.total === 0
    ? html`<p class="panel note">${none}</p>`
    : html`${meetings.matches > 0 && summary(meetings, first, second, options)}
<section class="panel" id="list"><h2>${text.list} <small>${meetings.total}</small></h2>
${matchRows(meetings.list, { ...options, withTournament: true })}
${steps(first, second, page, meetings.total, options)}</section>`
}
<section class="panel"><h2>${text.chooseOthers}</h2>${form(NOT_CHOSEN, NOT_TYPED, options)}</section>`;
  const path = meetingsPath(first.id, second.id);
  return document({
    lang,
    title: `${title} · ${text.of} · Touchline`,
    root,
    query: new URLSearchParams({
      first: String(first.id),
      second: String(second.id),
      ...(page > 1 && { page: String(page) }),
    }).toString(),
    styles: ['catalogue.css', 'analytics.css', 'meetings.css'],
    clock: deps.clock,
    head: shareTags({ path, title: `${title}: ${text.of}` }, options),
    body,
  });
}

const crest = (team: MeetingSide, { lang, root }: PageOptions): Html =>
  html`<a href="${root}${teamPath(team.id, team.name)}" aria-label="${nameOf(team, lang)}">
<img src="${root}${picturePath({ participant_id: team.id })}" alt="" width="56" height="56"></a>`;

function summary(
  { matches, team_a_wins, draws, team_b_wins, team_a_goals, team_b_goals }: Meetings,
  first: MeetingSide,
  second: MeetingSide,
  { lang }: PageOptions,
): Html {
  const text = MEETINGS[lang];
  const sport = findSport(first.sport);
  const hasDraws = sport?.draws !== false || draws > 0;
  const unit = UNITS[sport?.unit ?? 'points'][lang].many;
  const count = (value: number, noun: 'win' | 'draw', name?: string) =>
    html`<li><b>${value}</b> <span class="name">${nounAfter(value, noun, lang)}${name && html`<br>${name}`}</span></li>`;
  const share = (value: number) => (value / matches) * 100;
  return html`<section class="panel" id="summary"><h2 class="hidden">${text.of}</h2>
<ul class="outcomes">${count(team_a_wins, 'win', nameOf(first, lang))}
${hasDraws && count(draws, 'draw')}
${count(team_b_wins, 'win', nameOf(second, lang))}</ul>
${shareBar([
  { share: share(team_a_wins), kind: 'home' },
  { share: share(draws), kind: 'level' },
  { share: share(team_b_wins), kind: 'away' },
])}
<p class="note">${fill(text.counted, { count: matches })} ·
${fill(text.scored, { unit: unit.charAt(0).toUpperCase() + unit.slice(1), first: team_a_goals, second: team_b_goals })}</p></section>`;
}

function steps(
  first: MeetingSide,
  second: MeetingSide,
  page: number,
  total: number,
  { lang, root }: PageOptions,
): Html | false {
  if (total <= PAGE_MEETINGS && page === 1) return false;
  const text = MEETINGS[lang];
  const link = (to: number, label: string) =>
    html`<a href="${root}${meetingsPath(first.id, second.id)}${to > 1 && `&page=${to}`}">${label}</a>`;
  const from = (page - 1) * PAGE_MEETINGS + 1;
  const to = Math.min(page * PAGE_MEETINGS, total);
  return html`<p class="steps">${page > 1 && link(page - 1, `← ${text.newer}`)}
${from <= total && fill(text.range, { from, to, total })}
${to < total && link(page + 1, `${text.older} →`)}</p>`;
}

type Typed = Pick<MeetingsQuery, 'first_name' | 'second_name'>;

async function choosingPage(
  deps: WebDeps,
  query: MeetingsQuery,
  chosen: Chosen,
  options: PageOptions,
): Promise<string> {
  const { lang, root } = options;
  const text = MEETINGS[lang];
  const sport = (chosen.first ?? chosen.second)?.sport;
  const found: Html[] = [];
  for (const slot of SLOTS) if (chosen[slot] === null) found.push(await candidates(deps, slot, query, sport, options));
  const body = html`${breadcrumbs(lang, root, [{ name: text.title }])}
<section class="panel"><h1>${text.choose}</h1>
${form(chosen, query, options)}
<div id="found">${found}</div></section>`;
  return document({
    lang,
    title: `${text.title} · Touchline`,
    root,
    query: queryText(query),
    styles: ['catalogue.css', 'meetings.css'],
    clock: deps.clock,
    head: html`<meta name="robots" content="noindex">`,
    body,
  });
}

function queryText(query: Omit<MeetingsQuery, 'page'>): string {
  const given = new URLSearchParams();
  for (const name of ['first', 'second', 'first_name', 'second_name'] as const) {
    const value = query[name];
    if (value !== undefined && value !== '') given.set(name, String(value));
  }
  return given.toString();
}

/** Offers the teams that fit what the reader has typed. A link chooses a team. */
async function candidates(
  deps: WebDeps,
  slot: Slot,
  query: MeetingsQuery,
  sport: string | undefined,
  { lang, root, now }: PageOptions,
): Promise<Html> {
  const text = MEETINGS[lang];
  const q = query[`${slot}_name`];
  if (q === '') return html``;
  if ([...q].length < LEAST_CHARACTERS) return html`<p class="note" role="status">${text.tooShort}</p>`;
  const other = query[slot === 'first' ? 'second' : 'first'];
  const hits = await searchParticipants(deps.pool, { q, sport, type: 'team', limit: FOUND }, new Date(now));
  const teams = hits.filter(({ id }) => id !== other);
  if (teams.length === 0) return html`<p class="note" role="status">${fill(text.nothing, { q })}</p>`;
  const shown = await described(deps, teams, lang);
  const link = (id: number) => queryText({ ...query, [slot]: id, [`${slot}_name`]: '' });
  const rows = teams.map(({ id }, index) => {
    const { name, note } = shown[index]!;
    const image = html`<img src="${root}${picturePath({ participant_id: id })}" alt="" width="20" height="20" loading="lazy">`;
    return html`<li><a href="${root}meetings?${link(id)}">${image} ${name}</a> <small>${note}</small></li>`;
  });
  return html`<section><h2>${fill(text.found, { q })}</h2><ul class="hits">${rows}</ul></section>`;
}

/** Chosen teams are shown with a link that chooses another one; for the others there is a text field. */
function form(chosen: Chosen, typed: Typed, { lang, root }: PageOptions): Html {
  const text = MEETINGS[lang];
  const part = (slot: Slot) => {
    const team = chosen[slot];
    const other = chosen[slot === 'first' ? 'second' : 'first'];
    if (team === null)
      return html`<label>${text[slot]}
<input type="search" name="${slot}_name" value="${typed[`${slot}_name`]}" maxlength="80" autocomplete="off"></label>`;
    const without = other === null ? '' : `?${slot === 'first' ? 'second' : 'first'}=${other.id}`;
    return html`<p><span>${text[slot]}</span> <b>${nameOf(team, lang)}</b>
<a href="${root}meetings${without}">${text.change}</a>
<input type="hidden" name="${slot}" value="${team.id}"></p>`;
  };
  return html`<form class="choice pair" method="get" action="${root}meetings" data-results="found">
${SLOTS.map(part)}<button>${TEXTS[lang].pages.find}</button></form>`;
}
