/** Corrections that operators make to matches. */
import { z } from 'zod';
import {
  type CorrectedMatchPage,
  type CorrectionTexts,
  correctionText,
  correctMatch,
  type GivenCorrection,
  goalText,
  listCorrections,
  MAX_REASON,
  periodText,
  type RecentCorrection,
  readCorrectedMatch,
  recentCorrections,
  type StoredCorrection,
  withdrawCorrection,
} from '../../corrections/index.ts';
import { idParam, idParams, type Lang, Problem, type Reply } from '../../http/index.ts';
import { heads, logTime, scrollTable, utcTime } from '../../site/components/index.ts';
import { field, postButton, readText, selectField } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { CORRECTION_RU, fill, OPERATOR } from '../../site/texts/index.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import { changeMatches } from '../match-pool.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { before, PAGE_SIZE, paged } from './paging.ts';
import { type Operator, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/corrections';
const { corrections: CORRECTIONS } = OPERATOR;

/** Words that describe corrections; undefined for English. */
const words = (lang: Lang): CorrectionTexts | undefined => (lang === 'ru' ? CORRECTION_RU : undefined);

const state = ({ withdrawn_at, withdrawn_by }: StoredCorrection, lang: Lang): Html =>
  withdrawn_at === null
    ? html`${CORRECTIONS[lang].stands}`
    : CORRECTIONS[lang].withdrawn(logTime(withdrawn_at), withdrawn_by);

// ---- the list

function recentTable(found: readonly RecentCorrection[], root: string, lang: Lang): Html {
  return scrollTable({
    label: CORRECTIONS[lang].title,
    head: heads(CORRECTIONS[lang].columns),
    rows: found.map(
      (one) => html`<tr><td>${logTime(one.at)}</td>
<td><a
href="${root}operator/corrections/${one.match_id}">${one.match ?? fill(CORRECTIONS[lang].deletedMatch, { id: one.match_id })}</a></td>
<td>${correctionText(one, words(lang))}</td><td class="details">${one.reason}</td><td class="email">${one.actor}</td>
<td>${state(one, lang)}</td></tr>`,
    ),
  });
}

/** Returns the match that a text means: an id, or the address of a match page. */
const namedMatch = (text: string): string | undefined =>
  /^\d{1,15}$/.exec(text)?.[0] ?? /\/match\/(\d{1,15})(?:[/?#]|$)/.exec(text)?.[1];

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'The corrections of all matches',
  query: z.object({ match: z.string().trim().max(500).optional(), before }),
  handler: async ({ page, root, lang }, input, { pool }) => {
    const { match, before: last } = input.query;
    const id = match === undefined ? undefined : namedMatch(match);
    if (id !== undefined) return redirect(input, `${PATH}/${Number(id)}`);
    const found = await recentCorrections(pool, PAGE_SIZE + 1, last);
    const { page: shown, older } = paged(found, `${root}operator/corrections`, lang);
    return page({
      title: CORRECTIONS[lang].title,
      body: html`<p>${CORRECTIONS[lang].intro}</p>
${match !== undefined && html`<p class="problem">${CORRECTIONS[lang].noMatch}</p>`}
<form class="panel" method="get" action="${root}operator/corrections" role="search">
${field({ name: 'match', label: CORRECTIONS[lang].match, value: match ?? '', maxlength: 500, hint: CORRECTIONS[lang].matchHint })}
<button>${CORRECTIONS[lang].openMatch}</button></form>
${shown.length === 0 ? html`<p class="panel">${CORRECTIONS[lang].none}</p>` : recentTable(shown, root, lang)}
${older}`,
    });
  },
});

// ---- one match

function matchPanel(match: CorrectedMatchPage, root: string, lang: Lang): Html {
  const { id, status_detail, home_score, away_score, period_scores, scheduled_start, time_tbd, venue } = match;
  const rows: [string, string | Html][] = [
    [CORRECTIONS[lang].status, CORRECTIONS[lang].statuses[status_detail]],
    [CORRECTIONS[lang].score, home_score === null ? CORRECTIONS[lang].noValue : `${home_score}:${away_score}`],
    [CORRECTIONS[lang].periods, period_scores.length === 0 ? CORRECTIONS[lang].noValue : periodText(period_scores)],
    [
      CORRECTIONS[lang].kickOff,
      time_tbd ? fill(CORRECTIONS[lang].unknownTime, { day: scheduled_start.slice(0, 10) }) : utcTime(scheduled_start),
    ],
    [CORRECTIONS[lang].venue, venue ?? CORRECTIONS[lang].noValue],
  ];
  return html`<section class="panel"><h2><a href="${root}match/${id}">${match.home} – ${match.away}</a></h2>
<p class="note">${fill(CORRECTIONS[lang].place, { tournament: match.tournament, id })}</p>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${
  match.goals.length > 0 &&
  html`<h3>${CORRECTIONS[lang].goals}</h3><ul>${match.goals.map((goal) => html`<li>${goalText(goal, words(lang))}</li>`)}</ul>`
}</section>`;
}

type Sent = URLSearchParams | null;

/** Number of rows for periods that the match does not have yet. */
const NEW_PERIODS = 2;

/** Fields for the score of both sides. */
function scoreFields(prefix: string, label: string, match: CorrectedMatchPage, sent: Sent): Html {
  const input = (
    side: 'home' | 'away',
  ) => html`<input name="${prefix}_${side}" type="number" min="0" max="32767" inputmode="numeric"
 aria-label="${label}: ${match[side]}" value="${readText(sent, `${prefix}_${side}`)}">`;
  return html`<span class="pair">${input('home')} : ${input('away')}</span>`;
}

/** A row for each period of the match, and rows for further ones. */
function periodFields(match: CorrectedMatchPage, sent: Sent, lang: Lang): Html {
  const text = CORRECTIONS[lang];
  const known = match.period_scores.map(
    ({
      period,
      home,
      away,
    }) => html`<div class="period"><span>${period} <span class="note">${home}:${away}</span></span>
${scoreFields(`period_${period}`, `${text.periods}, ${period}`, match, sent)}</div>`,
  );
  const further = Array.from({ length: NEW_PERIODS }, (_, index) => {
    const name = `new_period_${index}`;
    const label = `${text.newPeriod} ${index + 1}`;
    return html`<div class="period"><input name="${name}" maxlength="10" autocomplete="off" aria-label="${label}"
 list="further-periods" value="${readText(sent, name)}">
${scoreFields(name, label, match, sent)}</div>`;
  });
  return html`<fieldset><legend>${text.periods}</legend><p class="note">${text.periodsHint}</p>${known}${further}
<datalist id="further-periods">${match.furtherPeriods.map((period) => html`<option value="${period}">`)}</datalist></fieldset>`;
}

function statusField(sent: Sent, lang: Lang): Html {
  const text = CORRECTIONS[lang];
  return selectField({
    name: 'status',
    label: text.status,
    options: [
      ['', text.unchanged],
      ...Object.keys(STATUS_DETAILS).map((detail) => [detail, text.statuses[detail as StatusDetail]] as const),
    ],
    chosen: readText(sent, 'status'),
  });
}

function venueFields({ venues }: CorrectedMatchPage, sent: Sent, lang: Lang): Html {
  const text = CORRECTIONS[lang];
  const named = venues.map(({ id, name, city }) => [String(id), [name, city].filter(Boolean).join(', ')] as const);
  return html`${selectField({
    name: 'venue',
    label: text.venue,
    options: [['', text.unchanged], ['none', text.noVenue], ...named],
    chosen: readText(sent, 'venue'),
  })}
${field({ name: 'other_venue', label: text.otherVenue, value: readText(sent, 'other_venue'), maxlength: 200, hint: text.venueHint })}`;
}

function scorerFields({ goals, players, home, away }: CorrectedMatchPage, sent: Sent, lang: Lang): Html | false {
  if (goals.length === 0) return false;
  const text = CORRECTIONS[lang];
  const listed = players.map(
    ({ side, player_name, player_participant_id: id }) =>
      [id === null ? player_name : String(id), `${player_name} (${side === 'home' ? home : away})`] as const,
  );
  return html`${selectField({
    name: 'goal',
    label: text.goal,
    options: [['', text.unchanged], ...goals.map((goal) => [String(goal.id), goalText(goal, words(lang))] as const)],
    chosen: readText(sent, 'goal'),
  })}
${
  listed.length > 0 &&
  selectField({ name: 'scorer', label: text.scorer, options: [['', ''], ...listed], chosen: readText(sent, 'scorer') })
}
${field({ name: 'other_scorer', label: text.otherScorer, value: readText(sent, 'other_scorer'), maxlength: 200 })}`;
}

function correctionForm(match: CorrectedMatchPage, sent: Sent, root: string, lang: Lang): Html {
  const text = CORRECTIONS[lang];
  return html`<section class="panel"><h2>${text.correct}</h2><p class="note">${text.emptyFields}</p>
<form method="post" action="${root}operator/corrections/${match.id}">
<fieldset><legend>${text.score}</legend><p class="note">${text.scoreHint}</p>
<div class="period"><span>${match.home} – ${match.away}</span>${scoreFields('score', text.score, match, sent)}</div></fieldset>
${periodFields(match, sent, lang)}
${statusField(sent, lang)}
${field({ name: 'day', label: text.day, type: 'date', value: readText(sent, 'day') })}
${field({ name: 'time', label: text.time, type: 'time', value: readText(sent, 'time'), hint: text.timeHint })}
${venueFields(match, sent, lang)}
${scorerFields(match, sent, lang)}
${field({
  name: 'reason',
  label: text.reason,
  value: readText(sent, 'reason'),
  required: true,
  maxlength: MAX_REASON,
  hint: text.reasonHint,
})}
<button>${text.submit}</button></form></section>`;
}

function correctionTable(corrections: readonly StoredCorrection[], root: string, lang: Lang): Html {
  if (corrections.length === 0) return html`<p class="panel">${CORRECTIONS[lang].noneMade}</p>`;
  const withdraw = ({ id, match_id }: StoredCorrection) =>
    postButton(`${root}operator/corrections/${match_id}/entries/${id}/withdraw`, CORRECTIONS[lang].withdraw, {
      kind: 'plain',
      label: fill(CORRECTIONS[lang].withdrawOne, { id }),
    });
  return scrollTable({
    label: CORRECTIONS[lang].madeLabel,
    head: heads(CORRECTIONS[lang].madeColumns),
    rows: corrections.map(
      (
        one,
      ) => html`<tr><th scope="row">${one.id}: ${correctionText(one, words(lang))}</th><td class="details">${one.reason}</td>
<td>${logTime(one.at)}<br><span class="note">${fill(CORRECTIONS[lang].by, { actor: one.actor })}</span></td>
<td>${one.withdrawn_at === null ? withdraw(one) : state(one, lang)}</td>
</tr>`,
    ),
  });
}

async function matchPage(
  { page, root, lang }: Operator,
  id: number,
  { pool }: PortalDeps,
  { sent = null, ...shown }: Shown & { sent?: Sent } = {},
): Promise<Reply> {
  const [match, corrections] = await Promise.all([readCorrectedMatch(pool, id), listCorrections(pool, id)]);
  if (match === null && corrections.length === 0) throw new Problem('not_found', `There is no match ${id}.`);
  return page({
    title: fill(CORRECTIONS[lang].ofMatch, { id }),
    ...shown,
    body: html`${match === null ? html`<p class="panel">${fill(CORRECTIONS[lang].isDeleted, { id })}</p>` : matchPanel(match, root, lang)}
${match !== null && correctionForm(match, sent, root, lang)}
<section><h2>${CORRECTIONS[lang].title}</h2>${correctionTable(corrections, root, lang)}</section>
<p><a href="${root}operator/corrections">${CORRECTIONS[lang].all}</a></p>`,
  });
}

const show = operatorPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'A match with its corrections',
  params: idParams,
  query: doneQuery,
  handler: (operator, { params, query }, deps) =>
    matchPage(operator, params.id, deps, { done: doneText(CORRECTIONS[operator.lang].done, query.done) }),
});

/** Returns a score such as `2:1`; empty if neither field is filled in. A field that is missing makes the text wrong. */
function readScore(form: Sent, prefix: string): string {
  const [home, away] = [readText(form, `${prefix}_home`), readText(form, `${prefix}_away`)];
  return home === '' && away === '' ? '' : `${home}:${away}`;
}

/** Returns all periods. A period that was not filled in keeps its present score; without any, the list is empty. */
function readPeriods(form: Sent, present: CorrectedMatchPage['period_scores']): string {
  const corrected = present.map(({ period }) => readScore(form, `period_${period}`));
  const added = Array.from({ length: NEW_PERIODS }, (_, index) => `new_period_${index}`)
    .map((name) => `${readText(form, name)} ${readScore(form, name)}`.trim())
    .filter((text) => text !== '');
  if (added.length === 0 && corrected.every((score) => score === '')) return '';
  const kept = present.map(({ period, home, away }, index) => `${period} ${corrected[index] || `${home}:${away}`}`);
  return [...kept, ...added].join(', ');
}

const readKickOff = (form: Sent): string => {
  const [day, time] = [readText(form, 'day'), readText(form, 'time')];
  return time === '' ? day : `${day}T${time}:00Z`;
};

const readCorrection = (form: Sent, present: CorrectedMatchPage['period_scores']): GivenCorrection => ({
  score: readScore(form, 'score'),
  periods: readPeriods(form, present),
  status: readText(form, 'status'),
  kickOff: readKickOff(form),
  venue: readText(form, 'other_venue') || readText(form, 'venue'),
  goal: readText(form, 'goal'),
  scorer: readText(form, 'other_scorer') || readText(form, 'scorer'),
  reason: readText(form, 'reason'),
});

const correct = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}`,
  summary: 'Correct a match',
  params: idParams,
  handler: async ({ actor }, input, deps) => {
    const { id } = input.params;
    const match = await readCorrectedMatch(deps.pool, id);
    const given = readCorrection(input.form, match?.period_scores ?? []);
    const { outcome } = await changeMatches(deps, (changing) => correctMatch(changing, id, given, actor));
    return redirect(input, `${PATH}/${id}?done=${outcome}`);
  },
  onProblem: (problem, operator, { params, form }, deps) =>
    matchPage(operator, params.id, deps, { problem, sent: form }),
});

const withdraw = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}/entries/{correction}/withdraw`,
  summary: 'Withdraw a correction',
  params: z.object({ id: idParam, correction: idParam }),
  handler: async ({ actor }, input, deps) => {
    const { id, correction } = input.params;
    await changeMatches(deps, (changing) => withdrawCorrection(changing, correction, actor, '', id));
    return redirect(input, `${PATH}/${id}?done=withdrawn`);
  },
  onProblem: (problem, operator, { params }, deps) => matchPage(operator, params.id, deps, { problem }),
});

export const corrections: OperatorSection = {
  path: 'corrections',
  title: (lang) => CORRECTIONS[lang].title,
  pages: [list, show, correct, withdraw],
};
