import assert from 'node:assert/strict';
import { fittingUpdates } from '../../src/providers/fitting-match.ts';
import { Reader } from '../../src/providers/reader.ts';

const MATCH = {
  id: '1',
  sport: 'baseball',
  tournament: { name: 'MLB', country: 'US' },
  season: { label: '2024' },
  home: { id: '137', name: 'San Francisco Giants', country: 'US' },
  away: { id: '119', name: 'Los Angeles Dodgers', country: 'US' },
  score: { home: 1, away: 0 },
  venue: { name: 'Oracle Park', country: 'US' },
};

describe('a match that was read from a reply', () => {
  const fit = (match: object) => {
    const reader = new Reader();
    const updates = fittingUpdates({ ...MATCH, ...match }, 'games[3]', reader);
    return { match: updates[0]?.kind === 'match' ? updates[0].match : undefined, unknown: reader.unknown };
  };

  it('is unchanged if the feed accepts it', () => {
    assert.deepEqual(fit({}), { match: MATCH, unknown: [] });
  });

  it('keeps the members that the feed accepts, and loses and reports the rest', () => {
    const { match, unknown } = fit({ venue: { name: 'x'.repeat(300), country: 'US' }, referee: '', attendance: 1e9 });
    const { venue: _venue, ...others } = MATCH;
    assert.deepEqual(match, others);
    assert.deepEqual(
      unknown.map(({ path, value }) => [path, value]),
      [
        ['games[3]: venue', 'name must have at most 200 characters'],
        ['games[3]: referee', 'Too small: expected string to have >=1 characters'],
        ['games[3]: attendance', 'Too big: expected number to be <=1000000'],
      ],
    );
  });

  it('becomes no update if the feed would refuse a required member', () => {
    const { match, unknown } = fit({ home: { name: '' } });
    assert.deepEqual([match, unknown.map(({ path }) => path)], [undefined, ['games[3]: home']]);
  });
});
