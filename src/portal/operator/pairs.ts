/** Pairs of teams or players that may be the same, for an operator to decide. */
import { z } from 'zod';
import { idParams, integer, type Lang, Problem, type Reply } from '../../http/index.ts';
import { decidedPairs, decidePair, findPair, openPairs, type Pair, reopenPair } from '../../pairs/pairs.ts';
import { heads, logTime, scrollTable } from '../../site/components/index.ts';
import { postButton, readText } from '../../site/forms/fields.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, OPERATOR } from '../../site/texts/index.ts';
import type { PortalDeps } from '../deps.ts';
import { doneText } from '../done-messages.ts';
import { changeMatches } from '../match-pool.ts';
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

function span({ matches, first, last }: Side, lang: Lang): string {
  if (matches === 0) return PAIRS[lang].noMatches;
  return fill(first === last ? PAIRS[lang].matchesOn : PAIRS[lang].matchesFrom, {
    count: matches,
    first: first!,
    last: last!,
  });
}

function pairPanel(pair: WithEvidence, root: string, lang: Lang): Html {
  const { id, type, sport, gender, known, other, evidence } = pair;
  const row = (label: string, value: (side: Side) => Html | string) =>
    html`<tr><th scope="row">${label}</th><td>${value(known)}</td><td>${value(other)}</td></tr>`;
  const link = (side: Side) => html`<a href="${root}${type}/${side.id}">${side.name}</a>`;
  const button = (decision: string, label: string, isPlain: boolean) =>
    html`<button name="decision" value="${decision}"${isPlain && html` class="plain"`}
 aria-label="${fill(PAIRS[lang].decideOn, { decision: label, known: known.name, other: other.name })}">${label}</button>`;
  return html`<section class="panel"><h3>${known.name} – ${other.name}</h3>
<p class="note">${sport}, ${type}${gender === 'men' ? '' : `, ${gender}`}. ${fill(PAIRS[lang].pair, { id })}</p>
${scrollTable({
  label: fill(PAIRS[lang].evidence, { id }),
  head: [html`<td></td>`, ...heads(PAIRS[lang].columns)],
  rows: html`${row(PAIRS[lang].name, link)}
${row(PAIRS[lang].names, ({ names }) => names.join(', '))}
${row(PAIRS[lang].country, ({ country }) => country ?? PAIRS[lang].unknown)}
${type === 'player' && row(PAIRS[lang].birthDate, ({ birth_date }) => birth_date ?? PAIRS[lang].unknown)}
${row(PAIRS[lang].sources, ({ providers }) => providers.join(', '))}
${row(PAIRS[lang].matches, (side) => span(side, lang))}`,
})}
<p>${evidenceText(evidence, lang)}</p>
<form method="post" action="${root}operator/pairs/${id}"><p class="field"><label for="reason-${id}">${PAIRS[lang].reason}</label>
<input id="reason-${id}" name="reason" type="text" autocomplete="off" maxlength="500"></p>
<div class="actions">${button('same', PAIRS[lang].same, false)}${button('different', PAIRS[lang].different, true)}</div></form></section>`;
}

function evidenceText({ met, common, clashes }: WithEvidence['evidence'], lang: Lang): string {
  if (met > 0) return PAIRS[lang].met(met);
  const shared = common === 0 ? PAIRS[lang].nothingCommon : PAIRS[lang].common(common);
  return clashes === 0 ? shared : `${shared} ${fill(PAIRS[lang].clashes, { count: clashes })}`;
}

function decidedTable(pairs: readonly Pair[], root: string, lang: Lang): Html {
  if (pairs.length === 0) return html`<p class="panel">${PAIRS[lang].noneDecided}</p>`;
  return scrollTable({
    label: PAIRS[lang].decidedLabel,
    head: [...heads(PAIRS[lang].decidedColumns), html`<td></td>`],
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
<td>${postButton(`${root}operator/pairs/${id}/reopen`, PAIRS[lang].takeBack, {
        kind: 'plain',
        label: fill(PAIRS[lang].reopen, { id }),
      })}</td>
</tr>`,
    ),
  });
}

async function pairsPage(
  { page, root, lang }: Operator,
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
    title: PAIRS[lang].title,
    ...shown,
    body: html`<p>${PAIRS[lang].intro}</p>
<section><h2>${PAIRS[lang].open}</h2>${
      pairs.length === 0
        ? html`<p class="panel">${PAIRS[lang].noneOpen}</p>`
        : pairs.map((pair) => pairPanel(pair, root, lang))
    }
${open.length > PAGE && html`<p><a href="${root}operator/pairs?page=${number + 1}">${PAIRS[lang].more}</a></p>`}</section>
<section><h2>${PAIRS[lang].decided}</h2>${decidedTable(decided, root, lang)}</section>
<p class="note">${PAIRS[lang].exportNote}</p>`,
  });
}

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'Participants that may be one',
  query: z.object({ done: z.string().max(40).optional(), page: integer(1, MAX_PAGE).default(1) }),
  handler: (operator, { query }, deps) =>
    pairsPage(operator, deps, { done: doneText(PAIRS[operator.lang].done, query.done) }, query.page),
});

/** @param act returns a name in PAIRS.en.done */
const action = (
  path: string,
  summary: string,
  act: (
    operator: Operator,
    id: number,
    form: URLSearchParams | null,
    deps: PortalDeps,
  ) => Promise<keyof typeof PAIRS.en.done>,
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
  await changeMatches(deps, (changing) => decidePair(changing, id, decision, actor, readText(form, 'reason')));
  return decision;
});

const reopen = action('/reopen', 'Take a decision back', async ({ actor }, id, _form, deps) => {
  await changeMatches(deps, (changing) => reopenPair(changing, id, actor));
  return 'reopened';
});

export const pairs: OperatorSection = {
  path: 'pairs',
  title: (lang) => PAIRS[lang].title,
  pages: [list, decide, reopen],
};
