/** Front page: introduction, live matches by tournament, upcoming matches, latest results. */
import type { AccountConfig } from '../accounts/config.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Lang } from '../http/route.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import { TEXTS } from '../site/texts/texts.ts';
import { aboutStrip } from './about.ts';
import { type ListedMatchRow, liveMatches, newestResults, upcomingMatches } from './queries.ts';
import { type Item, nameOf, picturePath, shootOut, sideOf, statusText } from './status.ts';

const MAX_LISTED = 12;
/** Time after its planned start for which a match is still shown as upcoming. */
const LATE_MS = 2 * 3_600_000;

interface Shown extends Item {
  tournament_name_ru: string | null;
}
const shown = ({ item, tournament_name_ru }: ListedMatchRow): Shown => ({
  ...(JSON.parse(item) as Item),
  tournament_name_ru,
});

export async function homePage(
  db: Queryable,
  clock: Clock,
  lang: Lang,
  { signUp }: Pick<AccountConfig, 'signUp'>,
): Promise<string> {
  const now = clock.now();
  const [live, upcoming, results] = await Promise.all([
    liveMatches(db),
    upcomingMatches(db, now - LATE_MS, MAX_LISTED),
    newestResults(db, now, MAX_LISTED),
  ]);
  const text = TEXTS[lang].pages;
  const body = html`
${aboutStrip(lang, signUp)}
<section id="live" class="board" aria-labelledby="live-title">
<h2 id="live-title">${text.live} <span class="count">${live.length}</span></h2>
${live.length === 0 ? html`<p class="note">${text.nothingLive}</p>` : byTournament(live.map(shown)).map((matches) => league(matches, lang))}
</section>
<div class="halves">
${list('upcoming', text.upcoming, upcoming.map(shown), text.nothingUpcoming, lang)}
${list('results', text.results, results.map(shown), text.nothingYet, lang)}
</div>`;
  return document({ lang, title: text.title, root: '', script: 'home.js', styles: ['home.css'], clock, body });
}

const byTournament = (matches: Shown[]): Shown[][] => {
  const groups = new Map<number, Shown[]>();
  for (const match of matches) groups.set(match.tournament_id, [...(groups.get(match.tournament_id) ?? []), match]);
  return [...groups.values()];
};

const tournamentName = (match: Shown, lang: Lang) =>
  nameOf({ name: match.tournament, name_ru: match.tournament_name_ru }, lang);

function league(matches: Shown[], lang: Lang): Html {
  return html`<section class="league"><h3>${tournamentName(matches[0]!, lang)}</h3>
<ul class="cards">${matches.map((match) => card(match, lang))}</ul></section>`;
}

function list(id: string, title: string, matches: Shown[], none: string, lang: Lang): Html {
  return html`<section id="${id}" class="board" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${matches.length === 0 ? html`<p class="note">${none}</p>` : html`<ul class="rows">${matches.map((match) => card(match, lang))}</ul>`}</section>`;
}

function card(match: Shown, lang: Lang): Html {
  const kicks = shootOut(match);
  const status = statusText(match, lang);
  const text = TEXTS[lang].pages;
  return html`<li class="match" data-match="${match.id}" data-status="${match.status}" data-detail="${match.status_detail}">
<a href="match/${match.id}">
<span class="state"><span class="clock">${status ?? start(match)}</span>${status === null || match.status === 'live' ? '' : html`<span class="when">${start(match)}</span>`}</span>
<span class="teams">${(['home', 'away'] as const).map((side) => team(match, side, lang))}</span>
<span class="where">${match.status === 'live' ? (match.round_name ?? match.extra.round) : tournamentName(match, lang)}${
    kicks && html` <b>${kicks.home}–${kicks.away} ${text.penaltiesShort}</b>`
  }</span>
</a></li>`;
}

function team(match: Shown, side: 'home' | 'away', lang: Lang): Html {
  const one = sideOf(match, side);
  return html`<span class="team" data-side="${side}"><img src="${picturePath(one)}" alt="" width="28" height="28" loading="lazy"><span class="name">${nameOf(one, lang)}</span><span class="score">${one.score ?? ''}</span></span>`;
}

/** Shows a time in UTC; the script converts it to local time. */
export const start = (match: Pick<Item, 'scheduled_start' | 'time_tbd'>): Html =>
  match.time_tbd
    ? html`<time datetime="${match.scheduled_start.slice(0, 10)}" data-day>${match.scheduled_start.slice(0, 10)}</time>`
    : html`<time datetime="${match.scheduled_start}">${match.scheduled_start.slice(0, 16).replace('T', ' ')} UTC</time>`;
