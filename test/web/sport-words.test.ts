/** Walks through a match page, a team page and a league page of each sport, and refuses words that belong to other sports. */
import assert from 'node:assert/strict';
import { recordedSports, shippedRecording, sportRecording } from '../../src/demo/recording.ts';
import type { Lang } from '../../src/http/route.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { latinTexts } from '../support/latin-words.ts';
import { createHarness, type Harness, type Site } from './site.ts';

type Match = Partial<MatchUpdateInput['match']>;

const FOOTBALL = ['football', 'futsal'];
const HALVES = [...FOOTBALL, 'handball', 'rugby'];
const QUARTERS = ['basketball', 'american-football', 'aussie-rules'];
const GOALS = [...FOOTBALL, 'handball', 'ice-hockey', 'aussie-rules'];

/** Words, and the sports to which they belong. Pages of all other sports must not have them. */
const WORDS: readonly (readonly [words: RegExp, sports: readonly string[]])[] = [
  [/kick-?off/i, [...FOOTBALL, 'rugby', 'american-football']],
  [/throw-off/i, ['handball']],
  [/face-off(?!s won)/i, ['ice-hockey']],
  [/tip-off/i, ['basketball']],
  [/first pitch/i, ['baseball']],
  [/first bounce/i, ['aussie-rules']],
  [/start of play/i, ['cricket']],
  [/full time/i, [...HALVES, 'aussie-rules']],
  [/half-time|большой перерыв/i, [...HALVES, ...QUARTERS]],
  [/\bHT\b|(?<![а-яё])тайм/i, HALVES],
  [/extra time|доп\. время/i, [...HALVES, 'aussie-rules']],
  [/overtime|овертайм|\bOT\b/i, ['basketball', 'ice-hockey', 'american-football']],
  [/\bgoals?\b|(?<![а-яё-])гол(?:ы|ов|а)?(?![а-яё])/i, GOALS],
  [/own goal|автогол/i, FOOTBALL],
  [/clean sheet|матчи на ноль/i, ['football']],
  [/shutout|сухие матчи/i, ['ice-hockey']],
  [/yellow card|red card|жёлт|красн/i, [...HALVES]],
  [/\bpenalt(?:y|ies)\b|пенальти/i, [...FOOTBALL, 'rugby']],
  [/penalty (?:shot|minutes)|буллит|штрафные минуты|шайб/i, ['ice-hockey']],
  [/\b7-metre|7-метров|с 7 метров/i, ['handball']],
  [/\bVAR\b/, FOOTBALL],
  [/\bruns?\b|(?<![а-яё-])ран(?:ы|ов|а)?(?![а-яё])/i, ['baseball', 'cricket']],
  [/\binning\b|иннинг(?!с)/i, ['baseball']],
  [/\binnings (?:\d|break)|by innings|иннингс|\bwickets?\b|калитк|\bover \d|овер(?:ы|ов)? ?\d/i, ['cricket']],
  [/\bquarter\b|четверт/i, QUARTERS],
  [/\bperiod \d|\d-го периода/i, ['ice-hockey']],
  [/\bset \d|\bsets\b|сет(?:ы|а|ов|ам)(?![а-яё])/i, ['tennis', 'volleyball']],
  [/(?<![а-яё])сет(?:ы|а|ов|ам)(?![а-яё])/i, ['tennis']],
  [/парти(?:и|й|ям|я)(?![а-яё])/i, ['volleyball', 'table-tennis']],
  [/\bgame \d|\bgames\b/i, ['table-tennis', 'tennis']],
  [/\bframes?\b|фрейм|break of|брейк/i, ['snooker']],
  [/\blegs?\b|(?<![а-яё])лег(?:и|а|ов)(?![а-яё])|checkout|чекаут/i, ['darts']],
  [/: round \d|раунд/i, ['mma']],
  [/\bmaps?\b|(?<![а-яё])карт(?:а|ы|ам)(?![а-яё])/i, ['esports']],
  [/(?<![а-яё])стадион/i, [...FOOTBALL, 'rugby', 'american-football', 'aussie-rules', 'baseball', 'cricket']],
  [/\+5, try|\bTries\b|[Пп]опытк/, ['rugby']],
  [/touchdown|тачдаун|first down|first downs/i, ['american-football']],
];
/** Terms with a word of another sport in them, by sport. */
const TERMS: Record<string, RegExp> = {
  'american-football': /field goals?|филд-гол\w*/gi,
  rugby: /(?:penalty|drop) goals?|(?:штрафные|дроп-гол)[а-я]*/gi,
  'ice-hockey': /penalty (?:shots?|minutes)|штрафные минуты/gi,
  baseball: /home runs?|хоум-ран[а-я]*/gi,
};
/** Signs of incidents that belong to some sports alone. */
const SIGNS: readonly (readonly [sign: string, sports: readonly string[]])[] = [
  ['card-', HALVES],
  ['ball', [...FOOTBALL, 'handball']],
  ['puck', ['ice-hockey']],
  ['basketball', ['basketball']],
  ['oval', ['rugby', 'american-football', 'aussie-rules']],
  ['run', ['baseball', 'cricket']],
  ['wicket', ['cricket']],
  ['suspension', ['ice-hockey', 'handball', 'rugby']],
];
/** What the pages of a match say: what begins it, how it is called when it is over, and how a period ends. */
const EXPECTED: Record<string, Record<Lang, readonly string[]>> = {
  football: {
    en: ['Kick-off', 'After penalties', 'End: second half', '4:2 pens'],
    ru: ['Начало', 'По пенальти', 'Конец второго тайма', '4:2 пен.'],
  },
  futsal: { en: ['Kick-off', 'Full time', 'HT 1:1'], ru: ['Зал Dockside Hall', '1-й тайм 1:1'] },
  handball: { en: ['Throw-off', 'Full time', '(7 m)', '2 min, foul'], ru: ['(7 м)', '2 мин, фол', 'Броски 28'] },
  'ice-hockey': {
    en: ['Face-off', 'After a shoot-out', '1:2 SO', 'End: period 3', '2 min, tripping'],
    ru: ['Арена Elk Rink', 'По буллитам', '1:2 бул.', 'Конец 3-го периода', '2 мин, подножка'],
  },
  basketball: {
    en: ['Tip-off', 'After overtime', 'Score by quarter 1 2 3 4 OT Total', 'End: quarter 4'],
    ru: ['Арена Lantern Hall', 'В овертайме', 'Счёт по четвертям 1 2 3 4 ОТ Итого', 'Конец овертайма'],
  },
  'american-football': { en: ['Kick-off', 'Final', '+6, touchdown'], ru: ['Счёт по четвертям', '+6, тачдаун'] },
  'aussie-rules': { en: ['First bounce', 'Full time', 'Interchange', '+1, behind'], ru: ['+1, бихайнд'] },
  rugby: { en: ['Kick-off', 'Full time', '+5, try', '10 min'], ru: ['+5, попытка', '10 мин', 'Неточный штрафной'] },
  baseball: {
    en: ['First pitch', 'Final', 'Runs by inning 1 2 3 4 5 6 7 8 9 Runs R Hits H Errors E', 'End: inning 9'],
    ru: ['Раны по иннингам 1 2 3 4 5 6 7 8 9 Раны Р Хиты Х Ошибки О', 'Конец 9-го иннинга'],
  },
  cricket: {
    en: [
      '163/4 (20) : 167/5 (15)',
      'Result',
      'Runs by innings 1 2 Runs R',
      '163/4 – 163',
      'Wicket',
      '+9, over 15',
      'Start of play',
    ],
    ru: ['Раны по иннингсам 1 2 Раны Р', 'Калитка', 'Конец 2-го иннингса'],
  },
  tennis: {
    en: ['Finished', 'Games by set 1 2 3 Sets won Sets', '7:6 (2:1)'],
    ru: ['Геймы по сетам', 'Конец 3-го сета 7:6 (2:1)'],
  },
  'table-tennis': {
    en: ['Points by game 1 2 3 4 Games won Games'],
    ru: ['Очки по партиям', 'Конец 4-й партии 11:4 (3:1)'],
  },
  volleyball: {
    en: ['Points by set 1 2 3 4 5 Sets won Sets'],
    ru: ['Очки по партиям', 'Конец 5-й партии 14:16 (2:3)'],
  },
  snooker: { en: ['End: frame 3 76:0 (1:2), break of 76'], ru: ['Конец 3-го фрейма 76:0 (1:2), брейк 76'] },
  darts: { en: ['End: leg 9 3:6, checkout 34'], ru: ['Конец 9-го лега 3:6, чекаут 34'] },
  mma: { en: ['W : L', 'Method KO/TKO', 'End: round 3'], ru: ['В : П', 'Способ победы нокаут', 'Конец 3-го раунда'] },
  esports: {
    en: ['Score by map 1 2 3 4 5 Maps won Maps', 'End: map 5 4:13 (2:3)'],
    ru: ['Конец 5-й карты 4:13 (2:3)'],
  },
};
/** What a league page offers as leaders. Sports that are not here have no leaders. */
const LEADERS: Record<string, Record<Lang, string>> = {
  cricket: { en: 'Runs', ru: 'Раны' },
  football: { en: 'Goals Assists', ru: 'Голы Передачи' },
  futsal: { en: 'Goals Assists', ru: 'Голы Передачи' },
  handball: { en: 'Goals Assists 7-metre goals', ru: 'Голы Передачи Голы с 7 метров' },
  'ice-hockey': { en: 'Goals Assists Points Shutouts Matches', ru: 'Шайбы Передачи Очки (гол+пас) Сухие матчи Матчи' },
  basketball: { en: 'Points Assists Matches', ru: 'Очки Передачи Матчи' },
  rugby: { en: 'Points Yellow cards', ru: 'Очки Жёлтые карточки' },
  'american-football': { en: 'Points Matches', ru: 'Очки Матчи' },
  baseball: { en: 'Runs Matches', ru: 'Раны Матчи' },
};
/** How a match is called in the first break of its recording, and the state of a live match if it is not the minute. */
const LIVE: Record<string, readonly [breakEn: string, state?: string]> = {
  football: ['Half-time'],
  futsal: ['Half-time'],
  handball: ['Half-time'],
  rugby: ['Half-time'],
  'ice-hockey': ['Intermission'],
  basketball: ['Break'],
  'american-football': ['Break'],
  'aussie-rules': ['Quarter time'],
  baseball: ['Between innings', 'Inning 1'],
  cricket: ['Innings break', 'Innings 1'],
  tennis: ['Between sets', 'Set 1'],
  'table-tennis': ['Between games', 'Game 1'],
  volleyball: ['Between sets', 'Set 1'],
  snooker: ['Between frames', 'Frame 1'],
  darts: ['Between legs', 'Leg 1'],
  mma: ['Between rounds', 'Round 1'],
  esports: ['Between maps', 'Map 1'],
};

/** The text that readers see or hear, without names that the recording has invented. */
function visibleText(page: string): string {
  const main = page.slice(page.indexOf('<main'), page.indexOf('<noscript>'));
  return main
    .replace(/<[^>]*(?:title|aria-label)="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');
}

describe('every sport has its own words', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => Date.parse('2026-11-22T12:00:00Z') } });
  });
  after(() => harness.drop());

  const get = async (path: string) => {
    const reply = await fetch(`${site.url}/${path}`);
    assert.equal(reply.status, 200, path);
    return reply.text();
  };
  /** Returns the pages of the tabs to which a page links, in the page's language. */
  const otherTabs = async (page: string): Promise<string[]> => {
    const lang = /<html lang="(\w\w)"/.exec(page)![1]!;
    const tabs = page
      .split('id="tabs"')[1]!
      .split('</nav>')[0]!
      .matchAll(/href="(?:\.\.\/)+([^"]+\?tab=[^"]+)"/g);
    return Promise.all([...tabs].map(([, path]) => get(`${path}&lang=${lang}`)));
  };
  const states = async (sport: string): Promise<Match[]> => {
    const recording =
      sport === 'football' ? await shippedRecording('world-cup-final-2022') : await sportRecording(sport);
    return recording.map(({ update }) => {
      const { id: _, ...match } = update.match;
      return { ...match, season: { label: '2026' } } as Match;
    });
  };
  /** Removes the names of sport, league, sides and round, in which any word may be. */
  const withoutNames = (text: string, match: Match) => {
    const names = [match.tournament, match.home, match.away, match.venue].flatMap((one) => {
      const { name, name_ru, city } = (one ?? {}) as Record<string, string | undefined>;
      return [name_ru, name, city].filter((value) => value !== undefined);
    });
    return [...names, 'Round 1', '1-й тур'].reduce((left, name) => left.replaceAll(name, ' '), text);
  };
  const refuseOtherWords = (sport: string, page: string, match: Match, where: string) => {
    const own = TERMS[sport];
    const text = withoutNames(visibleText(page), match);
    const shown = own === undefined ? text : text.replace(own, ' ');
    for (const [words, sports] of WORDS)
      if (!sports.includes(sport))
        assert.doesNotMatch(shown, words, `${where}: “${words.exec(shown)?.[0]}” is a word of ${sports.join(', ')}`);
    assert.doesNotMatch(shown, /(?:End|Start|Конец|Начало):? [A-Z]+\d/, `${where}: a period's code`);
    // Names without a Russian form are marked as English.
    if (where.endsWith('ru')) assert.deepEqual(latinTexts(page), [], where);
    for (const [sign, sports] of SIGNS)
      if (!sports.includes(sport))
        assert.doesNotMatch(page, new RegExp(`class="sign ${sign}(?:[a-z_]*|[^"]*)"`), where);
  };

  it('the tables of this test have each sport', async () => {
    const slugs = SPORTS.map(({ slug }) => slug).sort();
    assert.deepEqual(['football', ...(await recordedSports())].sort(), slugs);
    for (const table of [EXPECTED, LIVE]) assert.deepEqual(Object.keys(table).sort(), slugs);
    const named = new Set(WORDS.flatMap(([, sports]) => sports));
    assert.deepEqual([...named].sort(), slugs);
  });

  for (const { slug } of SPORTS)
    it(`${slug}: before, during and after a match, on the pages of match, team and league`, async () => {
      const all = await states(slug);
      const [breakWord, state] = LIVE[slug]!;
      const at = (detail: string) => all.find(({ status_detail }) => status_detail === detail)!;
      for (const match of [all[0]!, at('in_play'), at('break'), all.at(-1)!]) {
        const id = await harness.apply(slug, match);
        for (const lang of ['en', 'ru'] as const) {
          const where = `match ${match.status_detail} ${lang}`;
          const page = await get(`match/${id}?lang=${lang}`);
          refuseOtherWords(slug, page, match, where);
          const text = visibleText(page);
          if (match.status_detail === 'break' && lang === 'en') assert.ok(text.includes(` ${breakWord} `), where);
          if (match.status_detail === 'in_play' && lang === 'en' && state)
            assert.ok(text.includes(` ${state} `), where);
          if (match.status !== 'finished') continue;
          const tabs = await otherTabs(page);
          for (const tab of tabs) refuseOtherWords(slug, tab, match, where);
          const whole = [page, ...tabs].map(visibleText).join(' ');
          for (const expected of EXPECTED[slug]![lang])
            assert.ok(whole.includes(expected), `${where}: ${expected}: ${whole}`);
        }
      }
      const last = all.at(-1)!;
      const { rows } = await harness.pool.query('SELECT tournament_id, home_id FROM match m WHERE sport = $1', [slug]);
      for (const lang of ['en', 'ru'] as const) {
        const first = await get(`tournament/${rows[0]!.tournament_id}?lang=${lang}`);
        const league = [first, ...(await otherTabs(first))];
        for (const page of league) refuseOtherWords(slug, page, last, `league ${lang}`);
        const leaders = LEADERS[slug];
        if (leaders === undefined) assert.ok(!league.join('').includes('id="leaders"'));
        else assert.ok(league.map(visibleText).join(' ').includes(` ${leaders[lang]} `), `${slug} ${lang}`);
        const side =
          typeof last.home === 'object' && 'type' in last.home && last.home.type === 'player' ? 'player' : 'team';
        const overview = await get(`${side}/${rows[0]!.home_id}?lang=${lang}`);
        for (const page of [overview, ...(await otherTabs(overview))])
          refuseOtherWords(slug, page, last, `${side} ${lang}`);
      }
    });
});
