import { type Plan, priceText, windowsText } from '../accounts/plans/index.ts';
import type { Lang } from '../http/index.ts';
import { english, heads, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { ACCOUNT } from '../site/texts/index.ts';

const PLANS = { en: ACCOUNT.en.plans, ru: ACCOUNT.ru.plans };
const yes = (value: boolean, lang: Lang) => (value ? PLANS[lang].included : PLANS[lang].notIncluded);

/**
 * Shows plans with prices and limits, and how keys share the limits.
 * @param isMarked returns true for the plan whose row is highlighted
 * @param columns extra columns by title
 */
export function planTable(
  plans: readonly Plan[],
  isMarked: (plan: Plan) => boolean,
  mark: string,
  lang: Lang,
  columns: Readonly<Record<string, (plan: Plan) => Html | string | number>> = {},
): Html {
  const titles = [...PLANS[lang].columns, ...Object.keys(columns)];
  const rows = plans.map(
    (plan) => html`<tr${isMarked(plan) && html` aria-current="true"`}>
<th scope="row">${english(plan.title, lang)}${isMarked(plan) && html` <span class="note">(${mark})</span>`}</th>
<td>${priceText(plan, lang)}</td><td>${windowsText(plan, lang)}</td><td>${yes(plan.stream, lang)}</td><td>${yes(plan.webhooks, lang)}</td>
${Object.values(columns).map((column) => html`<td>${column(plan)}</td>`)}</tr>`,
  );
  return html`${scrollTable({ label: PLANS[lang].title, head: heads(titles), rows })}
<p class="note">${PLANS[lang].limits}</p>`;
}
