/** Scores, results, scorecards and charts of cricket on the match's page. */
import { strict as assert } from 'node:assert';
import { cricketScore } from '../../../src/web/cricket-score.ts';
import { dismissalText, resultText } from '../../../src/web/match-page/cricket-result.ts';
import { inningsChartsPart } from '../../../src/web/match-page/innings-charts.ts';
import type { MatchView } from '../../../src/web/match-page/match-view.ts';
import { scorecardPart } from '../../../src/web/match-page/scorecard.ts';
import { timelinePart } from '../../../src/web/match-page/timeline.ts';
import type { Innings } from '../../../src/wire/innings.ts';
import type { Incident, MatchItem } from '../../../src/wire/match.ts';

type Period = MatchItem['extra']['period_scores'][number];
type Side = 'home' | 'away';

const period = (
  number: number,
  batting: Side,
  runs: number,
  wickets: number,
  overs: string,
  declared?: true,
): Period => ({
  period: `I${number}`,
  home: batting === 'home' ? runs : 0,
  away: batting === 'away' ? runs : 0,
  innings: { batting, wickets, overs, ...(declared && { declared }) },
});
const item = (status: 'live' | 'finished', periods: Period[], more: object = {}): MatchItem => {
  const sum = (side: Side) => periods.reduce((total, one) => total + (one.period === 'SO' ? 0 : one[side]), 0);
  return {
    sport: 'cricket',
    status,
    status_detail: status === 'live' ? 'in_play' : 'ended',
    participants: [
      { side: 'home', score: sum('home') },
      { side: 'away', score: sum('away') },
    ],
    extra: { period_scores: periods, ...more },
  } as unknown as MatchItem;
};

const innings = (batting: Side, runs: number, wickets: number, more: Partial<Innings> = {}): Innings => ({
  period: batting === 'home' ? 'I1' : 'I2',
  batting,
  runs,
  wickets,
  overs: '20',
  balls_per_over: 6,
  all_out: wickets === 10,
  declared: false,
  forfeited: false,
  max_overs: '20',
  target: null,
  extras: { byes: 1, leg_byes: 0, wides: 2, no_balls: 0, penalty: 0 },
  batters: [],
  bowlers: [],
  fall_of_wickets: [],
  by_over: [],
  ...more,
});

const view = (match: MatchItem, cards: Innings[], lang: 'en' | 'ru' = 'en'): MatchView =>
  ({
    item: match,
    blocks: { innings: cards },
    names: { home: 'North', away: 'South' },
    lang,
    root: './',
  }) as unknown as MatchView;

describe('cricket on pages', () => {
  it('writes a score with wickets and overs while it is played, and after it', () => {
    const live = item('live', [period(1, 'home', 187, 6, '20'), period(2, 'away', 158, 4, '17.2')]);
    assert.equal(cricketScore(live, 'away'), '158/4 (17.2)');
    assert.equal(cricketScore(live, 'home'), '187/6');
    const over = item('finished', [period(1, 'home', 187, 10, '19.3'), period(2, 'away', 188, 4, '17.2')]);
    assert.deepEqual([cricketScore(over, 'home'), cricketScore(over, 'away')], ['187 (19.3)', '188/4 (17.2)']);
  });

  it('writes both innings of a Test match, with overs for the one in play', () => {
    const periods = [
      period(1, 'home', 240, 10, '80'),
      period(2, 'away', 300, 7, '95', true),
      period(3, 'home', 158, 4, '40.2'),
    ];
    const test = item('live', periods);
    assert.deepEqual([cricketScore(test, 'home'), cricketScore(test, 'away')], ['240 & 158/4 (40.2)', '300/7d']);
    assert.equal(cricketScore(item('finished', periods), 'home'), '240 & 158/4');
  });

  it('writes no wickets for other sports, and for innings whose state is not known', () => {
    assert.equal(cricketScore({ ...item('live', [period(1, 'home', 3, 1, '1')]), sport: 'baseball' }, 'home'), null);
    assert.equal(cricketScore(item('live', [{ period: 'I1', home: 12, away: 0 }]), 'home'), null);
  });

  it('says how a match ended', () => {
    const first = innings('home', 214, 4);
    const result = (winner: string | undefined, cards: Innings[], lang?: 'ru') =>
      resultText(
        view(
          item(
            'finished',
            [period(1, 'home', cards[0]!.runs, 4, '20'), period(2, 'away', cards[1]!.runs, 5, '15')],
            winner ? { winner } : {},
          ),
          cards,
          lang,
        ),
      );
    const target = { runs: 171, overs: '15', method: 'D/L' };
    assert.equal(result('away', [first, innings('away', 171, 5, { target })]), 'South won by 5 wickets (D/L)');
    assert.equal(result('home', [first, innings('away', 163, 5, { target })]), 'North won by 7 runs (D/L)');
    assert.equal(result(undefined, [first, innings('away', 213, 5)]), 'North won by 1 run');
    assert.equal(result(undefined, [first, innings('away', 192, 5)], 'ru'), 'Победа: North, 22 рана');
    assert.equal(result(undefined, [first, innings('away', 214, 5)]), 'Match tied');
  });

  it('says that a match was drawn, or won by an innings', () => {
    const cards = [innings('home', 500, 4), innings('away', 200, 10), innings('away', 254, 10, { period: 'I3' })];
    const periods = [
      period(1, 'home', 500, 4, '120'),
      period(2, 'away', 200, 10, '60'),
      period(3, 'away', 254, 10, '80'),
    ];
    assert.equal(resultText(view(item('finished', periods), cards)), 'North won by an innings and 46 runs');
    assert.equal(resultText(view(item('finished', periods, { winner: 'draw' }), cards)), 'Match drawn');
    assert.equal(resultText(view(item('live', periods), cards)), null);
  });

  it('says how a batter was out', () => {
    const out = (kind: string, fielders: string[] = []) =>
      dismissalText({ kind, bowler: 'Bowler', fielders }, 'en').text;
    assert.equal(out('caught', ['Keeper']), 'c Keeper b Bowler');
    assert.equal(out('caught_and_bowled'), 'c &amp; b Bowler');
    assert.equal(out('run_out', ['One', 'Two']), 'run out (One/Two)');
    assert.equal(out('run_out'), 'run out');
    assert.equal(out('a_new_way'), 'a new way');
    assert.equal(
      dismissalText({ kind: 'lbw', bowler: 'Bowler', fielders: [] }, 'ru').text,
      'нога перед калиткой, боулер <span lang="en">Bowler</span>',
    );
  });

  it('lists fours and sixes in the timeline behind a choice, which no other match has', () => {
    const incident = (id: number, kind: string) =>
      ({
        id,
        kind,
        side: 'home',
        player_name: 'A One',
        minute: null,
        minute_plus: null,
        payload: {},
      }) as unknown as Incident;
    const timeline = (incidents: Incident[], lang: 'en' | 'ru' = 'en') => {
      const shown = view(item('finished', []), [], lang);
      return timelinePart({ ...shown, blocks: { ...shown.blocks, incidents } }).text;
    };
    const boundaries = [incident(1, 'boundary'), incident(2, 'wicket'), incident(3, 'boundary')];
    assert.match(
      timeline(boundaries),
      /<input type="checkbox"> Show fours and sixes \(2\)<\/label>\n<ol class="timeline"/u,
    );
    assert.match(timeline(boundaries, 'ru'), /Показать четвёрки и шестёрки \(2\)/u);
    assert.doesNotMatch(timeline([incident(2, 'wicket')]), /checkbox/u);
  });

  it('shows a scorecard with batting, extras, falls and bowling', () => {
    const card = innings('home', 30, 1, {
      batters: [
        {
          player_name: 'A <One>',
          runs: 25,
          balls: 20,
          fours: 4,
          sixes: 0,
          dismissal: { kind: 'bowled', bowler_name: 'B One', fielder_names: [] },
        },
        { player_name: 'A Two', runs: 2, balls: 3, fours: 0, sixes: 0, dismissal: null },
      ],
      bowlers: [{ player_name: 'B One', overs: '3.3', maidens: 1, runs: 14, wickets: 1, wides: 2, no_balls: 0 }],
      fall_of_wickets: [{ wicket: 1, runs: 28, overs: '3.1', player_name: 'A One' }],
      target: { runs: 31, overs: '20', method: null },
    });
    const text = scorecardPart(view(item('finished', []), [card]))
      .text.replace(/<[^>]+>/gu, ' ')
      .replace(/\s+/gu, ' ');
    assert.match(text, /North 30\/1 \(20 overs\) Target 31 in 20 overs/u);
    assert.match(text, /A &lt;One&gt; b B One 25 20 4 0 125\.00/u);
    assert.match(text, /A Two not out 2 3 0 0 66\.67/u);
    assert.match(text, /Extras b 1, w 2 3/u);
    assert.match(text, /Fall of wickets: 28\/1 \(A One, 3\.1\)/u);
    assert.match(text, /B One 3\.3 1 14 1 4\.00/u);
  });

  it('draws a line for each innings and a dot for each wicket, and bars only if there are few overs', () => {
    const overs = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ runs: 6, wickets: index === 2 ? 1 : 0 }));
    const charts = inningsChartsPart(
      view(item('finished', []), [
        innings('home', 30, 1, { by_over: overs(5) }),
        innings('away', 24, 1, { by_over: overs(4) }),
      ]),
    ).text;
    assert.equal(charts.match(/class="worm (home|away)"/gu)?.length, 2);
    assert.equal(charts.match(/<rect/gu)?.length, 9);
    const long = inningsChartsPart(view(item('finished', []), [innings('home', 30, 1, { by_over: overs(90) })])).text;
    assert.equal(long.match(/<rect/gu), null);
    assert.ok(!inningsChartsPart(view(item('finished', []), [])).text.includes('<svg'));
  });
});
