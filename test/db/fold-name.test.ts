import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foldName } from '../../src/db/fold-name.ts';

describe('foldName', () => {
  const cases: [string, string][] = [
    ['Нищевич', 'nishchevich'],
    ['Динамо Москва', 'dinamo moskva'],
    ['Королёв', 'korolev'],
    ['Подъярский-Ильин', 'podyarskiy ilin'],
    ['Й'.normalize('NFD'), 'y'],
    ['São Paulo', 'sao paulo'],
    ['Atlético', 'atletico'],
    ['Bodø/Glimt', 'bodo glimt'],
    ['Łódź', 'lodz'],
    ['İstanbul Başakşehir', 'istanbul basaksehir'],
    ['Weiß', 'weiss'],
    ['Ολυμπιακός', 'olympiakos'],
    ['ΆΡΗΣ', 'aris'],
    ["Nott'm Forest", 'nottm forest'],
    ['O’Neill', 'oneill'],
    ['A.F.C. Bournemouth', 'afc bournemouth'],
    ['St. Pauli', 'st pauli'],
    ['1. FC Köln', '1 fc koln'],
    ['Brighton & Hove Albion', 'brighton and hove albion'],
    ['  Paris   Saint-Germain ', 'paris saint germain'],
    ['北京国安', '北京国安'],
    ['서울 FC', '서울 fc'],
    ['ガンバ', 'ガンバ'],
    ['ＦＣ', 'fc'],
    ['⚽🔥', ''],
    ['%_"', ''],
  ];
  for (const [name, key] of cases) it(`folds ${name} to "${key}"`, () => assert.equal(foldName(name), key));

  it('is idempotent and leaves no spaces at the ends, doubled spaces or capitals', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const key = foldName(name);
        assert.equal(foldName(key), key);
        assert.doesNotMatch(key, /^ | {2}| $|[A-ZА-Я]/u);
      }),
      { numRuns: 500 },
    );
  });
});
