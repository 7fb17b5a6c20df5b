/** Corrections that operators make to matches. */
import { z } from 'zod';
import {
  type CorrectedMatchPage,
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
import { heads, logTime, scrollTable } from '../../site/components/index.ts';
import { field, postButton, readText, selectField } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { before, PAGE_SIZE, paged } from './paging.ts';
import { type Operator, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/corrections';
const { corrections: CORRECTIONS } = OPERATOR;

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
<td>${correctionText(one)}</td><td class="details">${one.reason}</td><td class="email">${one.actor}</td><td>${state(one, lang)}</td></tr>`,
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
  const { id, status, status_detail, home_score, away_score, period_scores, scheduled_start, time_tbd, venue } = match;
  const rows: [string, string][] = [
    [CORRECTIONS[lang].status, `${status}, ${status_detail}`],
    [CORRECTIONS[lang].score, home_score === null ? CORRECTIONS[lang].noValue : `${home_score}:${away_score}`],
    [CORRECTIONS[lang].periods, period_scores.length === 0 ? CORRECTIONS[lang].noValue : periodText(period_scores)],
    [
      CORRECTIONS[lang].kickOff,
      time_tbd ? fill(CORRECTIONS[lang].unknownTime, { day: scheduled_start.slice(0, 10) }) : scheduled_start,
    ],
    [CORRECTIONS[lang].venue, venue ?? CORRECTIONS[lang].noValue],
  ];
  return html`<section class="panel"><h2><a href="${root}match/${id}">${match.home} – ${match.away}</a></h2>
<p class="note">${fill(CORRECTIONS[lang].place, { tournament: match.tournament, id })}</p>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${
  match.goals.length > 0 &&
  html`<h3>${CORRECTIONS[lang].goals}</h3><ul>${match.goals.map((goal) => html`<li>${goalText(goal)}</li>`)}</ul>`
}</section>`;
}

function correctionForm(
  id: number,
  goals: CorrectedMatchPage['goals'],
  given: Partial<GivenCorrection>,
  root: string,
  lang: Lang,
): Html {
  const select = selectField({
    name: 'goal',
    label: CORRECTIONS[lang].goal,
    options: [['', ''], ...goals.map((goal) => [String(goal.id), goalText(goal)] as const)],
    chosen: given.goal,
  });
  return html`<section class="panel"><h2>${CORRECTIONS[lang].correct}</h2><p class="note">${CORRECTIONS[lang].emptyFields}</p>
<form method="post" action="${root}operator/corrections/${id}">
${field({ name: 'score', label: CORRECTIONS[lang].score, value: given.score, maxlength: 20, hint: CORRECTIONS[lang].scoreHint })}
${field({ name: 'periods', label: CORRECTIONS[lang].periods, value: given.periods, maxlength: 500, hint: CORRECTIONS[lang].periodsHint })}
${field({
  name: 'status',
  label: CORRECTIONS[lang].status,
  value: given.status,
  maxlength: 30,
  hint: CORRECTIONS[lang].statusHint,
})}
${field({
  name: 'kick_off',
  label: CORRECTIONS[lang].kickOff,
  value: given.kickOff,
  maxlength: 40,
  hint: CORRECTIONS[lang].kickOffHint,
})}
${field({ name: 'venue', label: CORRECTIONS[lang].venue, value: given.venue, maxlength: 200, hint: CORRECTIONS[lang].venueHint })}
${
  goals.length > 0 &&
  html`${select}${field({
    name: 'scorer',
    label: CORRECTIONS[lang].scorer,
    value: given.scorer,
    maxlength: 200,
    hint: CORRECTIONS[lang].scorerHint,
  })}`
}
${field({
  name: 'reason',
  label: CORRECTIONS[lang].reason,
  value: given.reason,
  required: true,
  maxlength: MAX_REASON,
  hint: CORRECTIONS[lang].reasonHint,
})}
<button>${CORRECTIONS[lang].submit}</button></form></section>`;
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
      (one) => html`<tr><th scope="row">${one.id}: ${correctionText(one)}</th><td class="details">${one.reason}</td>
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
  { given = {}, ...shown }: Shown & { given?: Partial<GivenCorrection> } = {},
): Promise<Reply> {
  const [match, corrections] = await Promise.all([readCorrectedMatch(pool, id), listCorrections(pool, id)]);
  if (match === null && corrections.length === 0) throw new Problem('not_found', `There is no match ${id}.`);
  return page({
    title: fill(CORRECTIONS[lang].ofMatch, { id }),
    ...shown,
    body: html`${match === null ? html`<p class="panel">${fill(CORRECTIONS[lang].isDeleted, { id })}</p>` : matchPanel(match, root, lang)}
${match !== null && correctionForm(id, match.goals, given, root, lang)}
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

const readCorrection = (form: URLSearchParams | null): GivenCorrection => ({
  score: readText(form, 'score'),
  periods: readText(form, 'periods'),
  status: readText(form, 'status'),
  kickOff: readText(form, 'kick_off'),
  venue: readText(form, 'venue'),
  goal: readText(form, 'goal'),
  scorer: readText(form, 'scorer'),
  reason: readText(form, 'reason'),
});

const correct = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}`,
  summary: 'Correct a match',
  params: idParams,
  handler: async ({ actor }, input, deps) => {
    const { id } = input.params;
    const { outcome } = await correctMatch(deps, id, readCorrection(input.form), actor);
    return redirect(input, `${PATH}/${id}?done=${outcome}`);
  },
  onProblem: (problem, operator, { params, form }, deps) =>
    matchPage(operator, params.id, deps, { problem, given: readCorrection(form) }),
});

const withdraw = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}/entries/{correction}/withdraw`,
  summary: 'Withdraw a correction',
  params: z.object({ id: idParam, correction: idParam }),
  handler: async ({ actor }, input, deps) => {
    const { id, correction } = input.params;
    await withdrawCorrection(deps, correction, actor, '', id);
    return redirect(input, `${PATH}/${id}?done=withdrawn`);
  },
  onProblem: (problem, operator, { params }, deps) => matchPage(operator, params.id, deps, { problem }),
});

export const corrections: OperatorSection = {
  path: 'corrections',
  title: (lang) => CORRECTIONS[lang].title,
  pages: [list, show, correct, withdraw],
};
