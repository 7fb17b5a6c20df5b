/** Teams and players that may be one, for an operator to decide. */
import { z } from 'zod';
import { idParams, integer, Problem, type Reply } from '../../http/index.ts';
import { decidedPairs, decidePair, findPair, openPairs, type Pair, reopenPair } from '../../pairs/pairs.ts';
import { heads, logTime, scrollTable } from '../../site/components/index.ts';
import { postButton, readText } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import type { PortalDeps } from '../deps.ts';
import { doneText } from '../done-messages.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { type Operator, type OperatorPage, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/pairs';
/** Open pairs on a page. */
const PAGE = 20;
/** Decided pairs below them. */
const DECIDED = 20;
/** Maximum number of pages with open pairs. */
const MAX_PAGE = 1_000;

const DONE = {
  same: 'Both are one now. Their matches have moved, and come with the next sync.',
  different: 'Both stay two, and are not listed again.',
  reopened: 'The decision is taken back: the pair is open again.',
};

type WithEvidence = Awaited<ReturnType<typeof findPair>>;
type Side = Pair['known'];

const span = ({ matches, first, last }: Side): string =>
  matches === 0 ? 'none' : `${matches}, ${first === last ? first : `${first} to ${last}`}`;

function pairPanel(pair: WithEvidence, root: string): Html {
  const { id, type, sport, gender, known, other, evidence } = pair;
  const row = (label: string, value: (side: Side) => Html | string) =>
    html`<tr><th scope="row">${label}</th><td>${value(known)}</td><td>${value(other)}</td></tr>`;
  const link = (side: Side) => html`<a href="${root}${type}/${side.id}">${side.name}</a>`;
  const button = (decision: string, label: string, isPlain: boolean) =>
    html`<button name="decision" value="${decision}"${isPlain && html` class="plain"`}
 aria-label="${label}: ${known.name} and ${other.name}">${label}</button>`;
  return html`<section class="panel"><h3>${known.name} – ${other.name}</h3>
<p class="note">${sport}, ${type}${gender === 'men' ? '' : `, ${gender}`}. Pair ${id}.</p>
${scrollTable({
  label: `Evidence for pair ${id}`,
  head: [html`<td></td>`, ...heads(['Known', 'Other'])],
  rows: html`${row('Name', link)}
${row('All names', ({ names }) => names.join(', '))}
${row('Country', ({ country }) => country ?? 'not known')}
${type === 'player' && row('Birth date', ({ birth_date }) => birth_date ?? 'not known')}
${row('Sources', ({ providers }) => providers.join(', '))}
${row('Matches', span)}`,
})}
<p>${evidenceText(evidence)}</p>
<form method="post" action="${root}operator/pairs/${id}"><p class="field"><label for="reason-${id}">Reason</label>
<input id="reason-${id}" name="reason" type="text" autocomplete="off" maxlength="500"></p>
<div class="actions">${button('same', 'Same', false)}${button('different', 'Different', true)}</div></form></section>`;
}

function evidenceText({ met, common, clashes }: WithEvidence['evidence']): string {
  if (met > 0) return `They have met in ${met} ${met === 1 ? 'match' : 'matches'}: they are two.`;
  const shared =
    common === 0
      ? 'No match in common.'
      : `${common} ${common === 1 ? 'match' : 'matches'} on one day against the same or a similar side.`;
  return clashes === 0 ? shared : `${shared} ${clashes} on one day against others: they are probably two.`;
}

function decidedTable(pairs: readonly Pair[], root: string): Html {
  if (pairs.length === 0) return html`<p class="panel">No pair was decided.</p>`;
  return scrollTable({
    label: 'Decided pairs',
    head: [...heads(['Pair', 'Decision', 'By']), html`<td></td>`],
    rows: pairs.map(
      ({
        id,
        known,
        other,
        decision,
        decided_at,
        decided_by,
        reason,
      }) => html`<tr><th scope="row">${known.name} – ${other.name}</th>
<td>${decision}${reason !== null && html`<br><span class="note">${reason}</span>`}</td>
<td>${logTime(decided_at!)}<br><span class="note">${decided_by}</span></td>
<td>${postButton(`${root}operator/pairs/${id}/reopen`, 'Take back', { kind: 'plain', label: `Reopen pair ${id}` })}</td>
</tr>`,
    ),
  });
}

async function pairsPage(
  { page, root }: Operator,
  { pool }: PortalDeps,
  shown: Shown = {},
  number = 1,
): Promise<Reply> {
  const [open, decided] = await Promise.all([
    openPairs(pool, PAGE + 1, (number - 1) * PAGE),
    decidedPairs(pool, DECIDED),
  ]);
  const pairs = await Promise.all(open.slice(0, PAGE).map(({ id }) => findPair(pool, id)));
  return page({
    title: 'Pairs',
    ...shown,
    body: html`<p>Teams and players that a live source may name differently from the catalogue.
If both are one, names, ids and matches of the other become the known one’s, and its id stays valid.</p>
<section><h2>Open</h2>${pairs.length === 0 ? html`<p class="panel">No pair is open.</p>` : pairs.map((pair) => pairPanel(pair, root))}
${open.length > PAGE && html`<p><a href="${root}operator/pairs?page=${number + 1}">More</a></p>`}</section>
<section><h2>Decided</h2>${decidedTable(decided, root)}</section>
<p class="note"><code>touchline pairs export</code> prints the decisions as rows of the merge files.</p>`,
  });
}

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'Participants that may be one',
  query: z.object({ done: z.string().max(40).optional(), page: integer(1, MAX_PAGE).default(1) }),
  handler: (operator, { query }, deps) => pairsPage(operator, deps, { done: doneText(DONE, query.done) }, query.page),
});

/** @param act returns a name in DONE */
const action = (
  path: string,
  summary: string,
  act: (operator: Operator, id: number, form: URLSearchParams | null, deps: PortalDeps) => Promise<keyof typeof DONE>,
): OperatorPage =>
  operatorPage({
    method: 'POST',
    path: `${PATH}/{id}${path}`,
    summary,
    params: idParams,
    handler: async (operator, input, deps) =>
      redirect(input, `${PATH}?done=${await act(operator, input.params.id, input.form, deps)}`),
    onProblem: (problem, operator, _input, deps) => pairsPage(operator, deps, { problem }),
  });

const decide = action('', 'Decide a pair', async ({ actor }, id, form, deps) => {
  const decision = readText(form, 'decision');
  if (decision !== 'same' && decision !== 'different')
    throw new Problem('bad_request', 'A pair is the same, or different.');
  await decidePair(deps, id, decision, actor, readText(form, 'reason'));
  return decision;
});

const reopen = action('/reopen', 'Take a decision back', async ({ actor }, id, _form, deps) => {
  await reopenPair(deps, id, actor);
  return 'reopened';
});

export const pairs: OperatorSection = { path: 'pairs', title: 'Pairs', pages: [list, decide, reopen] };
