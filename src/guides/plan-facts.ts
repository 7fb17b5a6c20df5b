/** What the plans of this process include, in words and as a table. */
import { PLANS, type Plan } from '../accounts/plans.ts';
import { type Html, html } from '../http/html.ts';

const PER = { burst: 'a second', day: 'a day', month: 'a month' } as const;
const number = (value: number) => value.toLocaleString('en-GB');
const offered = (): readonly Plan[] => Object.values(PLANS);

/** `the plans pro and business` */
export function plansWithText(channel: 'stream' | 'webhooks'): string {
  const names = offered().filter((plan) => plan[channel]);
  if (names.length === 0) return 'no plan of this service';
  const last = names.at(-1)!.name;
  if (names.length === 1) return `the plan ${last}`;
  return `the plans ${names
    .slice(0, -1)
    .map(({ name }) => name)
    .join(', ')} and ${last}`;
}

/** Rows that stack on a narrow page. */
export function planTable(): Html {
  return html`<table class="plans">
<thead><tr><th scope="col">Plan</th><th scope="col">A month</th><th scope="col">Requests, at most</th><th scope="col">Streams</th><th scope="col">Webhooks</th></tr></thead>
<tbody>${offered().map(
    (plan) => html`<tr><th scope="row">${plan.name}</th>
<td data-label="A month">${plan.price === 0 ? 'free' : `${number(plan.price)} RUB`}</td>
<td data-label="Requests">${windows(plan)}</td>
<td data-label="Streams">${plan.stream ? `${number(plan.connections)}, publishable keys ${number(plan.publishableConnections)}` : 'no'}</td>
<td data-label="Webhooks">${plan.webhooks ? 'yes' : 'no'}</td></tr>
`,
  )}</tbody></table>`;
}

const windows = (plan: Plan): string =>
  plan.windows.length === 0
    ? 'no limit'
    : plan.windows.map(({ name, quota }) => `${number(quota)} ${PER[name]}`).join(', ');
