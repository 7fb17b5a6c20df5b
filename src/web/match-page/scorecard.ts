/** The scorecards of a match of cricket: batting with how each player was out, bowling, and the fall of wickets. */
import type { Lang } from '../../http/index.ts';
import { nameText, scrollTable, shortHead } from '../../site/components/index.ts';
import { type Html, html } from '../../site/html.ts';
import { absent } from '../../site/layout.ts';
import { CRICKET, fill, periodName } from '../../site/texts/index.ts';
import type { Innings } from '../../wire/innings.ts';
import { playerLink } from '../paths.ts';
import { dismissalText } from './cricket-result.ts';
import type { MatchView } from './match-view.ts';

const MANY_INNINGS = 2;
type Side = 'home' | 'away';

export function scorecardPart(view: MatchView): Html {
  const innings = view.blocks.innings ?? [];
  if (innings.length === 0) return absent('scorecard');
  const text = CRICKET[view.lang];
  const best = (view.blocks.best_players ?? []).map(({ side, player_name }) => playerText(view, side, player_name));
  return html`<section id="scorecard" class="panel"><h2>${text.scorecard}</h2>
${best.length > 0 && html`<p class="note">${text.playerOfMatch}: ${best}</p>`}
${innings.map((one) => inningsCard(one, innings.length, view))}</section>`;
}

/** Returns a player's name, which is a link if the line-ups have the player. */
function playerText({ blocks, root, lang }: MatchView, side: Side, name: string): Html {
  const found = blocks.lineups?.find((one) => one.side === side && one.player_name === name);
  return playerLink(found?.player_participant_id ?? null, name, root, nameText(name, lang));
}

function inningsCard(innings: Innings, count: number, view: MatchView): Html {
  const { names, lang, item } = view;
  const text = CRICKET[lang];
  const { batting, period } = innings;
  const fielding = batting === 'home' ? 'away' : 'home';
  const [, superOver] = /^SO(\d+)$/u.exec(period) ?? [];
  const part =
    superOver !== undefined
      ? fill(text.superOver, { number: superOver })
      : count > MANY_INNINGS
        ? periodName(period, item.sport, lang)
        : null;
  const small = part && html` <small>${part}</small>`;
  return html`<div class="sheet card" data-side="${batting}"><h3>${names[batting]} ${totalText(innings, lang)}${small}</h3>
${targetText(innings, lang)}
${battingTable(innings, view)}
${superOver === undefined && fallsText(innings, view)}
${bowlingTable(innings, fielding, view)}</div>`;
}

const totalText = ({ runs, wickets, overs, all_out, declared }: Innings, lang: Lang): string => {
  const text = CRICKET[lang];
  const how = all_out ? ` ${text.allOut}` : declared ? ` ${text.declared}` : '';
  return `${runs}${all_out ? '' : `/${wickets}`}${how} (${fill(text.overs, { overs })})`;
};

function targetText({ target }: Innings, lang: Lang): Html | null {
  if (target === null) return null;
  const text = CRICKET[lang];
  const { runs, overs, method } = target;
  const shown = overs === null ? fill(text.target, { runs }) : fill(text.targetIn, { runs, overs });
  return html`<p class="note">${shown}${method && ` (${method})`}</p>`;
}

const rate = (value: number, lang: Lang): string =>
  value.toLocaleString(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const figure = (value: number | null) => html`<td>${value ?? '–'}</td>`;

function battingTable(innings: Innings, view: MatchView): Html {
  const { lang } = view;
  const text = CRICKET[lang];
  const { heads } = text;
  const rows = innings.batters.map(({ player_name, runs, balls, fours, sixes, dismissal }) => {
    const how =
      dismissal === null
        ? text.notOut
        : dismissalText(
            { kind: dismissal.kind, bowler: dismissal.bowler_name, fielders: dismissal.fielder_names },
            lang,
          );
    return html`<tr><th scope="row">${playerText(view, innings.batting, player_name)} <small class="how">${how}</small></th>
<td><b>${runs}</b></td>${figure(balls)}${figure(fours)}${figure(sixes)}<td>${balls ? rate((100 * runs) / balls, lang) : '–'}</td></tr>`;
  });
  const extras = Object.entries(innings.extras).filter(([, runs]) => runs > 0);
  const sum = extras.reduce((total, [, runs]) => total + runs, 0);
  const parts = extras.map(([kind, runs]) => `${text.extra[kind as keyof typeof text.extra]} ${runs}`).join(', ');
  const extraRow = html`<tr><th scope="row">${text.extras} <small class="how">${parts}</small></th>
<td><b>${sum}</b></td><td colspan="4"></td></tr>`;
  return scrollTable({
    label: text.batting,
    kind: 'box',
    head: [
      html`<th scope="col">${text.batting}</th>`,
      shortHead(...pair(heads.runs)),
      shortHead(...pair(heads.balls)),
      shortHead(...pair(heads.fours)),
      shortHead(...pair(heads.sixes)),
      shortHead(...pair(heads.strikeRate)),
    ],
    rows: [...rows, extraRow],
  });
}
const pair = ([short = '', long = '']: readonly string[]): [string, string] => [short, long];

function bowlingTable(innings: Innings, side: Side, view: MatchView): Html {
  const { lang } = view;
  const text = CRICKET[lang];
  const { heads } = text;
  return scrollTable({
    label: text.bowling,
    kind: 'box',
    head: [
      html`<th scope="col">${text.bowling}</th>`,
      shortHead(...pair(heads.overs)),
      shortHead(...pair(heads.maidens)),
      shortHead(...pair(heads.runs)),
      shortHead(...pair(heads.wickets)),
      shortHead(...pair(heads.economy)),
    ],
    rows: innings.bowlers.map(({ player_name, overs, maidens, runs, wickets }) => {
      const [whole, balls = '0'] = overs.split('.');
      const bowled = Number(whole) + Number(balls) / innings.balls_per_over;
      return html`<tr><th scope="row">${playerText(view, side, player_name)}</th>
<td>${overs}</td>${figure(maidens)}<td>${runs}</td><td><b>${wickets}</b></td><td>${bowled > 0 ? rate(runs / bowled, lang) : '–'}</td></tr>`;
    }),
  });
}

function fallsText({ fall_of_wickets }: Innings, { lang }: MatchView): Html | false {
  const text = CRICKET[lang];
  const falls = fall_of_wickets.map(
    ({ wicket, runs, overs, player_name }, index) =>
      html`${index > 0 && ', '}${runs}/${wicket} (${nameText(player_name, lang)}${overs !== null && `, ${overs}`})`,
  );
  return falls.length > 0 && html`<p class="note">${text.falls}: ${falls}</p>`;
}
