/** The page of a venue: what is known about it, the teams that play there, and its matches. */
import type { Names } from '../../catalogue/index.ts';
import type { VenueDetail } from '../../people/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { dateText, PEOPLE } from '../../site/texts/index.ts';
import type { PageOptions } from '../page-options.ts';
import { teamLink, venuePath } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { countryText, subjectPage } from './page-parts.ts';

const COORDINATE_DECIMALS = 4;

export function venuePage(venue: VenueDetail, country: Names | null, options: PageOptions) {
  const { lang } = options;
  const text = PEOPLE[lang];
  const { id, name, city, capacity, latitude, longitude, aliases, events, tenants } = venue;
  const number = (value: number) => value.toLocaleString(lang);
  return subjectPage(
    {
      kind: 'venue',
      path: venuePath(id, name),
      name,
      facts: [
        [text.city, city && nameText(city, lang)],
        [text.country, countryText(country && { iso: venue.country, ...country }, options)],
        [text.capacity, capacity !== null && number(capacity)],
        [
          text.coordinates,
          latitude !== null &&
            longitude !== null &&
            `${latitude.toFixed(COORDINATE_DECIMALS)}, ${longitude.toFixed(COORDINATE_DECIMALS)}`,
        ],
        [text.otherNames, aliases.length > 0 && nameText(aliases.join(', '), lang)],
        [text.matches, number(events)],
      ],
      table: tenantsPart(tenants, options),
      last_events: venue.last_events,
      next_events: venue.next_events,
    },
    options,
  );
}

function tenantsPart(tenants: VenueDetail['tenants'], { lang, root }: PageOptions): Html {
  if (tenants.length === 0) return html``;
  const text = PEOPLE[lang];
  const rows = tenants.map(({ team_id, team_name, team_name_ru, matches, first_match, last_match }) => {
    const name = nameText(nameOf({ name: team_name, name_ru: team_name_ru }, lang), lang);
    return html`<tr><th scope="row">${teamLink(team_id, team_name, root, name)}</th><td>${matches.toLocaleString(lang)}</td>
<td>${dateText(first_match.slice(0, 10), lang)}</td><td>${dateText(last_match.slice(0, 10), lang)}</td></tr>`;
  });
  const head = [...heads([text.team]), shortHead(text.short.matches, text.matches), ...heads([text.since, text.until])];
  return html`<section id="tenants" class="panel"><h2>${text.tenants}</h2>
${scrollTable({ label: text.tenants, kind: 'list', head, rows })}</section>`;
}
