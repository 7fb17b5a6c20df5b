/** Pairs of teams or players that may be the same, for an operator to decide. */
import { z } from 'zod';
import { idParams, integer, Problem, type Reply } from '../../http/index.ts';
import { decidedPairs, decidePair, findPair, openPairs, type Pair, reopenPair } from '../../pairs/pairs.ts';
import { heads, logTime, scrollTable } from '../../site/components/index.ts';
import { postButton, readText } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import type { PortalDeps } from '../deps.ts';
import { doneText } from '../done-messages.ts';
import type { Shown } from '../page.ts';
import { redirect } from '../visit.ts';
import { type Operator, type OperatorPage, type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/pairs';
const { pairs: PAIRS } = OPERATOR;
/** Number of open pairs on a page. */
const PAGE = 20;
/** Number of decided pairs below them. */
const DECIDED = 20;
/** Maximum number of pages with open pairs. */
const MAX_PAGE = 1_000;

type WithEvidence = Awaited<ReturnType<typeof findPair>>;
type Side = Pair['known'];

function span({ matches, first, last }: Side): string {
  if (matches === 0) return PAIRS.noMatches;
  return fill(first === last ? PAIRS.matchesOn : PAIRS.matchesFrom, { count: matches, first: first!, last: last! });
}

function pairPanel(pair: WithEvidence, root: string): Html {
  const { id, type, sport, gender, known, other, evidence } = pair;
  const row = (label: string, value: (side: Side) => Html | string) =>
    html`<tr><th scope="row">${label}</th><td>${value(known)}</td><td>${value(other)}</td></tr>`;
  const link = (side: Side) => html`<a href="${root}${type}/${side.id}">${side.name}</a>`;
  const button = (decision: string, label: string, isPlain: boolean) =>
    html`<button name="decision" value="${decision}"${isPlain && html` class="plain"`}
 aria-label="${fill(PAIRS.decideOn, { decision: label, known: known.name, other: other.name })}">${label}</button>`;
  return html`<section class="panel"><h3>${known.name} – ${other.name}</h3>
<p class="note">${sport}, ${type}${gender === 'men' ? '' : `, ${gender}`}. ${fill(PAIRS.pair, { id })}</p>
${scrollTable({
  label: fill(PAIRS.evidence, { id }),
  head: [html`<td></td>`, ...heads(PAIRS.columns)],
  rows: html`${row(PAIRS.name, link)}
${row(PAIRS.names, ({ names }) => names.join(', '))}
${row(PAIRS.country, ({ country }) => country ?? PAIRS.unknown)}
${type === 'player' && row(PAIRS.birthDate, ({ birth_date }) => birth_date ?? PAIRS.unknown)}
${row(PAIRS.sources, ({ providers }) => providers.join(', '))}
${row(PAIRS.matches, span)}`,
})}
<p>${evidenceText(evidence)}</p>
<form method="post" action="${root}operator/pairs/${id}"><p class="field"><label for="reason-${id}">${PAIRS.reason}</label>
<input id="reason-${id}" name="reason" type="text" autocomplete="off" maxlength="500"></p>
<div class="actions">${button('same', PAIRS.same, false)}${button('different', PAIRS.different, true)}</div></form></section>`;
}

function evidenceText({ met, common, clashes }: WithEvidence['evidence']): string {
  if (met > 0) return PAIRS.met(met);
  const shared = common === 0 ? PAIRS.nothingCommon : PAIRS.common(common);
  return clashes === 0 ? shared : `${shared} ${fill(PAIRS.clashes, { count: clashes })}`;
}

function decidedTable(pairs: readonly Pair[], root: string): Html {
  if (pairs.length === 0) return html`<p class="panel">${PAIRS.noneDecided}</p>`;
  return scrollTable({
    label: PAIRS.decidedLabel,
    head: [...heads(PAIRS.decidedColumns), html`<td></td>`],
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
<td>${postButton(`${root}operator/pairs/${id}/reopen`, PAIRS.takeBack, { kind: 'plain', label: fill(PAIRS.reopen, { id }) })}</td>
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
    title: PAIRS.title,
    ...shown,
    body: html`<p>${PAIRS.intro}</p>
<section><h2>${PAIRS.open}</h2>${
      pairs.length === 0 ? html`<p class="panel">${PAIRS.noneOpen}</p>` : pairs.map((pair) => pairPanel(pair, root))
    }
${open.length > PAGE && html`<p><a href="${root}operator/pairs?page=${number + 1}">${PAIRS.more}</a></p>`}</section>
<section><h2>${PAIRS.decided}</h2>${decidedTable(decided, root)}</section>
<p class="note">${PAIRS.exportNote}</p>`,
  });
}

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'Participants that may be one',
  query: z.object({ done: z.string().max(40).optional(), page: integer(1, MAX_PAGE).default(1) }),
  handler: (operator, { query }, deps) =>
    pairsPage(operator, deps, { done: doneText(PAIRS.done, query.done) }, query.page),
});

/** @param act returns a name in PAIRS.done */
const action = (
  path: string,
  summary: string,
  act: (
    operator: Operator,
    id: number,
    form: URLSearchParams | null,
    deps: PortalDeps,
  ) => Promise<keyof typeof PAIRS.done>,
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
    throw new Problem('bad_request', 'Decide whether the pair is the same or different.');
  await decidePair(deps, id, decision, actor, readText(form, 'reason'));
  return decision;
});

const reopen = action('/reopen', 'Take a decision back', async ({ actor }, id, _form, deps) => {
  await reopenPair(deps, id, actor);
  return 'reopened';
});

export const pairs: OperatorSection = { path: 'pairs', title: PAIRS.title, pages: [list, decide, reopen] };
