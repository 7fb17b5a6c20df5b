import assert from 'node:assert/strict';
import type { Entry } from '../../src/register/decision.ts';
import { decidePlayers } from '../../src/register/match-players.ts';

describe('entries of a register that are players born on one day', () => {
  const entry = (
    register_id: string,
    name: string,
    countries: string[] = [],
    full_name: string | null = null,
  ): Entry => ({
    register_id,
    name,
    full_name,
    countries,
    since: '1990-05-17',
    idCount: 1,
  });
  const player = (id: number, name: string, country: string | null = null) => ({ id, country, names: [name] });
  const decide = (...given: Parameters<typeof decidePlayers>) =>
    decidePlayers(...given)
      .map(({ register_id, entity_id, reason, candidates }) => [register_id, entity_id, reason, candidates] as const)
      .sort((a, b) => (a[0] < b[0] ? -1 : 1));

  it('are linked by the same words, whatever the country, and by the full name', () => {
    assert.deepEqual(decide([entry('a', 'Jan Novák', ['CZ'])], [player(1, 'Novak Jan', 'SK')]), [['a', 1, 'name', []]]);
    assert.deepEqual(decide([entry('a', 'Janek', ['CZ'], 'Jan Novák')], [player(1, 'Jan Novak')]), [
      ['a', 1, 'name', []],
    ]);
  });

  it('are linked by an initial only if the country does not contradict', () => {
    assert.deepEqual(decide([entry('a', 'Jan Novák', ['CZ'])], [player(1, 'Novak J.', 'CZ')]), [['a', 1, 'name', []]]);
    assert.deepEqual(decide([entry('a', 'Jan Novák', ['CZ'])], [player(1, 'Novak J.', 'BR')]), []);
  });

  it('are not linked to somebody else who was born on the day', () => {
    assert.deepEqual(decide([entry('a', 'Jan Novák')], [player(1, 'Petr Svoboda'), player(2, 'Novák')]), []);
  });

  it('are in doubt if two entries, or two of our players, fit equally well', () => {
    assert.deepEqual(decide([entry('a', 'Jan Novák'), entry('b', 'Novák Jan')], [player(1, 'Jan Novak')]), [
      ['a', null, 'several_entries', [1]],
      ['b', null, 'several_entries', [1]],
    ]);
    assert.deepEqual(decide([entry('a', 'Jan Novák')], [player(1, 'Jan Novak'), player(2, 'Novak Jan')]), [
      ['a', null, 'several_of_ours', [1, 2]],
    ]);
  });
});
