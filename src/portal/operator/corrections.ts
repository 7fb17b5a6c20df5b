/** Match corrections by hand. */
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
import { idParam, idParams, Problem, type Reply } from '../../http/index.ts';
import { heads, logTime, scrollTable } from '../../site/components/index.ts';
import { field, postButton, readText, selectField } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import type { PortalDeps } from '../deps.ts';
import { doneQuery, doneText } from '../done-messages.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { before, PAGE_SIZE, paged } from './paging.ts';
import { type Operator, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/corrections';

const DONE = {
  corrected: 'The match is corrected.',
  unchanged: 'Nothing has changed: an earlier correction says the same.',
  withdrawn: 'The correction is withdrawn: the values of the providers are shown again.',
};

const state = ({ withdrawn_at, withdrawn_by }: StoredCorrection): Html =>
  withdrawn_at === null ? html`stands` : html`withdrawn ${logTime(withdrawn_at)} by ${withdrawn_by}`;

// ---- the list

function recentTable(found: readonly RecentCorrection[], root: string): Html {
  return scrollTable({
    label: 'Corrections',
    head: heads(['Time (UTC)', 'Match', 'Correction', 'Reason', 'By', 'State']),
    rows: found.map(
      (one) => html`<tr><td>${logTime(one.at)}</td>
<td><a href="${root}operator/corrections/${one.match_id}">${one.match ?? `match ${one.match_id}, deleted`}</a></td>
<td>${correctionText(one)}</td><td class="details">${one.reason}</td><td class="email">${one.actor}</td><td>${state(one)}</td></tr>`,
    ),
  });
}

/** Returns the match that a text names, which is an id, or the address of a match page. */
const namedMatch = (text: string): string | undefined =>
  /^\d{1,15}$/.exec(text)?.[0] ?? /\/match\/(\d{1,15})(?:[/?#]|$)/.exec(text)?.[1];

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'The corrections of all matches',
  query: z.object({ match: z.string().trim().max(500).optional(), before }),
  handler: async ({ page, root }, input, { pool }) => {
    const { match, before: last } = input.query;
    const id = match === undefined ? undefined : namedMatch(match);
    if (id !== undefined) return redirect(input, `${PATH}/${Number(id)}`);
    const found = await recentCorrections(pool, PAGE_SIZE + 1, last);
    const { page: shown, older } = paged(found, `${root}operator/corrections`);
    return page({
      title: 'Corrections',
      body: html`<p>A correction comes before every provider for the values that it names, until it is withdrawn.
All other values of the match stay the providers’.</p>
${match !== undefined && html`<p class="problem">Match: must be an id, or the address of its page</p>`}
<form class="panel" method="get" action="${root}operator/corrections" role="search">
${field({ name: 'match', label: 'Match', value: match ?? '', maxlength: 500, hint: 'Its id, or the address of its page.' })}
<button>Open the match</button></form>
${shown.length === 0 ? html`<p class="panel">No match was corrected.</p>` : recentTable(shown, root)}
${older}`,
    });
  },
});

// ---- one match

function matchPanel(match: CorrectedMatchPage, root: string): Html {
  const { id, status, status_detail, home_score, away_score, period_scores, scheduled_start, time_tbd, venue } = match;
  const rows: [string, string][] = [
    ['Status', `${status}, ${status_detail}`],
    ['Score', home_score === null ? 'none' : `${home_score}:${away_score}`],
    ['Periods', period_scores.length === 0 ? 'none' : periodText(period_scores)],
    ['Kick-off', time_tbd ? `${scheduled_start.slice(0, 10)}, time not known` : scheduled_start],
    ['Venue', venue ?? 'none'],
  ];
  return html`<section class="panel"><h2><a href="${root}match/${id}">${match.home} – ${match.away}</a></h2>
<p class="note">${match.tournament}, match ${id}</p>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${match.goals.length > 0 && html`<h3>Goals</h3><ul>${match.goals.map((goal) => html`<li>${goalText(goal)}</li>`)}</ul>`}</section>`;
}

function correctionForm(
  id: number,
  goals: CorrectedMatchPage['goals'],
  given: Partial<GivenCorrection>,
  root: string,
): Html {
  const select = selectField({
    name: 'goal',
    label: 'Goal with another scorer',
    options: [['', ''], ...goals.map((goal) => [String(goal.id), goalText(goal)] as const)],
    chosen: given.goal,
  });
  return html`<section class="panel"><h2>Correct</h2><p class="note">Empty fields are not corrected.</p>
<form method="post" action="${root}operator/corrections/${id}">
${field({ name: 'score', label: 'Score', value: given.score, maxlength: 20, hint: 'Home side first, without a shoot-out: 2:1' })}
${field({ name: 'periods', label: 'Periods', value: given.periods, maxlength: 500, hint: '1H 1:0, 2H 1:1' })}
${field({
  name: 'status',
  label: 'Status',
  value: given.status,
  maxlength: 30,
  hint: 'scheduled, live, finished, postponed, cancelled, after_extra_time, after_penalties, …',
})}
${field({
  name: 'kick_off',
  label: 'Kick-off',
  value: given.kickOff,
  maxlength: 40,
  hint: '2026-05-10T15:00:00Z, or 2026-05-10 if the time is not known',
})}
${field({ name: 'venue', label: 'Venue', value: given.venue, maxlength: 200, hint: 'Its id or name, or none' })}
${
  goals.length > 0 &&
  html`${select}${field({
    name: 'scorer',
    label: 'Scorer',
    value: given.scorer,
    maxlength: 200,
    hint: 'As the line-ups name the player, or the participant id',
  })}`
}
${field({ name: 'reason', label: 'Reason', value: given.reason, required: true, maxlength: MAX_REASON, hint: 'For the audit log.' })}
<button>Correct the match</button></form></section>`;
}

function correctionTable(corrections: readonly StoredCorrection[], root: string): Html {
  if (corrections.length === 0) return html`<p class="panel">The match was not corrected.</p>`;
  const withdraw = ({ id, match_id }: StoredCorrection) =>
    postButton(`${root}operator/corrections/${match_id}/entries/${id}/withdraw`, 'Withdraw', {
      kind: 'plain',
      label: `Withdraw correction ${id}`,
    });
  return scrollTable({
    label: 'Corrections of the match',
    head: heads(['Correction', 'Reason', 'Made (UTC)', 'State']),
    rows: corrections.map(
      (one) => html`<tr><th scope="row">${one.id}: ${correctionText(one)}</th><td class="details">${one.reason}</td>
<td>${logTime(one.at)}<br><span class="note">by ${one.actor}</span></td>
<td>${one.withdrawn_at === null ? withdraw(one) : state(one)}</td>
</tr>`,
    ),
  });
}

async function matchPage(
  { page, root }: Operator,
  id: number,
  { pool }: PortalDeps,
  { given = {}, ...shown }: Shown & { given?: Partial<GivenCorrection> } = {},
): Promise<Reply> {
  const [match, corrections] = await Promise.all([readCorrectedMatch(pool, id), listCorrections(pool, id)]);
  if (match === null && corrections.length === 0) throw new Problem('not_found', `There is no match ${id}.`);
  return page({
    title: `Corrections of match ${id}`,
    ...shown,
    body: html`${match === null ? html`<p class="panel">Match ${id} is deleted.</p>` : matchPanel(match, root)}
${match !== null && correctionForm(id, match.goals, given, root)}
<section><h2>Corrections</h2>${correctionTable(corrections, root)}</section>
<p><a href="${root}operator/corrections">All corrections</a></p>`,
  });
}

const show = operatorPage({
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'A match with its corrections',
  params: idParams,
  query: doneQuery,
  handler: (operator, { params, query }, deps) =>
    matchPage(operator, params.id, deps, { done: doneText(DONE, query.done) }),
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
  title: 'Corrections',
  pages: [list, show, correct, withdraw],
};
