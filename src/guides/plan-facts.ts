/** The offered plans in words and as a table. */
import { type Plan, perAddressText, priceText, windowsText } from '../accounts/plans/index.ts';
import type { Lang } from '../http/index.ts';
import { english } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { fill, GUIDES } from '../site/texts/index.ts';
import { SPORTS } from '../sports/sports.ts';

const NUMBERS = { en: 'en-GB', ru: 'ru' } as const;

/** `the plans Pro and Business` */
export function plansWithText(plans: readonly Plan[], channel: 'stream' | 'webhooks', lang: Lang): string {
  const text = GUIDES[lang].plans;
  const titles = plans.filter((plan) => plan[channel]).map(({ title }) => title);
  const last = titles.pop();
  if (last === undefined) return text.noPlan;
  return titles.length === 0
    ? fill(text.onePlan, { plan: last })
    : fill(text.somePlans, { plans: titles.join(', '), last });
}

/** The rows are stacked if the page is narrow. */
export function planTable(plans: readonly Plan[], lang: Lang): Html {
  const text = GUIDES[lang].plans;
  const { columns } = text;
  return html`<table class="plans">
<thead>
<tr>
<th scope="col">${columns.plan}</th>
<th scope="col">${columns.price}</th>
<th scope="col">${columns.windows}</th>
<th scope="col">${columns.perAddress}</th>
<th scope="col">${columns.access}</th>
<th scope="col">${columns.streams}</th>
<th scope="col">${columns.webhooks}</th>
</tr>
</thead>
<tbody>${plans.map(
    (plan) => html`<tr><th scope="row">${english(plan.title, lang)}</th>
<td data-label="${columns.price}">${priceText(plan, lang)}</td>
<td data-label="${columns.windows}">${windowsText(plan, lang)}</td>
<td data-label="${columns.perAddress}">${perAddressText(plan, lang)}</td>
<td data-label="${columns.access}">${accessText(plan, lang)}</td>
<td data-label="${columns.streams}">${streamsText(plan, lang)}</td>
<td data-label="${columns.webhooks}">${plan.webhooks ? text.included : text.notIncluded}</td></tr>
`,
  )}</tbody></table>`;
}

const streamsText = ({ stream, connections, publishableConnections }: Plan, lang: Lang): string =>
  stream
    ? fill(GUIDES[lang].plans.streams, {
        streams: connections.toLocaleString(NUMBERS[lang]),
        publishable: publishableConnections.toLocaleString(NUMBERS[lang]),
      })
    : GUIDES[lang].plans.notIncluded;

function accessText({ access }: Plan, lang: Lang): string {
  const text = GUIDES[lang].plans;
  if (access === null) return text.allMatches;
  const sports = access.sports.map(
    (slug) => SPORTS.find((sport) => sport.slug === slug)![lang === 'en' ? 'name' : 'name_ru'],
  );
  const { length } = access.tournaments;
  const tournaments =
    length === 0 ? [] : [length === 1 ? text.oneTournament : fill(text.tournaments, { count: length })];
  return [...sports, ...tournaments].join(', ');
}
