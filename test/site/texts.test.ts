import assert from 'node:assert/strict';
import { longDay } from '../../src/site/texts/day.ts';
import { roundText } from '../../src/site/texts/rounds.ts';
import { TEXTS } from '../../src/site/texts/texts.ts';
import { positionText } from '../../src/web/player-positions.ts';
import { statisticName } from '../../src/web/sport-figures.ts';
import { outcomeText } from '../../src/web/status-text.ts';

/** Returns the paths of all texts below a value, with the placeholders in each text. */
function paths(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => paths(one, `${path}.${key}`));
  const placeholders = String(value).match(/\{\w+\}/g) ?? [];
  return [[path, ...placeholders.sort()].join(' ')];
}

describe('site texts', () => {
  it('have each key and each placeholder in both languages', () => {
    assert.deepEqual(paths(TEXTS.ru).sort(), paths(TEXTS.en).sort());
  });

  it('are never empty, except the guide link of a feature without a guide', () => {
    const empty = (value: unknown, path: string): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, one]) => empty(one, `${path}.${key}`))
        : value === ''
          ? [path]
          : [];
    const named = (['en', 'ru'] as const).flatMap((lang) => empty(TEXTS[lang], lang));
    assert.ok(
      named.every((path) => path.endsWith('.guide')),
      named.join(),
    );
  });

  it('call a draw a tie in sports that do', () => {
    const texts = ['football', 'american-football', 'ice-hockey', 'made-up'].map((sport) =>
      outcomeText('D', sport, 'en'),
    );
    assert.deepEqual(
      texts.map(({ letter, name }) => `${letter} ${name}`),
      ['D Draw', 'T Tie', 'T Tie', 'D Draw'],
    );
    assert.deepEqual(outcomeText('W', 'american-football', 'en'), { letter: 'W', name: 'Win' });
    assert.deepEqual(outcomeText('D', 'cricket', 'ru'), { letter: 'Н', name: 'Ничья' });
  });

  it('name rounds of all sports in Russian', () => {
    for (const [name, russian] of [
      ['Conference quarter-finals, Game 2', '1/4 финала конференций, 2-й матч'],
      ['Division finals', 'Финалы дивизионов'],
      ['Qualifier 1', '1-й квалификационный матч'],
      ['Eliminator', 'Матч на вылет'],
      ['Championship game', 'Матч за чемпионство'],
      ['Apertura', 'Апертура'],
    ] as const) {
      assert.equal(roundText(name, 'ru'), russian);
      assert.equal(roundText(name, 'en'), name);
    }
  });

  it('name statistics in Russian', () => {
    for (const [sport, names] of [
      ['cricket', ['Fours', 'Sixes', 'Dot balls', 'Extras']],
      ['football', ['Tackles', 'Clearances', 'Accurate crosses', 'Throw-ins', 'Expected goals (FiveThirtyEight)']],
    ] as const)
      for (const name of names) assert.match(statisticName(name, sport, 'ru'), /^[а-яё]/i, name);
  });

  it('name positions in words instead of a letter, also if a player has several', () => {
    assert.equal(positionText('F', 'football', 'en'), 'Forward');
    assert.equal(positionText('D,M', 'football', 'en'), 'Defender, Midfielder');
    assert.equal(positionText('D,M', 'football', 'ru'), 'защитник, полузащитник');
    assert.equal(positionText('CB', 'football', 'en'), 'CB');
    assert.equal(positionText('C', 'ice-hockey', 'ru'), 'центр');
    assert.equal(positionText('C', 'ice-hockey', 'en'), 'C');
  });

  it('write a Russian day without the word for the year, after which a full stop may follow', () => {
    assert.equal(longDay('2026-11-30', 'ru'), 'понедельник, 30 ноября 2026');
    assert.equal(longDay('2026-11-30', 'en'), 'Monday, 30 November 2026');
  });
});
