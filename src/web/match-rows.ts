/**
 * Match rows in the lists on the front page and on tournament, team and player pages. A row leads to the match. For a mouse,
 * every name is a link as well; keyboards do not stop at names, so that each row is one stop.
 */

import type { Lang } from '../http/index.ts';
import { nameText } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { FRONT_PAGE, fill, roundText, startText, TEXTS } from '../site/texts/index.ts';
import type { MatchItem } from '../wire/match.ts';
import { splitScore } from './cricket-score.ts';
import type { PageOptions } from './page-options.ts';
import { matchPath, teamPath, tournamentPath } from './paths.ts';
import { nameOf, picturePath, scoreText, shootOut, shootOutText, sideOf, statusText } from './status-text.ts';

/** A match in a list. */
export interface Listed extends MatchItem {
  tournament_name_ru?: string | null;
  /** How many players of each side were sent off, if the list shows it. */
  red_cards?: Record<'home' | 'away', number>;
  /** The result from the point of view of the team or player whose matches are listed. */
  result?: 'W' | 'D' | 'L' | null;
}

export interface RowOptions extends Pick<PageOptions, 'lang' | 'root' | 'now'> {
  withTournament: boolean;
  /** True by default. */
  withRound?: boolean;
  /** True if the list is of one day, so that its rows show times alone. */
  ofOneDay?: boolean;
  /** Returns the address of a link in each row, which shows details of the match beside the list. Without it, there is no such link. */
  detailsPath?: (match: number) => string;
  /** The match whose details are shown. */
  selected?: number | undefined;
}

const SIDES = ['home', 'away'] as const;

/** Which part of a start is shown. The script that converts times to the reader's zone reads it from `data-part`. */
type TimePart = 'day' | 'time';

/** Shows a time in UTC. The script converts it to local time. @param part only this part; both by default */
export function start(
  match: Pick<MatchItem, 'scheduled_start' | 'time_tbd'>,
  { lang, now }: Pick<PageOptions, 'lang' | 'now'>,
  part?: TimePart,
): Html {
  const time = match.time_tbd ? match.scheduled_start.slice(0, 10) : match.scheduled_start;
  const attributes = html`${match.time_tbd && html` data-day`}${part && html` data-part="${part}"`}`;
  return html`<time datetime="${time}"${attributes}>${startText(time, lang, now, part)}</time>`;
}

export const pathOfMatch = (match: MatchItem): string =>
  matchPath(match.id, sideOf(match, 'home').name, sideOf(match, 'away').name);

export const matchRows = (matches: readonly Listed[], options: RowOptions): Html =>
  html`<ul class="rows${options.withTournament ? ' mixed' : ''}">${matches.map((match) => matchRow(match, options))}</ul>`;

function matchRow(match: Listed, options: RowOptions): Html {
  const { lang, root, withTournament, withRound = true, ofOneDay = false, detailsPath } = options;
  const status = statusText(match, lang);
  const round = withRound ? (match.round_name ?? match.extra.round) : null;
  const title = SIDES.map((side) => nameOf(sideOf(match, side), lang)).join(' – ');
  const tournament = nameOf({ name: match.tournament, name_ru: match.tournament_name_ru ?? null }, lang);
  const teams = match.participants.map(({ participant_id }) => participant_id).join(' ');
  const isOver = status !== null && match.status !== 'live';
  // The list's heading has the day already.
  const isDayKnown = ofOneDay && match.time_tbd;
  const when =
    isOver && !isDayKnown && html`<span class="when">${start(match, options, ofOneDay ? 'time' : 'day')}</span>`;
  const clock = status ?? start(match, options, ofOneDay && !match.time_tbd ? 'time' : undefined);
  const isLong = SIDES.some((side) => splitScore(match, side) !== null);
  const state = html`<span class="state">${when}<span class="clock">${clock}</span></span>`;
  const league = html`<a href="${root}${tournamentPath(match.tournament_id, match.tournament)}">${tournament}</a>`;
  return html`<li class="match" data-match="${match.id}" data-teams="${teams}"
data-status="${match.status}" data-detail="${match.status_detail}"${match.result && html` data-result="${match.result}"`}>
<a class="open" href="${root}${pathOfMatch(match)}"><span class="hidden">${nameText(title, lang)}</span>${state}</a>
<div class="teams${isLong && ' long'}">${SIDES.map((side) => team(match, side, lang, root))}</div>
<p class="where">${withTournament && league}${withTournament && round && ' · '}${round && roundText(round, lang)}</p>
${detailsPath && detailsLink(match.id, title, detailsPath, options)}</li>`;
}

/** A target of its own at the end of a row. Without a script, it leads to the same list with the details of the match. */
function detailsLink(
  id: number,
  title: string,
  detailsPath: (match: number) => string,
  { lang, selected }: RowOptions,
): Html {
  const isSelected = selected === id;
  return html`<a class="more-about" href="${detailsPath(id)}" rel="nofollow"${isSelected && html` aria-current="true"`}>
<span class="hidden">${FRONT_PAGE[lang].details}: ${nameText(title, lang)}</span></a>`;
}

function team(match: Listed, side: (typeof SIDES)[number], lang: Lang, root: string): Html {
  const one = sideOf(match, side);
  const kicks = shootOut(match);
  const picture = html`<img src="${root}${picturePath(one)}" alt="" width="20" height="20" loading="lazy">`;
  const path = `${root}${teamPath(one.participant_id, one.name)}`;
  const name = html`<a class="name" tabindex="-1" href="${path}">${nameText(nameOf(one, lang), lang)}</a>`;
  const inShootOut = kicks && html`<small title="${shootOutText(match.sport, lang)}">(${kicks[side]})</small>`;
  const innings = splitScore(match, side);
  const overs = innings !== null && innings.overs !== null && html`<span class="overs"> (${innings.overs})</span>`;
  const score = html`<span class="score">${innings?.runs ?? scoreText(match, side, lang) ?? ''}${overs}</span>`;
  const result = html`${score}${inShootOut}${sentOff(match.red_cards?.[side], lang)}`;
  return html`<p class="team" data-side="${side}">${picture}${name}<span class="tally">${result}</span></p>`;
}

function sentOff(count: number | undefined, lang: Lang): Html | '' {
  if (!count) return '';
  const label = fill(TEXTS[lang].pages.redCards, { count });
  return html`<span class="sent-off" role="img" aria-label="${label}" title="${label}">${count > 1 && count}</span>`;
}
