import assert from 'node:assert/strict';
import { areAlike, likeness } from '../../src/pairs/likeness.ts';

describe('name likeness', () => {
  const teams = (a: string, b: string) =>
    areAlike('team', { names: [a], birthDate: null }, { names: [b], birthDate: null });

  it('accepts a club’s spellings and short forms', () => {
    for (const [a, b] of [
      ['koln', '1 fc koln'],
      ['bayern munchen', 'bayern munich'],
      ['sportfreunde lotte', 'sportfr lotte'],
      ['borussia monchengladbach', 'bor monchengladbach'],
      ['brighton', 'brighton and hove albion'],
    ] as const)
      assert.ok(teams(a, b), `${a} = ${b}: ${likeness([a], [b])}`);
  });

  it('rejects different clubs in a town, different squads at a club, and names that share only general words', () => {
    for (const [a, b] of [
      ['real madrid', 'atletico madrid'],
      ['hertha bsc', 'union berlin'],
      ['sportfreunde lotte', 'sportfreunde lotte ii'],
      ['bayern munchen', 'bayern munchen u19'],
      ['fc', '1 fc koln'],
      ['tsv 1860', 'tsv 1899'],
    ] as const)
      assert.ok(!teams(a, b), `${a} = ${b}: ${likeness([a], [b])}`);
  });

  it('needs the same words for players, accepts a similar name if the birth dates are equal, and rejects every name if they differ', () => {
    const players = (a: string, b: string, dates: [string | null, string | null] = [null, null]) =>
      areAlike('player', { names: [a], birthDate: dates[0] }, { names: [b], birthDate: dates[1] });
    assert.ok(players('jan thielmann', 'thielmann jan'));
    assert.ok(!players('jan thielmann', 'jann thielmann'));
    assert.ok(!players('ronaldo', 'ronaldo'), 'one word');
    assert.ok(players('mark uth', 'marc utt', ['1991-08-24', '1991-08-24']));
    assert.ok(!players('mark uth', 'mark uth', ['1991-08-24', '1991-08-25']));
    assert.ok(!players('mark uth', 'peter meier', ['1991-08-24', '1991-08-24']));
  });
});
