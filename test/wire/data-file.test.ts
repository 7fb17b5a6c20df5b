import assert from 'node:assert/strict';
import { COUNTRIES } from '../../src/wire/countries.ts';
import { dataRows } from '../../src/wire/data-file.ts';

describe('reviewed data files', () => {
  it('give each row’s named columns, without comments', () => {
    const [first, ...others] = dataRows('identity/nfl-teams.csv', ['code', 'league']);
    assert.deepEqual({ ...first }, { code: 'ARI', league: '' });
    assert.ok(others.every(({ code }) => !code.startsWith('#')));
  });

  it('refuse access to a column that the file does not have', () => {
    assert.throws(() => dataRows('countries.csv', ['iso', 'capital']), /data\/countries\.csv has no column capital/);
  });

  it('list one code for each country, with names in both languages', () => {
    assert.equal(new Set(COUNTRIES.map(({ iso }) => iso)).size, COUNTRIES.length);
    for (const { iso, name, name_ru } of COUNTRIES) assert.ok(iso && name && name_ru, iso);
    assert.deepEqual({ ...COUNTRIES.at(-1) }, { iso: 'INT', name: 'International', name_ru: 'Международные' });
  });
});
