/** Both sides' form: a strip of letters for each side, and averages per match. */
import type { FormBlock } from '../../analytics/form/rates-and-streaks.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { shareBar } from '../../site/plots/index.ts';
import {
  dateText,
  decimalText,
  fill,
  nounAfter,
  type OutcomeLetter,
  outcomeTexts,
  percentText,
  TEXTS,
} from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { hasStarted, type MatchView } from '../match-page/match-view.ts';
import { figureNames, gainedPerMatchText, hasTablePoints } from '../sport-figures.ts';
import { nameOf, outcomeText, shootOutText } from '../status-text.ts';
import type { PageCard, StripMatch } from './load-card.ts';

const SIDES = ['home', 'away'] as const;
type Side = (typeof SIDES)[number];

export function formPart(card: PageCard, view: MatchView): Html {
  const known = SIDES.filter((side) => card[side].form.overall.matches > 0);
  if (known.length === 0) return absent('form');
  const { lang } = view;
  const text = TEXTS[lang].analytics;
  return html`<section id="form" class="panel"><h2>${hasStarted(view) ? text.formBefore : text.form}</h2>
<div class="sheets">${known.map((side) => sideForm(card, view, side))}</div>
<p class="note">${fill(text.formOf, { tournament: nameOf(card.tournament, lang) })}
${text.newestLeft}${hasDrawnShootOut(card) && html` ${text.shootOutDraws}`}</p>
${known.length === SIDES.length && figures(card, view)}</section>`;
}

/** Whether the matches shown include one that counts as a draw although a shoot-out decided it. */
const hasDrawnShootOut = ({ sport, home, away, h2h }: PageCard): boolean =>
  findSport(sport)?.shootOutDraws === true &&
  [...(home.recent ?? []), ...(away.recent ?? []), ...h2h.recent].some(({ shootout }) => shootout);

/** Includes the side's overall record and, unless the venue is neutral, its record at home or away, whichever applies in this match. */
function sideForm(card: PageCard, view: MatchView, side: Side): Html {
  const { lang, names } = view;
  const text = TEXTS[lang].analytics;
  const { form } = card[side];
  const count = (of: number, noun: 'match' | 'win' | 'draw' | 'loss') => `${of}\u00a0${nounAfter(of, noun, lang)}`;
  const hasDraws = findSport(card.sport)?.draws !== false;
  const record = ({ w, d, l }: FormBlock) =>
    [count(w, 'win'), ...(hasDraws || d > 0 ? [count(d, 'draw')] : []), count(l, 'loss')].join(', ');
  const atVenue = side === 'home' ? text.atHome : text.away;
  return html`<section data-side="${side}"><h3>${names[side]}</h3>
${formStrip(card, view, side)}
<p class="record">${count(form.overall.matches, 'match')}: ${record(form.overall)}</p>
${!card.neutral && form[side].matches > 0 && html`<p class="record">${atVenue}: ${record(form[side])}</p>`}
</section>`;
}

/** The letters of a side's latest matches, the newest first. @param most how many are shown; all by default */
export function formStrip(card: PageCard, view: MatchView, side: Side, most?: number): Html {
  const { form, recent = [] } = card[side];
  const label = fill(TEXTS[view.lang].analytics.latestOf, { team: view.names[side] });
  const letters = outcomeTexts(form.overall.form)
    .slice(0, most)
    .map((letter, index) => cell(letter, recent[index], card.sport, view));
  return html`<ol class="strip" aria-label="${label}">${letters}</ol>`;
}

const KINDS: Record<OutcomeLetter, string> = { W: 'win', D: 'draw', L: 'loss' };

/** @example `W`, for screen readers and on hover `Win, 2 May 2026, Arsenal, 2:1` */
function cell(outcome: OutcomeLetter, match: StripMatch | undefined, sport: string, { lang, root }: MatchView): Html {
  const { letter, name } = outcomeText(outcome, sport, lang);
  const opponent = match && nameOf({ name: match.opponent, name_ru: match.opponent_ru }, lang);
  const full = match
    ? `${name}, ${dateText(match.date, lang)}, ${opponent}, ${match.score}${match.shootout ? ` (${shootOutText(sport, lang)})` : ''}`
    : name;
  const content = html`<span aria-hidden="true">${letter}</span><span class="hidden">${full}</span>`;
  const link = match && html`<a href="${root}match/${match.id}">${content}</a>`;
  return html`<li class="${KINDS[outcome]}" title="${full}">${link ?? content}</li>`;
}

function figures(card: PageCard, { lang }: MatchView): Html {
  const text = TEXTS[lang].analytics;
  const { home, away } = card;
  const decimal = (value: number) => decimalText(value, lang);
  const ofForm = (field: 'ppg' | 'win_pct' | 'gf_avg' | 'ga_avg' | 'clean_sheet') =>
    [home, away].map(({ form }): FormBlock[typeof field] => form.overall[field]);
  const rows: [string, (number | null)[], (value: number) => string][] = [
    hasTablePoints(card.sport)
      ? [
          findSport(card.sport)?.unit === 'points' ? text.tablePointsPerMatch : text.pointsPerMatch,
          ofForm('ppg'),
          decimal,
        ]
      : [text.wonShare, ofForm('win_pct'), percentText],
    [gainedPerMatchText('scored', card.sport, lang), ofForm('gf_avg'), decimal],
    [gainedPerMatchText('conceded', card.sport, lang), ofForm('ga_avg'), decimal],
    [
      figureNames('clean_sheets', card.sport, lang)[1],
      findSport(card.sport)?.page.cleanSheets ? ofForm('clean_sheet') : [null, null],
      percentText,
    ],
    [
      text.cardsPerMatch,
      findSport(card.sport)?.incidents.includes('card') === false
        ? [null, null]
        : [home.discipline.cards_avg, away.discipline.cards_avg],
      decimal,
    ],
  ];
  return html`<dl class="figures">${rows.map(([name, [ofHome, ofAway], show]) => {
    if (ofHome == null || ofAway == null) return '';
    const sum = ofHome + ofAway;
    const share = sum > 0 ? (ofHome / sum) * 100 : 0;
    return html`<div><dt>${name}</dt><dd class="home">${show(ofHome)}</dd><dd class="away">${show(ofAway)}</dd>
${shareBar([
  { share, kind: 'home' },
  { share: 100 - share, kind: sum > 0 ? 'away' : 'none' },
])}</div>`;
  })}</dl>`;
}
