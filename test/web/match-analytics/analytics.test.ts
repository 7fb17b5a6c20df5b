import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ratingBlock } from '../../../src/analytics/cards/rating-block.ts';
import { computeForm } from '../../../src/analytics/form/rates-and-streaks.ts';
import { percentText } from '../../../src/site/texts/analytics.ts';
import { SPORTS } from '../../../src/sports/sports.ts';
import { analyticsPart, noAnalytics } from '../../../src/web/match-analytics/analytics-parts.ts';
import type { PageCard, ReadCard } from '../../../src/web/match-analytics/load-card.ts';
import type { MatchView } from '../../../src/web/match-page/match-view.ts';
import { sampleCard } from './analytics-card.ts';

const HOSTILE = `<img src=x onerror="hacked()">'"&</b><script>hacked()</script>`;
const PARTS = ['forecast', 'meetings', 'form', 'standing', 'trends', 'disclaimer'] as const;

type State = { detail?: string; score?: [number, number] };

/** Makes the fields of a match that these parts read: status, scores, names. */
function viewOf({ detail = 'not_started', score }: State = {}, lang: 'en' | 'ru' = 'en', names?: MatchView['names']) {
  const status = { not_started: 'scheduled', in_play: 'live' }[detail] ?? 'finished';
  const participants = (['home', 'away'] as const).map((side, index) => ({
    side,
    participant_id: index + 1,
    name: side,
    score: score?.[index] ?? null,
  }));
  const item = { id: 7, sport: 'football', status, status_detail: detail, participants, extra: { period_scores: [] } };
  return {
    item,
    lang,
    names: names ?? { home: 'Northern Lights', away: 'Harbour Town' },
    root: '../',
  } as unknown as MatchView;
}

/** Renders the parts, with ordinary spaces instead of non-breaking ones. */
const render = (card: ReadCard, view = viewOf()) =>
  PARTS.map((id) => analyticsPart(id, card, view).text)
    .join('')
    .replaceAll('\u00a0', ' ');
const part = (text: string, id: string) => text.slice(text.indexOf(`id="${id}"`)).split(/<section id=/)[0]!;
const textOf = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

describe('pre-match analytics on the match page', () => {
  const card = sampleCard('en');

  it('have each part once before the start', () => {
    const text = render(card);
    for (const id of PARTS) assert.equal(text.split(`id="${id}"`).length, 2, id);
    assert.doesNotMatch(text, /hidden><\/section>|before the match|undefined|NaN|null|\[object/);
    assert.doesNotMatch(text, /\sstyle=|\son\w+=|<script/, 'which the policy would refuse');
  });

  it('are left out without a message if the match has none', () => {
    const text = render(null);
    assert.equal(textOf(text).trim(), '');
    const places = [...text.matchAll(/<section id="(\w+)" hidden><\/section>/g)].map(([, id]) => id);
    assert.deepEqual(places, PARTS);
  });

  for (const [reason, message] of [
    ['late', 'This takes longer than usual. It appears here as soon as it is ready.'],
    ['loading', 'The history of matches is being loaded. Analytics will appear when that is done.'],
  ] as const)
    it(`are announced by placeholders that the script fills if they are ${reason}`, () => {
      const text = render(reason);
      const pending = [...text.matchAll(/<section id="(\w+)" class="panel" data-pending>/g)].map(([, id]) => id);
      assert.deepEqual(pending, ['forecast', 'meetings']);
      assert.equal(textOf(text).trim(), `Forecast ${message} Earlier meetings ${message}`);
    });

  it('are replaced by a note if neither meetings nor form are known', () => {
    const text = 'Neither earlier meetings nor recent matches of the two sides are known.';
    const noForm = { form: computeForm([], 1) };
    const bare: PageCard = { ...card, home: { ...card.home, ...noForm }, away: { ...card.away, ...noForm } };
    const noMeetings = { h2h: { ...card.h2h, matches: 0, recent: [] } };
    for (const one of [null, { ...bare, ...noMeetings }])
      assert.equal(textOf(noAnalytics(one, viewOf()).text).trim(), text);
    for (const one of [card, bare, { ...card, ...noMeetings }, 'late', 'loading'] as const)
      assert.equal(textOf(noAnalytics(one, viewOf()).text).trim(), '');
  });

  it('are replaced part by part by the page’s script', () => {
    const script = readFileSync(new URL('../../../src/web/assets/match.js', import.meta.url), 'utf8');
    const replaced = /const PARTS = \[([^;]*)\];/.exec(script)![1]!;
    for (const id of PARTS) assert.ok(replaced.includes(`'${id}'`), id);
  });

  it('leave out a part without data, and keep the rest', () => {
    const noForm = { form: computeForm([], 1), standing: null };
    const bare: PageCard = {
      ...card,
      home: { ...card.home, ...noForm },
      away: { ...card.away, ...noForm },
      h2h: { ...card.h2h, matches: 0, recent: [] },
      model: null,
      trends: [],
    };
    const text = render(bare);
    for (const id of PARTS) assert.ok(text.includes(`<section id="${id}" hidden></section>`), id);
    assert.equal(textOf(text).trim(), '');
    const without: [id: string, one: PageCard][] = [
      ['forecast', { ...card, model: null }],
      ['meetings', { ...card, h2h: bare.h2h }],
      ['trends', { ...card, trends: [] }],
    ];
    for (const [id, one] of without) {
      const some = render(one);
      assert.deepEqual(
        PARTS.filter((other) => some.includes(`<section id="${other}" hidden>`)),
        [id],
      );
    }
  });

  it('show the model’s figures, the calibrated model first and the basic model for comparison', () => {
    const forecast = textOf(part(render(card), 'forecast'));
    assert.match(forecast, /^[^%]*Forecast 71 % Northern Lights 18 % Draw 10 % Harbour Town/);
    assert.match(forecast, /Expected goals 2\.21 0\.74/);
    assert.match(forecast, /Over 2\.5 goals 56 %.*Both teams score 47 %/);
    const { home_win, draw, away_win } = card.model.probabilities;
    const basic = `Northern Lights ${Math.round(home_win)} %, draw ${Math.round(draw)} %, Harbour Town ${Math.round(away_win)} %`;
    assert.ok(forecast.includes(`How it compares Basic model ${basic}`), forecast);
    assert.equal(forecast.match(/Likely scores/g)!.length, 2, 'of both models');
    for (const { score } of card.model.likely_scorelines) assert.ok(forecast.includes(` ${score} `), score);
    const { calibrated: _, ...plain } = card.model;
    const alone = textOf(part(render({ ...card, model: plain }), 'forecast'));
    assert.doesNotMatch(alone, /How it compares|[Bb]asic model/);
    assert.ok(alone.includes(`Forecast ${Math.round(home_win)} % Northern Lights`), alone);
    assert.match(alone, /Likely scores /);
  });

  it('show shares as bars that are hidden from screen readers', () => {
    const forecast = part(render(card), 'forecast');
    assert.match(forecast, /<svg class="share"[^>]*aria-hidden="true"><rect class="home" x="0" y="0" width="71\.42"/);
    assert.match(
      forecast,
      /<rect class="level" x="71\.42" y="0" width="18\.31"[^>]*\/><rect class="away" x="89\.73" y="0" width="10\.27"/,
    );
  });

  it('have a form strip with letters, the newest on the left, with text alternatives and links', () => {
    const form = part(render(card), 'form');
    const [home] = form.split('data-side="away"');
    const [newest] = card.home.recent!;
    const letters = [...home!.matchAll(/<span aria-hidden="true">([WDL])<\/span>/g)].map(([, letter]) => letter);
    assert.equal(letters.join(''), card.home.form.overall.form);
    const name = { W: 'Win', D: 'Draw', L: 'Loss' }[letters[0] as 'W'];
    const day = new Date(`${newest!.date}T00:00:00Z`).getUTCDate();
    assert.match(
      home!,
      new RegExp(
        `<a href="../match/${newest!.id}"><span aria-hidden="true">${letters[0]}</span><span class="hidden">${name}, ${day} [A-Z][a-z]+ \\d{4}, ${newest!.opponent}, ${newest!.score}</span>`,
      ),
    );
    assert.match(home!, /<ol class="strip" aria-label="Latest matches of Northern Lights, the newest first">/);
    const { w, d, l } = card.home.form.home;
    const nouns = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
    assert.ok(
      textOf(home!).includes(
        `At home: ${nouns(w, 'win', 'wins')}, ${nouns(d, 'draw', 'draws')}, ${nouns(l, 'loss', 'losses')}`,
      ),
    );
  });

  it('leave out home and away records for a match at a neutral venue', () => {
    const form = (neutral: boolean) => textOf(part(render({ ...card, neutral }), 'form'));
    assert.match(form(false), /At home: .* Away: /);
    assert.doesNotMatch(form(true), /At home|Away:/);
  });

  it('mention home and away in the note on the basic model only if the venue is not neutral', () => {
    const forecast = (neutral: boolean) => textOf(part(render({ ...card, neutral }), 'forecast'));
    assert.match(forecast(false), /one at home and the other away\./);
    assert.match(forecast(true), /does not know that the venue is neutral\./);
    assert.doesNotMatch(forecast(true), /at home/);
  });

  it('name the outcomes in a form strip even without match data', () => {
    const { recent: _, ...home } = card.home;
    const form = part(render({ ...card, home }), 'form').split('data-side="away"')[0]!;
    assert.doesNotMatch(form, /<a /);
    assert.match(
      form,
      /<li class="win" title="Win"><span aria-hidden="true">W<\/span><span class="hidden">Win<\/span>/,
    );
  });

  it('show the form without a comparison if only one side has matches', () => {
    const form = part(render({ ...card, away: { ...card.away, form: computeForm([], 12) } }), 'form');
    assert.equal(form.split('class="strip"').length, 2);
    assert.doesNotMatch(form, /class="figures"|Harbour Town/);
  });

  it('leave out cards per match if they are unknown', () => {
    assert.match(render(card), /Cards per match/);
    const away = { ...card.away, discipline: { matches: 0, cards_avg: null } };
    assert.doesNotMatch(render({ ...card, away }), /Cards per match/);
  });

  it('have head-to-head counts and the latest matches, with the home side first', () => {
    const h2h = {
      matches: 5,
      team_a_wins: 3,
      draws: 1,
      team_b_wins: 1,
      goals_avg: 2.8,
      over_2_5: 60,
      btts: 40,
      recent: [
        { date: '2025-05-04', score: '2:1', home: 'team_b' as const },
        { date: '2024-11-30', score: '3:0', home: 'team_a' as const },
      ],
    };
    const meetings = textOf(part(render({ ...card, h2h }), 'meetings'));
    assert.match(meetings, /3 wins Northern Lights 1 draw 1 win Harbour Town/);
    assert.match(
      meetings,
      /4 May 2025 Harbour Town – Northern Lights 2:1 30 Nov 2024 Northern Lights – Harbour Town 3:0/,
    );
    assert.match(meetings, /Goals per match 2\.80 Over 2\.5 goals 60 % Both teams scored 40 %/);
    assert.match(
      textOf(part(render({ ...card, h2h }, viewOf({}, 'ru')), 'meetings')),
      /3 победы Northern Lights 1 ничья 1 победа Harbour Town.*04\.05\.2025/,
    );
  });

  it('list rows in the table’s order, with full names for the short columns', () => {
    const standing = part(render(card), 'standing');
    assert.match(textOf(standing), /# Team P Goals Pts 2 Northern Lights 22 58:17 51 12 Harbour Town 22 19:54 11/);
    assert.match(standing, /<abbr title="Points">Pts<\/abbr>/);
    const swapped = { ...card, home: { ...card.home, standing: { ...card.home.standing!, position: 13 } } };
    assert.match(textOf(part(render(swapped), 'standing')), /Harbour Town .*Northern Lights/);
    const one = textOf(part(render({ ...card, away: { ...card.away, standing: null } }), 'standing'));
    assert.ok(one.includes('Northern Lights') && !one.includes('Harbour Town'));
  });

  it('list trends by side, in the given order', () => {
    const trends = part(render(card), 'trends');
    assert.ok(card.trends.length > 1);
    let at = 0;
    for (const { label, detail } of card.trends) {
      const found = trends.indexOf(`<b>${label}</b> <span class="more">${detail.replaceAll('\u00a0', ' ')}</span>`);
      assert.ok(found > at, label);
      at = found;
    }
    const homeOnly = part(render({ ...card, trends: card.trends.filter(({ side }) => side === 'home') }), 'trends');
    assert.doesNotMatch(homeOnly, /Harbour Town/);
  });

  it('show the figures next to the result after the match', () => {
    const view = viewOf({ detail: 'ended', score: [2, 0] });
    const text = textOf(render(card, view));
    for (const title of ['Forecast', 'Form', 'Table', 'Trends'])
      assert.ok(text.includes(`${title} before the match`), title);
    assert.match(text, /71 % Northern Lights ✓ happened 18 % Draw 10 % Harbour Town Expected goals/);
    assert.match(text, /Expected goals 2\.21 0\.74 Goals scored 2 0/);
    assert.match(text, /Over 2\.5 goals 56 % did not happen Both teams score 47 % did not happen/);
    assert.match(text, /2:0 \d+ % ✓ happened/);
    const draw = textOf(render(card, viewOf({ detail: 'after_penalties', score: [2, 2] })));
    assert.match(draw, /18 % Draw ✓ happened 10 % Harbour Town Expected/);
    assert.match(draw, /Over 2\.5 goals 56 % ✓ happened Both teams score 47 % ✓ happened/);
    assert.match(textOf(render(card, viewOf({ detail: 'ended', score: [0, 3] }))), /10 % Harbour Town ✓ happened/);
  });

  it('say in a sport that plays on until somebody wins how likely a level score after regulation is', () => {
    const hockey = (detail: string) => {
      const view = viewOf({ detail, score: [3, 2] });
      return textOf(render(card, { ...view, item: { ...view.item, sport: 'ice-hockey' } }));
    };
    assert.match(hockey('ended'), /71 % Northern Lights ✓ happened 18 % Level after regulation 10 % Harbour Town/);
    assert.match(hockey('after_extra_time'), /71 % Northern Lights 18 % Level after regulation ✓ happened 10 %/);
  });

  it('show no comparison during a match, and after an abandoned one', () => {
    for (const [detail, score] of [
      ['in_play', [1, 0]],
      ['abandoned', [1, 0]],
      ['awarded', [3, 0]],
      ['cancelled', undefined],
    ] as [string, [number, number] | undefined][]) {
      const text = textOf(render(card, viewOf({ detail, ...(score && { score }) })));
      assert.match(text, /Forecast before the match/, detail);
      assert.doesNotMatch(text, /happen|Goals scored (?!per)/, detail);
    }
  });

  it('show goals over 2.5 and clean sheets only in sports that count them', () => {
    const text = textOf(render({ ...card, sport: 'basketball', model: null }));
    assert.doesNotMatch(text, /2\.5|Goals|Clean sheets|Shutouts|Cards|Both teams/);
    assert.match(textOf(render({ ...card, sport: 'ice-hockey' })), /Shutouts.*Goals/);
    assert.doesNotMatch(textOf(render({ ...card, sport: 'ice-hockey', trends: [] })), /Over 2\.5/);
  });

  it('speak of goals, cards and clean sheets only in sports that have them', () => {
    for (const { slug, unit, incidents, page } of SPORTS) {
      const shown = { ...card, sport: slug, model: null, calibrated: null, trends: [] };
      const english = textOf(render(shown)).replace('Clean sheets', 'No goals');
      const russian = textOf(render(shown, viewOf({}, 'ru')));
      assert.equal(/goal/i.test(english), unit === 'goals', `${slug}: ${english}`);
      assert.equal(/(?<![а-я])гол(?:ов|ы)/i.test(russian), unit === 'goals', `${slug}: ${russian}`);
      assert.equal(/Cards per match/.test(english), incidents.includes('card'), slug);
      assert.equal(/No goals|Shutouts/.test(english), page.cleanSheets, slug);
    }
    const tennis = { ...card, sport: 'tennis', model: null, calibrated: null, trends: [] };
    assert.match(textOf(render(tennis)), /Sets won per match .* Sets lost per match/);
    assert.match(textOf(render(tennis, viewOf({}, 'ru'))), /Выиграно сетов за матч .* Проиграно сетов за матч/);
  });

  it('show the rating, and points instead of goals, in a sport without a goal model', () => {
    const block = ratingBlock('basketball', false, {
      home: 1650,
      away: 1500,
      home_matches: 90,
      away_matches: 80,
      home_advantage: null,
      rest: null,
    });
    const basketball = { ...card, sport: 'basketball', model: null, rating: block, trends: [] };
    const text = textOf(render(basketball));
    assert.match(text, /78 % \S.* 22 %/);
    assert.match(text, /Elo rating 1,650 1,500 Rated matches 90 80 Playing at home is worth 70 points/);
    assert.match(text, /Table points per match/);
    assert.match(text, /Points per match \d/);
    assert.doesNotMatch(text, /goal|clean sheet/iu);
    assert.doesNotMatch(textOf(part(render(basketball), 'meetings')), /draws/u);
    assert.doesNotMatch(text, /assumptions/u);
    assert.match(textOf(render({ ...basketball, rating: { ...block!, parameters: 'assumed' } })), /are assumptions/u);
    const neutral = textOf(render({ ...basketball, rating: { ...block!, home_advantage: 0 } }));
    assert.match(neutral, /Nobody plays at home/);
    const russian = textOf(render(basketball, viewOf({}, 'ru')));
    assert.match(russian, /Рейтинг Эло 1 650 1 500 .*Игра дома даёт 70 очков/);
    assert.doesNotMatch(russian, /голов|голы|мяч/iu);
    // American football has draws, and its tables are ordered by win percentage.
    const american = textOf(render({ ...basketball, sport: 'american-football' }));
    assert.match(american, /Matches won \d+ % \d+ %/);
    assert.doesNotMatch(american, /Pts|Table points|goal/u);
    assert.match(american, /draws/);
    const over = textOf(part(render(basketball, viewOf({ detail: 'ended', score: [90, 80] })), 'forecast'));
    assert.match(over, /78 % .*happened/);
  });

  it('mark a match decided on penalties, which counts as a draw in football only', () => {
    const recent = [{ ...card.home.recent![0]!, score: '1:1', shootout: true }];
    const h2h = { ...card.h2h, recent: [{ ...card.h2h.recent[0]!, score: '2:2', shootout: true as const }] };
    const decided = { ...card, home: { ...card.home, recent }, h2h };
    const text = textOf(render(decided));
    assert.match(text, /1:1 \(pens\)/);
    assert.match(text, /2:2 pens/);
    assert.match(text, /Matches decided on penalties count as draws\./);
    assert.doesNotMatch(textOf(render({ ...decided, sport: 'ice-hockey' })), /count as draws/);
    assert.doesNotMatch(textOf(render(card)), /count as draws|pens/);
  });

  it('have a Russian form for every text', () => {
    const names = { home: 'Север', away: 'Порт' };
    const text = textOf(render(sampleCard('ru', names), viewOf({ detail: 'ended', score: [2, 0] }, 'ru', names)));
    assert.doesNotMatch(text.replace(/Team \d+|Test League/g, ''), /[A-Za-z]{2,}/);
    assert.match(text, /2,21.*Вероятный счёт/);
  });

  it('escape names and texts', () => {
    const names = { home: HOSTILE, away: `${HOSTILE}2` };
    const hostile: PageCard = {
      ...sampleCard('en', names),
      disclaimer: HOSTILE,
      trends: [{ label: HOSTILE, detail: HOSTILE, side: 'home' }],
      home: {
        ...card.home,
        recent: card.home.recent!.map((match) => ({ ...match, opponent: HOSTILE, score: HOSTILE })),
      },
    };
    const text = render(hostile, viewOf({ detail: 'ended', score: [1, 0] }, 'en', names));
    assert.ok(text.includes('&lt;img src=x onerror=&quot;hacked()&quot;&gt;&#39;&quot;&amp;'));
    assert.doesNotMatch(text, /<img|<script|"hacked/);
  });

  it('never show 0 % for a possible outcome, or 100 % for an uncertain one', () => {
    assert.deepEqual(
      [0, 0.2, 0.5, 50.4, 99.6, 100].map((percent) => percentText(percent).replaceAll('\u00a0', ' ')),
      ['0 %', '< 1 %', '1 %', '50 %', '> 99 %', '100 %'],
    );
  });
});
