/** The offered plans in words and as a table. */
import { type Plan, perAddressText, priceText, windowsText } from '../accounts/plans/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { SPORTS } from '../sports/sports.ts';

const { plans: PLANS } = GUIDES;
const { columns: COLUMNS } = PLANS;

/** `the plans Pro and Business` */
export function plansWithText(plans: readonly Plan[], channel: 'stream' | 'webhooks'): string {
  const titles = plans.filter((plan) => plan[channel]).map(({ title }) => title);
  const last = titles.pop();
  if (last === undefined) return PLANS.noPlan;
  return titles.length === 0
    ? fill(PLANS.onePlan, { plan: last })
    : fill(PLANS.somePlans, { plans: titles.join(', '), last });
}

/** The rows are stacked if the page is narrow. */
export function planTable(plans: readonly Plan[]): Html {
  return html`<table class="plans">
<thead>
<tr>
<th scope="col">${COLUMNS.plan}</th>
<th scope="col">${COLUMNS.price}</th>
<th scope="col">${COLUMNS.windows}</th>
<th scope="col">${COLUMNS.perAddress}</th>
<th scope="col">${COLUMNS.access}</th>
<th scope="col">${COLUMNS.streams}</th>
<th scope="col">${COLUMNS.webhooks}</th>
</tr>
</thead>
<tbody>${plans.map(
    (plan) => html`<tr><th scope="row">${plan.title}</th>
<td data-label="${COLUMNS.price}">${priceText(plan, 'en')}</td>
<td data-label="${COLUMNS.windows}">${windowsText(plan, 'en')}</td>
<td data-label="${COLUMNS.perAddress}">${perAddressText(plan, 'en')}</td>
<td data-label="${COLUMNS.access}">${accessText(plan)}</td>
<td data-label="${COLUMNS.streams}">${streamsText(plan)}</td>
<td data-label="${COLUMNS.webhooks}">${plan.webhooks ? PLANS.included : PLANS.notIncluded}</td></tr>
`,
  )}</tbody></table>`;
}

const streamsText = ({ stream, connections, publishableConnections }: Plan): string =>
  stream
    ? fill(PLANS.streams, {
        streams: connections.toLocaleString('en-GB'),
        publishable: publishableConnections.toLocaleString('en-GB'),
      })
    : PLANS.notIncluded;

function accessText({ access }: Plan): string {
  if (access === null) return PLANS.allMatches;
  const sports = access.sports.map((slug) => SPORTS.find((sport) => sport.slug === slug)!.name);
  const { length } = access.tournaments;
  const tournaments =
    length === 0 ? [] : [length === 1 ? PLANS.oneTournament : fill(PLANS.tournaments, { count: length })];
  return [...sports, ...tournaments].join(', ');
}
