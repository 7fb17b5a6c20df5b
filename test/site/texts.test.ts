import assert from 'node:assert/strict';
import { TEXTS } from '../../src/site/texts/texts.ts';
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
});
