/** The offered plans in words and as a table. */
import { type Plan, perAddressText, priceText, windowsText } from '../accounts/plans/index.ts';
import { type Html, html } from '../site/html.ts';
import { SPORTS } from '../sports/sports.ts';

/** `the plans Pro and Business` */
export function plansWithText(plans: readonly Plan[], channel: 'stream' | 'webhooks'): string {
  const titles = plans.filter((plan) => plan[channel]).map(({ title }) => title);
  const last = titles.pop();
  if (last === undefined) return 'no plan of this service';
  return titles.length === 0 ? `the plan ${last}` : `the plans ${titles.join(', ')} and ${last}`;
}

/** The rows are stacked on a narrow page. */
export function planTable(plans: readonly Plan[]): Html {
  return html`<table class="plans">
<thead>
<tr>
<th scope="col">Plan</th>
<th scope="col">A month</th>
<th scope="col">At most</th>
<th scope="col">One visitor</th>
<th scope="col">Matches</th>
<th scope="col">Open streams</th>
<th scope="col">Webhooks</th>
</tr>
</thead>
<tbody>${plans.map(
    (plan) => html`<tr><th scope="row">${plan.title}</th>
<td data-label="A month">${priceText(plan)}</td>
<td data-label="At most">${windowsText(plan)}</td>
<td data-label="One visitor">${perAddressText(plan)}</td>
<td data-label="Matches">${accessText(plan)}</td>
<td data-label="Open streams">${streamsText(plan)}</td>
<td data-label="Webhooks">${plan.webhooks ? 'yes' : 'no'}</td></tr>
`,
  )}</tbody></table>`;
}

const streamsText = ({ stream, connections, publishableConnections }: Plan): string =>
  stream
    ? `${connections.toLocaleString('en-GB')}, and ${publishableConnections.toLocaleString('en-GB')} of publishable keys`
    : 'no';

function accessText({ access }: Plan): string {
  if (access === null) return 'all';
  const sports = access.sports.map((slug) => SPORTS.find((sport) => sport.slug === slug)!.name);
  const { length } = access.tournaments;
  const tournaments = length === 0 ? [] : [length === 1 ? '1 tournament' : `${length} tournaments`];
  return [...sports, ...tournaments].join(', ');
}
