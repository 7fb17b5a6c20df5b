import assert from 'node:assert/strict';
import { CONDITION_KEYS, withLevels } from '../../src/analytics/trends/trend-conditions.ts';
import { trendEntry, trendText } from '../../src/analytics/trends/trend-texts.ts';
import type { Trend } from '../../src/analytics/trends/trends.ts';
import { SPORTS } from '../../src/sports/sports.ts';

const trend = (more: Partial<Trend> & { venue?: Trend['sample']['venue'] }): Trend => {
  const { venue = 'overall', matches = 10, ...rest } = more;
  return {
    sport: 'football',
    condition: 'over_2_5',
    sample: { venue, last: matches },
    matches,
    count: 9,
    base_rate: 0.519,
    tail: 0.001,
    bound: 0.002,
    event_ids: [],
    ...rest,
  };
};
/** Returns a trend's text, with ordinary spaces instead of non-breaking ones. */
const detail = (one: Trend, lang: 'en' | 'ru') => trendText(one, lang).detail.replaceAll('\u00a0', ' ');

describe('trend texts', () => {
  it('give the count, the number of matches, and the league’s rate', () => {
    assert.deepEqual(trendEntry(trend({}), 'away', 'en'), {
      label: 'Over 2.5 goals',
      detail: 'in 9 of the last 10 matches (league: 52\u00a0%)',
      side: 'away',
    });
    assert.equal(trendText(trend({}), 'ru').label, 'Больше 2,5 гола');
    assert.equal(detail(trend({}), 'ru'), 'в 9 из 10 последних матчей (в среднем по лиге: 52 %)');
    assert.equal(detail(trend({ venue: 'home' }), 'en'), 'in 9 of the last 10 home matches (league at home: 52 %)');
    assert.equal(detail(trend({ venue: 'away' }), 'en'), 'in 9 of the last 10 away matches (league away: 52 %)');
    assert.equal(detail(trend({ venue: 'home' }), 'ru'), 'в 9 из 10 последних домашних матчей (дома по лиге: 52 %)');
    assert.equal(
      detail(trend({ venue: 'away' }), 'ru'),
      'в 9 из 10 последних гостевых матчей (в гостях по лиге: 52 %)',
    );
  });

  it('say "in each of the last 10 matches" if all of them met the condition', () => {
    assert.equal(detail(trend({ count: 10 }), 'en'), 'in each of the last 10 matches (league: 52 %)');
    assert.equal(detail(trend({ count: 10 }), 'ru'), 'в каждом из 10 последних матчей (в среднем по лиге: 52 %)');
  });

  it('use the Russian noun form that the number needs, such as singular after 1 and 21, but not after 11', () => {
    const of = (matches: number, venue: Trend['sample']['venue'] = 'overall') =>
      detail(trend({ matches, venue }), 'ru').replace(/ \(.*/, '');
    assert.equal(of(21), 'в 9 из 21 последнего матча');
    assert.equal(of(31, 'home'), 'в 9 из 31 последнего домашнего матча');
    assert.equal(of(21, 'away'), 'в 9 из 21 последнего гостевого матча');
    for (const matches of [11, 12, 22, 25, 40, 111]) assert.equal(of(matches), `в 9 из ${matches} последних матчей`);
  });

  it('keep one decimal for rare rates, in the language’s number style', () => {
    assert.match(detail(trend({ base_rate: 0.0042 }), 'en'), /league: 0\.42 %/);
    assert.match(detail(trend({ base_rate: 0.074 }), 'ru'), /лиге: 7,4 %/);
  });

  it('use hockey’s own words', () => {
    assert.equal(trendText(trend({ sport: 'ice-hockey', condition: 'clean_sheet' }), 'en').label, 'Shutout');
    assert.equal(trendText(trend({ condition: 'clean_sheet' }), 'en').label, 'Clean sheet');
  });

  it('give every condition a distinct label in both languages', () => {
    for (const lang of ['en', 'ru'] as const) {
      const labels = CONDITION_KEYS.map((condition) => trendText(trend({ condition }), lang).label);
      assert.equal(new Set(labels).size, CONDITION_KEYS.length);
      for (const label of labels) assert.match(label, lang === 'en' ? /^[A-Z][a-z0-9. ]+$/ : /^[А-Я][а-яё0-9, ]+$/);
    }
  });

  it('mention goals only in sports that have goals', () => {
    const label = (sport: string, condition: Trend['condition'], lang: 'en' | 'ru' = 'en') =>
      trendText(trend({ sport, condition }), lang).label;
    assert.equal(label('basketball', 'over_160_5'), 'Over 160.5 points');
    assert.equal(label('basketball', 'over_160_5', 'ru'), 'Больше 160,5 очка');
    assert.equal(label('basketball', 'scored_81_up'), 'Scored 81 points or more');
    assert.equal(label('basketball', 'scored_81_up', 'ru'), 'Набрали от 81 очка');
    assert.equal(label('basketball', 'conceded_85_up', 'ru'), 'Пропустили от 85 очков');
    assert.equal(label('baseball', 'under_8_5'), 'Under 8.5 runs');
    assert.equal(label('baseball', 'won_by_2', 'ru'), 'Победа с разницей от 2 ранов');
    assert.equal(label('baseball', 'within_1'), 'Decided by one run');
    assert.equal(label('rugby', 'within_7'), 'Decided by at most 7 points');
    assert.equal(label('volleyball', 'won_to_nil'), 'Won in straight sets');
    assert.equal(label('volleyball', 'over_3_5', 'ru'), 'Больше 3,5 партии');
    assert.equal(label('snooker', 'over_8_5', 'ru'), 'Больше 8,5 фрейма');
    assert.equal(label('futsal', 'scored_1_up'), 'Scored 1 goal or more');
    for (const { slug, trends, unit } of SPORTS) {
      for (const condition of withLevels(trends, { total: 20, side: 11 })) {
        const texts = [label(slug, condition), label(slug, condition, 'ru')];
        assert.ok(texts.every(Boolean), `${slug} ${condition}`);
        if (unit !== 'goals')
          for (const text of texts) assert.doesNotMatch(text, /goal|гол(?!к)|clean sheet/iu, `${slug} ${condition}`);
      }
    }
  });
});
