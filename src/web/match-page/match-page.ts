/** A match's page, with a tab for each kind of data. Each part is a section with its own id, so that the script can replace it. */

import { DRAWINGS_VERSION } from '../../catalogue/index.ts';
import type { Lang } from '../../http/index.ts';
import { refereeNames } from '../../identity/index.ts';
import { expectRuns, INNINGS_SPORTS } from '../../in-play/index.ts';
import { findStoredMatch, type MatchDetail, type StoredMatch } from '../../matches/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { nameText, pageTabs } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent, document } from '../../site/layout.ts';
import { HEIGHT, sideColours, WIDTH } from '../../site/plots/index.ts';
import { fill, NOTIFICATIONS, reasonText, roundText, TEXTS } from '../../site/texts/index.ts';
import { sportWords } from '../../sports/sports.ts';
import { tournamentVersion } from '../../statistics/index.ts';
import { matchTag, participantTag, tournamentTag } from '../../wire/cache-tags.ts';
import type { Blocks, MatchItem } from '../../wire/match.ts';
import { utcDay } from '../../wire/time.ts';
import { sideColoursPath } from '../assets/side-colours-route.ts';
import { splitScore } from '../cricket-score.ts';
import type { WebDeps } from '../deps.ts';
import { embedLink } from '../embed-link.ts';
import { analyticsPart, noAnalytics } from '../match-analytics/analytics-parts.ts';
import type { ReadCard } from '../match-analytics/load-card.ts';
import { pathOfMatch, start } from '../match-rows.ts';
import type { PageOptions } from '../page-options.ts';
import { refereePath, teamPath, tournamentPath, venuePath } from '../paths.ts';
import { linkedPlayerNames, withPlayerNames } from '../shown-player-names.ts';
import { nameOf, picturePath, scoreText, shootOutResult, sideOf, statusText } from '../status-text.ts';
import { type LeagueTable, leagueTable } from '../tables/league-table.ts';
import { standingsTables } from '../tables/standings-table.ts';
import { boxScorePart } from './box-score.ts';
import { resultText } from './cricket-result.ts';
import { inningsChartsPart } from './innings-charts.ts';
import { lineScore } from './line-score.ts';
import { lineupsPart } from './lineups.ts';
import { type MatchView, matchView } from './match-view.ts';
import { scorecardPart } from './scorecard.ts';
import { shotsPart } from './shots.ts';
import { statisticsPart } from './statistics.ts';
import { scorers, timelinePart } from './timeline.ts';
import { matchTags, titleOf } from './title-and-tags.ts';
import { winProbabilityPart } from './win-probability.ts';

const BLOCKS = [
  'incidents',
  'statistics',
  'lineups',
  'coaches',
  'missing_players',
  'shotmap',
  'momentum',
  'win_probability',
  'commentary',
  'player_stats',
  'points_history',
  'innings',
  'best_players',
  'fight',
] as const satisfies (keyof Blocks)[];

/** Tabs in the order of the page. The first one is shown if the address names none. */
export const MATCH_TABS = [
  'overview',
  'scorecard',
  'lineups',
  'statistics',
  'commentary',
  'table',
  'meetings',
] as const;
type MatchTab = (typeof MATCH_TABS)[number];

/** The tabs that show analytics. */
export const ANALYTICS_TABS: readonly MatchTab[] = ['overview', 'meetings'];

/** Data that the shown tab needs besides the stored match. */
interface TabData {
  /** Null on tabs without analytics. */
  card: ReadCard | null;
  /** Null on other tabs, and for a season without a table. */
  table: LeagueTable | null;
}

/**
 * Renders the page. Returns null for an unknown match, otherwise the page with the cache tags for what it shows.
 * @param analytics in the page's language, read at the same time; null on a tab without analytics
 */
export async function matchPageHtml(
  deps: Pick<WebDeps, 'reads' | 'clock' | 'caches'>,
  id: number,
  tab: MatchTab,
  options: PageOptions,
  analytics: Promise<ReadCard> | null = null,
): Promise<{ body: string; version: number; tags: string[] } | null> {
  const { reads } = deps;
  const [data, card] = await Promise.all([findStoredMatch(reads, id, BLOCKS), analytics]);
  if (data === null) return null;
  const [names, table, runs] = await Promise.all([
    linkedPlayerNames(reads, data.blocks),
    tab === 'table' ? readTable(deps, data.item, options.now) : null,
    expectRuns(reads, tab === 'overview' && INNINGS_SPORTS.includes(data.item.sport) ? [id] : []),
  ]);
  const shown = withPlayerNames(data.blocks, names, options.lang);
  const sides = (['home', 'away'] as const).map((side) => participantTag(sideOf(data.item, side).participant_id));
  const tags = [matchTag(id), tournamentTag(data.item.tournament_id), ...sides];
  const rates = runs.get(id) ?? data.rates;
  const body = render({ ...data, rates }, shown, deps.clock, options, tab, { card, table });
  return { body, version: data.version, tags };
}

async function readTable(
  deps: Pick<WebDeps, 'reads' | 'caches'>,
  { tournament_id: tournament, season_id: season }: MatchItem,
  now: number,
): Promise<LeagueTable | null> {
  const version = await tournamentVersion(deps.reads, tournament, season, utcDay(now));
  return leagueTable(deps, { tournament, season, version }, now);
}

function render(
  data: StoredMatch,
  blocks: Blocks,
  clock: Clock,
  options: PageOptions,
  tab: MatchTab,
  read: TabData,
): string {
  const { lang } = options;
  const { item, tournament_name_ru, of_teams } = data;
  const view = matchView(data, blocks, options);
  const query = (to: MatchTab) => (to === 'overview' ? '' : `?tab=${to}`);
  const path = `${view.root}${pathOfMatch(item)}`;
  const body = html`
${head(view, tournament_name_ru)}
${of_teams && notifyPart(view)}
${pageTabs(shownTabs(view, of_teams, tab), tab, lang, (to) => path + query(to))}
${PARTS[tab](view, read)}
${sourcesPart(view)}
${embedLink('match', pathOfMatch(item), view)}`;
  return document({
    lang,
    title: titleOf(view),
    root: view.root,
    query: query(tab).slice(1),
    script: 'match.js',
    styles: ['match.css', ...(tab === 'table' ? (['tables.css'] as const) : []), 'analytics.css'],
    data: { match: item.id, ...NOTIFICATIONS[lang].script },
    head: html`${matchTags(view, options)}${coloursLink(view)}`,
    clock,
    body,
  });
}

/** The tabs for which the match has data, and the tab of this page. */
function shownTabs({ blocks }: MatchView, ofTeams: boolean, shown: MatchTab): readonly MatchTab[] {
  const has = (...names: (keyof Blocks)[]) => names.some((name) => hasContent(blocks[name]));
  const isKnown: Record<MatchTab, boolean> = {
    overview: true,
    scorecard: has('innings'),
    lineups: has('lineups', 'coaches', 'missing_players'),
    statistics: has('statistics', 'shotmap') || (has('player_stats') && !has('innings')),
    commentary: has('commentary'),
    // Only teams play for table places.
    table: ofTeams,
    meetings: true,
  };
  return MATCH_TABS.filter((tab) => isKnown[tab] || tab === shown);
}

const hasContent = (block: Blocks[keyof Blocks]): boolean => Array.isArray(block) && block.length > 0;

/** Content of each tab. A tab without data says so, until the script finds some. */
const PARTS: Record<MatchTab, (view: MatchView, read: TabData) => Html> = {
  overview: (view, { card }) => html`<div class="columns">
<div>${timelinePart(view)}${hasContent(view.blocks.incidents) ? '' : analyticsPart('form', card, view)}</div>
<div>${winProbabilityPart(view, card)}${inningsChartsPart(view)}${momentumPart(view)}${analyticsPart('forecast', card, view)}</div>
</div>
${analyticsPart('disclaimer', card, view)}`,
  scorecard: (view) => html`${scorecardPart(view)}${notePart(view, ['innings'])}`,
  lineups: (view) => html`${lineupsPart(view)}${notePart(view, ['lineups'])}`,
  statistics: (view) => html`<div class="columns">
<div>${statisticsPart(view)}</div>
<div>${shotsPart(view)}</div>
</div>
${boxScorePart(view)}${notePart(view, ['statistics', 'shotmap', 'player_stats'])}`,
  commentary: (view) => html`${commentaryPart(view)}${notePart(view, ['commentary'])}`,
  table: tablePart,
  meetings: (view, { card }) => html`<div class="columns analytics">
<div>${analyticsPart('meetings', card, view)}</div>
<div>${analyticsPart('form', card, view)}${analyticsPart('standing', card, view)}${analyticsPart('trends', card, view)}</div>
</div>
${noAnalytics(card, view)}${analyticsPart('disclaimer', card, view)}`,
};

/** Says that the match has none of these blocks. */
function notePart({ blocks, lang }: MatchView, names: readonly (keyof Blocks)[]): Html {
  if (names.some((name) => hasContent(blocks[name]))) return absent('none');
  return html`<section id="none" class="panel"><p class="note">${TEXTS[lang].pages.noneYet}</p></section>`;
}

function tablePart({ item, lang, root }: MatchView, { table }: TabData): Html {
  const text = TEXTS[lang].catalogue;
  const marked = item.participants.map(({ participant_id }) => participant_id);
  const rows = table?.rows ?? [];
  const shown =
    rows.length === 0
      ? html`<p class="note">${text.noTable}</p>`
      : standingsTables({ table: rows }, { lang, root, sport: item.sport, marked });
  return html`<section id="table" class="panel"><h2>${text.table}</h2>${shown}</section>`;
}

/** Charts take the sides' own colours from this style sheet. Without it, they have the colours of every page. */
function coloursLink({ colours, root }: MatchView): Html | null {
  const shown = sideColours(colours.home, colours.away);
  return shown && html`<link rel="stylesheet" href="${root}${sideColoursPath(shown)}">`;
}

function head(view: MatchView, tournamentRu: string | null): Html {
  const { item, lang } = view;
  const text = TEXTS[lang].pages;
  const status = statusText(item, lang);
  const round = item.round_name ?? item.extra.round;
  const kicks = shootOutResult(item, lang) ?? resultText(view);
  const crest = (side: 'home' | 'away') => {
    const one = sideOf(item, side);
    return html`<a class="crest" data-side="${side}" href="${view.root}${teamPath(one.participant_id, one.name)}">
<img src="${view.root}${picturePath(one)}" alt="" width="72" height="72"><span
 class="name">${nameText(view.names[side], view.lang)}</span></a>`;
  };
  const tournament = nameOf({ name: item.tournament, name_ru: tournamentRu }, lang);
  const season = `${tournamentPath(item.tournament_id, item.tournament)}?season=${item.season_id}`;
  const score = (side: 'home' | 'away') => {
    const innings = splitScore(item, side);
    const overs = innings?.overs != null && html`<small class="overs">(${innings.overs})</small>`;
    return html`<span class="score" data-side="${side}">${innings?.runs ?? scoreText(item, side, lang) ?? '–'}${overs}</span>`;
  };
  const isLong = (['home', 'away'] as const).some((side) => splitScore(item, side) !== null);
  return html`<section id="head" class="panel head"
data-match="${item.id}" data-status="${item.status}" data-detail="${item.status_detail}">
<p class="crumb"><a class="crumb-link" href="${view.root}">${text.home}</a> ·
<a class="crumb-link" href="${view.root}${season}">${tournament}</a>${round && html` · ${roundText(round, lang)}`}</p>
<h1 class="hidden">${nameText(view.names.home, lang)} – ${nameText(view.names.away, lang)}</h1>
<div class="versus">
${crest('home')}
<div class="result">
<p class="numbers${isLong && ' long'}">${score('home')}<span class="colon">:</span>${score('away')}</p>
${kicks && html`<p class="kicks">${kicks}</p>`}
<p class="state"><span class="clock">${status ?? start(item, view)}</span></p>
${halfTimeText(item, text.halfTimeShort)}
</div>
${crest('away')}
</div>
${lineScore(view)}
${scorers(view)}
<dl class="facts">${facts(view)}</dl>
</section>`;
}

/** Places for the buttons that follow a side and turn notifications on (notify.js). */
function notifyPart({ item, names }: MatchView): Html | false {
  if (item.status === 'finished') return false;
  const place = (side: 'home' | 'away') =>
    html`<div data-notify="team ${sideOf(item, side).participant_id}" data-name="${names[side]}"></div>`;
  return html`<div class="notify-sides">${place('home')}${place('away')}</div>`;
}

/** The half-time score. Sports without halves have a line score instead. */
function halfTimeText({ extra: { period_scores } }: MatchItem, halfTime: string): Html | '' {
  const [first] = period_scores;
  if (first?.period !== '1H' || period_scores.length < 2) return '';
  return html`<p class="halves-score">${halfTime} ${first.home}:${first.away}</p>`;
}

function facts({ item, detail, blocks, lang, now, root }: MatchView): Html[] {
  const text = TEXTS[lang].pages;
  const words = sportWords(item.sport);
  const number = (value: number) => value.toLocaleString(lang);
  const capacity = detail.venue_capacity === null ? '' : ` (${text.capacity} ${number(detail.venue_capacity)})`;
  const place = item.venue && nameText([item.venue, detail.venue_city].filter(Boolean).join(', '), lang);
  const venue =
    place && detail.venue_id !== null
      ? html`<a href="${root}${venuePath(detail.venue_id, item.venue!)}">${place}</a>`
      : place;
  const rows: [string, Html | string | null | undefined][] = [
    [words.start[lang], start(item, { lang, now })],
    [words.venue[lang], venue],
    [words.referee[lang], refereesText(detail, lang, root)],
    [text.attendance, detail.attendance === null ? null : `${number(detail.attendance)}${capacity}`],
    [text.method, blocks.fight ? reasonText(blocks.fight.method, lang) : null],
    [text.round, blocks.fight?.finish_round?.toString() ?? null],
  ];
  return rows.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

/** Each referee's name is a link to the referee's page. */
function refereesText({ referee, referee_ids: ids }: MatchDetail, lang: Lang, root: string): Html | null {
  if (referee === null) return null;
  const [only, other] = ids;
  const names = other === undefined ? [referee] : refereeNames(referee);
  if (only === undefined || names.length !== ids.length) return nameText(referee, lang);
  return html`${names.map(
    (name, index) =>
      html`${index > 0 && ', '}<a href="${root}${refereePath(ids[index]!, name)}">${nameText(name, lang)}</a>`,
  )}`;
}

function momentumPart({ item, blocks, lang, names, version, root }: MatchView): Html {
  if (!blocks.momentum || blocks.momentum.graphPoints.length === 0) return absent('momentum');
  const text = TEXTS[lang].pages;
  const caption = fill(text.momentumText, names);
  const address = `${root}match/${item.id}/momentum.svg?v=${version}&c=${DRAWINGS_VERSION}`;
  return html`<section id="momentum" class="panel"><h2>${text.momentum}</h2>
<figure><picture><source media="(prefers-color-scheme: dark)" srcset="${address}&amp;theme=dark">
<img class="picture" src="${address}" alt="${caption}" width="${WIDTH}" height="${HEIGHT}"></picture>
<figcaption>${caption}</figcaption></figure></section>`;
}

function commentaryPart({ blocks, lang }: MatchView): Html {
  const lines = blocks.commentary ?? [];
  if (lines.length === 0) return absent('commentary');
  const items = lines.toReversed().map(({ minute, text, text_en }) => {
    const shown = lang === 'en' ? (text_en ?? text) : text;
    return html`<li><span class="minute">${minute === null ? '' : `${minute}′`}</span><p>${shown}</p></li>`;
  });
  return html`<section id="commentary" class="panel"><h2>${TEXTS[lang].pages.commentary}</h2>
<ol class="commentary" reversed>${items}</ol></section>`;
}

function sourcesPart({ detail, lang }: MatchView): Html {
  if (detail.meta.sources.length === 0) return absent('sources');
  return html`<p id="sources" class="note">${TEXTS[lang].pages.sources}: <span lang="en">${detail.meta.sources.join('; ')}</span></p>`;
}
