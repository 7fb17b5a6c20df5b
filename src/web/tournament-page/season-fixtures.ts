/** The matches of a season on a tournament's page, a round or a month at a time. */
import type { Round } from '../../competitions/index.ts';
import type { Lang } from '../../http/index.ts';
import { type Html, html } from '../../site/html.ts';
import { roundText, TEXTS } from '../../site/texts/index.ts';
import { embedLink } from '../embed-link.ts';
import { matchRows } from '../match-rows.ts';
import { link, queryOf, subjectAddress, type View } from './page-address.ts';
import { keyOf, type TournamentPageData } from './read-tournament-page.ts';

/** The matches of a round or a month, with links to the next and the previous one. */
export function fixturesPart({ seasonId, rounds, months, part, fixtures }: TournamentPageData, view: View): Html {
  const { lang } = view;
  const text = TEXTS[lang].catalogue;
  if (seasonId === null) return html``;
  const show = (choice: Html, withRound: boolean) => html`<section id="fixtures" class="panel"><h2>${text.fixtures}</h2>
${choice}
${
  fixtures.length === 0
    ? html`<p class="note">${text.noMatches}</p>`
    : matchRows(fixtures, { ...view, withTournament: false, withRound })
}
${embedLink('fixtures', subjectAddress(view), view)}</section>`;
  if (part === null) return show(html``, false);
  if (part.kind === 'round') return show(roundChoice(rounds, part.index, view), false);
  const index = months.indexOf(part.month);
  const step = (to: string | undefined, label: string) =>
    to !== undefined && html`<a href="${link(view, { month: to, round: undefined }, 'fixtures')}">${label}</a>`;
  return show(
    html`<p class="steps">${step(months[index - 1], `← ${text.earlier}`)}
<b>${monthText(part.month, lang)}</b>
${step(months[index + 1], `${text.later} →`)}</p>`,
    true,
  );
}

function roundChoice(rounds: readonly Round[], index: number, view: View): Html {
  const { lang, root, path } = view;
  const text = TEXTS[lang].catalogue;
  const name = (round: Round) => roundText(round.round_name ?? `Round ${round.round_num}`, lang);
  const step = (round: Round | undefined, label: string, mark: string) =>
    round !== undefined &&
    html`<a href="${link(view, { round: keyOf(round) }, 'fixtures')}" aria-label="${label}: ${name(round)}">${mark}</a>`;
  const kept = [...new URLSearchParams(queryOf(view, { round: undefined }))].map(
    ([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`,
  );
  return html`<form method="get" action="${root}${path}#fixtures" class="choice">${kept}
${step(rounds[index - 1], text.previousRound, '←')} <label><span class="hidden">${text.round}</span><select name="round">${rounds.map(
    (round, at) => html`<option value="${keyOf(round)}"${at === index && html` selected`}>${name(round)}</option>`,
  )}</select></label> ${step(rounds[index + 1], text.nextRound, '→')} <button>${text.show}</button></form>`;
}

const monthText = (month: string, lang: Lang) => {
  const name = new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
  return `${name} ${month.slice(0, 4)}`;
};
