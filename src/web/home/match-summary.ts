/** Details of one match in short, beside the list of matches: score, scorers, form, and the chances. */
import { findStoredMatch } from '../../matches/index.ts';
import { nameText } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { FRONT_PAGE, roundText, TEXTS } from '../../site/texts/index.ts';
import type { WebDeps } from '../deps.ts';
import { findResult } from '../match-analytics/forecast.ts';
import { formStrip } from '../match-analytics/form-strip.ts';
import { findPageCard, type ReadCard } from '../match-analytics/load-card.ts';
import { outcomes } from '../match-analytics/outcome-chances.ts';
import { currentChances } from '../match-page/current-chances.ts';
import { hasStarted, type MatchView, matchView } from '../match-page/match-view.ts';
import { scorers } from '../match-page/timeline.ts';
import { pathOfMatch, start } from '../match-rows.ts';
import type { PageOptions } from '../page-options.ts';
import { teamPath, tournamentPath } from '../paths.ts';
import { linkedPlayerNames, withPlayerNames } from '../shown-player-names.ts';
import { nameOf, picturePath, scoreText, shootOutResult, sideOf, statusText } from '../status-text.ts';

const SIDES = ['home', 'away'] as const;
/** Matches in a side's form. */
const RECENT = 5;

/** Returns null for an unknown match. */
export async function matchSummary(
  deps: WebDeps,
  id: number,
  options: Pick<PageOptions, 'lang' | 'root' | 'now'>,
): Promise<Html | null> {
  const { lang } = options;
  const [data, card] = await Promise.all([
    findStoredMatch(deps.reads, id, ['incidents', 'win_probability']),
    findPageCard(deps, id, lang),
  ]);
  if (data === null) return null;
  const names = await linkedPlayerNames(deps.reads, data.blocks);
  const view = matchView(data, withPlayerNames(data.blocks, names, lang), options);
  return summary(view, card, data.tournament_name_ru);
}

function summary(view: MatchView, card: ReadCard, tournamentRu: string | null): Html {
  const { item, lang, root } = view;
  const text = FRONT_PAGE[lang];
  const tournament = nameOf({ name: item.tournament, name_ru: tournamentRu }, lang);
  const season = `${root}${tournamentPath(item.tournament_id, item.tournament)}?season=${item.season_id}`;
  const round = item.round_name ?? item.extra.round;
  const kicks = shootOutResult(item, lang);
  const known = [scorers(view), form(view, card), chances(view, card)].filter((part) => part !== '');
  return html`<section class="panel summary" data-match="${item.id}" data-status="${item.status}"
 data-detail="${item.status_detail}"
 data-wanted="${item.tournament_id}.${item.season_id}" aria-label="${view.names.home} – ${view.names.away}">
<p class="crumb"><a href="${season}">${nameText(tournament, lang)}</a>${round && html` · ${roundText(round, lang)}`}</p>
<div class="versus">${crest(view, 'home')}<div class="result">
<p class="numbers">${score(view, 'home')}<span class="colon">:</span>${score(view, 'away')}</p>
${kicks && html`<p class="kicks">${kicks}</p>`}
<p class="state"><span class="clock">${statusText(item, lang) ?? start(item, view)}</span></p></div>${crest(view, 'away')}</div>
${known.length > 0 ? known : html`<p class="note">${text.nothingYet}</p>`}
<p><a class="onwards" href="${root}${pathOfMatch(item)}">${text.wholeMatch}</a></p></section>`;
}

function crest({ item, root, names, lang }: MatchView, side: (typeof SIDES)[number]): Html {
  const one = sideOf(item, side);
  return html`<a class="crest" data-side="${side}" href="${root}${teamPath(one.participant_id, one.name)}">
<img src="${root}${picturePath(one)}" alt="" width="40" height="40"><span class="name">${nameText(names[side], lang)}</span></a>`;
}

const score = ({ item, lang }: MatchView, side: (typeof SIDES)[number]): Html =>
  html`<span class="score" data-side="${side}">${scoreText(item, side, lang) ?? '–'}</span>`;

/** Both sides' latest results before the match. */
function form(view: MatchView, card: ReadCard): Html | '' {
  if (card === null || typeof card === 'string') return '';
  const known = SIDES.filter((side) => card[side].form.overall.matches > 0);
  if (known.length === 0) return '';
  const text = FRONT_PAGE[view.lang];
  return html`<h3>${hasStarted(view) ? text.formBefore : text.form}</h3>
<div class="sheets">${known.map((side) => html`<div data-side="${side}">${formStrip(card, view, side, RECENT)}</div>`)}</div>`;
}

/** The current chances of a live match. Otherwise the forecast from before the match, with the outcome if it is known. */
function chances(view: MatchView, card: ReadCard): Html | '' {
  const { item, blocks, lang } = view;
  if (item.status === 'live' && blocks.win_probability)
    return html`<h3>${TEXTS[lang].pages.winProbability}</h3>${currentChances(view, blocks.win_probability)}`;
  if (card === null || typeof card === 'string') return '';
  const { model, rating } = card;
  const probabilities = model === null ? rating?.probabilities : (model.calibrated ?? model).probabilities;
  if (probabilities === undefined) return '';
  const text = TEXTS[lang].analytics;
  return html`<h3>${hasStarted(view) ? text.forecastBefore : text.forecast}</h3>${outcomes(probabilities, view, findResult(view))}`;
}
