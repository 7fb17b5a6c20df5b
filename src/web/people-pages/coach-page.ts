/** The page of a coach: the clubs by season with the record, and the matches. */
import type { Names } from '../../catalogue/index.ts';
import type { CoachDetail } from '../../people/index.ts';
import { heads, nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { fill, PEOPLE } from '../../site/texts/index.ts';
import type { PageOptions } from '../page-options.ts';
import { coachPath, playerLink, teamLink } from '../paths.ts';
import { nameOf } from '../status-text.ts';
import { countryText, seasonCells, subjectPage } from './page-parts.ts';

export function coachPage(coach: CoachDetail, country: Names | null, options: PageOptions) {
  const { lang, root } = options;
  const text = PEOPLE[lang];
  const { id, name_i18n, roles, events, matches, wins, draws, losses, last_events, next_events } = coach;
  const name = nameOf({ name: name_i18n.en, name_ru: name_i18n.ru ?? null }, lang);
  return subjectPage(
    {
      kind: 'coach',
      path: coachPath(id, name_i18n.en),
      name,
      facts: [
        [text.country, countryText(country && { iso: coach.country!, ...country }, options)],
        [text.matches, events.toLocaleString(lang)],
        [text.record, matches > 0 && fill(text.recordText, { wins, draws, losses })],
        [text.asPlayer, roles.includes('player') && playerLink(id, name_i18n.en, root, nameText(name, lang))],
      ],
      table: seasonsPart(coach, options),
      last_events,
      next_events,
    },
    options,
  );
}

function seasonsPart({ seasons }: CoachDetail, options: PageOptions): Html {
  if (seasons.length === 0) return html``;
  const { lang, root } = options;
  const text = PEOPLE[lang];
  const rows = seasons.map((season) => {
    const { team_id, team_name, team_name_ru, matches, wins, draws, losses, goals_for, goals_against } = season;
    const team = nameText(nameOf({ name: team_name, name_ru: team_name_ru }, lang), lang);
    return html`<tr>${seasonCells(season, options)}<td>${teamLink(team_id, team_name, root, team)}</td>
${[matches, wins, draws, losses].map((value) => html`<td>${value.toLocaleString(lang)}</td>`)}<td>${goals_for}:${goals_against}</td></tr>`;
  });
  const figures = ['matches', 'wins', 'draws', 'losses', 'goals'] as const;
  const head = [
    ...heads([text.season, text.competition, text.team]),
    ...figures.map((name) => shortHead(text.short[name], text[name])),
  ];
  return html`<section id="seasons" class="panel"><h2>${text.seasons}</h2>
${scrollTable({ label: text.seasons, kind: 'list', head, rows })}</section>`;
}
