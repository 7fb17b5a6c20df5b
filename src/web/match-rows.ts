/** Match rows in the lists on the front page and on tournament, team and player pages. Every name is a link. */

import type { Lang } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { roundText, startText } from '../site/texts/index.ts';
import type { MatchItem } from '../wire/match.ts';
import type { PageOptions } from './page-options.ts';
import { matchPath, teamPath, tournamentPath } from './paths.ts';
import { nameOf, picturePath, shootOut, shootOutText, sideOf, statusText } from './status-text.ts';

/** A match in a list. */
export interface Listed extends MatchItem {
  tournament_name_ru?: string | null;
  /** The result from the point of view of the team or player whose matches are listed. */
  result?: 'W' | 'D' | 'L' | null;
}

export interface RowOptions extends Pick<PageOptions, 'lang' | 'root' | 'now'> {
  withTournament: boolean;
  /** True by default. */
  withRound?: boolean;
}

const SIDES = ['home', 'away'] as const;

/** Shows a time in UTC. The script converts it to local time. */
export function start(
  match: Pick<MatchItem, 'scheduled_start' | 'time_tbd'>,
  { lang, now }: Pick<PageOptions, 'lang' | 'now'>,
): Html {
  const time = match.time_tbd ? match.scheduled_start.slice(0, 10) : match.scheduled_start;
  return html`<time datetime="${time}"${match.time_tbd && html` data-day`}>${startText(time, lang, now)}</time>`;
}

export const pathOfMatch = (match: MatchItem): string =>
  matchPath(match.id, sideOf(match, 'home').name, sideOf(match, 'away').name);

export const matchRows = (matches: readonly Listed[], options: RowOptions): Html =>
  html`<ul class="rows">${matches.map((match) => matchRow(match, options))}</ul>`;

function matchRow(match: Listed, options: RowOptions): Html {
  const { lang, root, withTournament, withRound = true } = options;
  const status = statusText(match, lang);
  const kicks = shootOut(match);
  const round = withRound ? (match.round_name ?? match.extra.round) : null;
  const title = SIDES.map((side) => nameOf(sideOf(match, side), lang)).join(' – ');
  const tournament = nameOf({ name: match.tournament, name_ru: match.tournament_name_ru ?? null }, lang);
  const teams = match.participants.map(({ participant_id }) => participant_id).join(' ');
  const when = status !== null && match.status !== 'live' && html`<span class="when">${start(match, options)}</span>`;
  const state = html`<span class="state"><span class="clock">${status ?? start(match, options)}</span>${when}</span>`;
  const league = html`<a href="${root}${tournamentPath(match.tournament_id, match.tournament)}">${tournament}</a>`;
  return html`<li class="match" data-match="${match.id}" data-teams="${teams}"
data-status="${match.status}" data-detail="${match.status_detail}"${match.result && html` data-result="${match.result}"`}>
<a class="open" href="${root}${pathOfMatch(match)}"><span class="hidden">${title}</span>${state}</a>
<div class="teams">${SIDES.map((side) => team(match, side, lang, root))}</div>
<p class="where">${withTournament && league}${withTournament && round && ' · '}${round && roundText(round, lang)}${
    kicks && html` <b>${kicks.home}–${kicks.away} ${shootOutText(kicks, lang)}</b>`
  }</p></li>`;
}

function team(match: MatchItem, side: (typeof SIDES)[number], lang: Lang, root: string): Html {
  const one = sideOf(match, side);
  const picture = html`<img src="${root}${picturePath(one)}" alt="" width="22" height="22" loading="lazy">`;
  const path = teamPath(one.participant_id, one.name);
  const name = html`<a class="name" href="${root}${path}">${nameOf(one, lang)}</a>`;
  return html`<p class="team" data-side="${side}">${picture}${name}<span class="score">${one.score ?? ''}</span></p>`;
}
