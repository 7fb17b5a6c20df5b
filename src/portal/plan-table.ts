import { type Plan, priceText, windowsText } from '../accounts/plans/index.ts';
import { heads, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { ACCOUNT } from '../site/texts/index.ts';

const { plans: PLANS } = ACCOUNT;
const yes = (value: boolean) => (value ? PLANS.included : PLANS.notIncluded);

/**
 * @param isMarked returns true for the plan whose row is highlighted
 * @param columns extra columns by title
 */
export function planTable(
  plans: readonly Plan[],
  isMarked: (plan: Plan) => boolean,
  mark: string,
  columns: Readonly<Record<string, (plan: Plan) => Html | string | number>> = {},
): Html {
  const titles = [...PLANS.columns, ...Object.keys(columns)];
  const rows = plans.map(
    (plan) => html`<tr${isMarked(plan) && html` aria-current="true"`}>
<th scope="row">${plan.title}${isMarked(plan) && html` <span class="note">(${mark})</span>`}</th>
<td>${priceText(plan)}</td><td>${windowsText(plan)}</td><td>${yes(plan.stream)}</td><td>${yes(plan.webhooks)}</td>
${Object.values(columns).map((column) => html`<td>${column(plan)}</td>`)}</tr>`,
  );
  return scrollTable({ label: PLANS.title, head: heads(titles), rows });
}
