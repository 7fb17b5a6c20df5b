import assert from 'node:assert/strict';
import { routes } from '../../../src/catalogue/routes.ts';
import { searchEverything } from '../../../src/catalogue/search/search.ts';
import { type Fed, startFed } from '../feeding.ts';

interface Hit {
  type: string;
  name_i18n: { en: string; ru?: string };
  relevance: number;
  image_url: string | null;
}

describe('search for everything', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes);
    const sport = 'football';
    await fed.tournaments(
      { sport, name: 'Rowan Cup', name_ru: 'Кубок Роуана', country: 'GB-ENG', importance: 60 },
      { sport: 'tennis', name: 'Rowan Open', country: 'GB-ENG' },
    );
    await fed.participants(
      { type: 'team', sport, name: 'Rowan', country: 'GB-ENG' },
      { type: 'player', sport, name: 'Ada Rowan', birth_date: '1999-01-01' },
    );
  });
  after(() => fed.close());
  const search = async (query: string) => {
    const { status, json } = await fed.app.ask<{ count: number; results: Hit[] }>(`/v1/search?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.count, json.results.length);
    return json.results;
  };
  const names = (hits: Hit[]) => hits.map(({ type, name_i18n }) => `${type} ${name_i18n.en}`);

  it('finds teams, players and tournaments together, best first', async () => {
    const hits = await search('q=rowan');
    assert.deepEqual(
      new Set(names(hits)),
      new Set(['team Rowan', 'player Ada Rowan', 'tournament Rowan Cup', 'tournament Rowan Open']),
    );
    assert.equal(names(hits)[0], 'team Rowan');
    assert.deepEqual(
      hits.map(({ relevance }) => relevance),
      hits.map(({ relevance }) => relevance).toSorted((a, b) => b - a),
    );
    assert.equal(hits[0]!.relevance, 1);
    assert.deepEqual(
      hits.map(({ type, image_url }) => (type === 'tournament') === (image_url === null)),
      hits.map(() => true),
    );
  });

  it('finds a tournament by English or Russian name, and hits can be filtered and limited', async () => {
    assert.equal(names(await search('q=rowan%20cup'))[0], 'tournament Rowan Cup');
    assert.equal(names(await search(`q=${encodeURIComponent('кубок роуана')}`))[0], 'tournament Rowan Cup');
    assert.deepEqual(names(await search('q=rowan&sport=tennis')), ['tournament Rowan Open']);
    assert.equal((await search('q=rowan&limit=2')).length, 2);
    assert.deepEqual(await search('q=zzzzqqq'), []);
  });

  it('finds a mistyped tournament name, but no tournament whose name only resembles a team’s or player’s whole name', async () => {
    assert.ok(names(await search('q=rowan%20opne')).includes('tournament Rowan Open'));
    assert.deepEqual(names(await search('q=ada%20rowan')), ['player Ada Rowan']);
    await fed.participants({ type: 'team', sport: 'football', name: 'Rowan Opne', country: 'GB-SCT' });
    const hits = names(await search('q=rowan%20opne'));
    assert.equal(hits[0], 'team Rowan Opne');
    assert.ok(!hits.includes('tournament Rowan Open'), String(hits));
  });

  it('does not find a tournament that the plan excludes', async () => {
    const access = { sports: ['tennis'], tournaments: [] };
    const hits = await searchEverything(fed.db.pool, { q: 'rowan cup', limit: 10 }, new Date(fed.now), access);
    assert.ok(!names(hits).includes('tournament Rowan Cup'));
  });

  it('refuses a one-letter query with 422', async () => {
    const { status, json } = await fed.app.ask('/v1/search?q=a');
    assert.equal(status, 422);
    assert.match(json.detail, /q: must have 2 to 80 characters/);
  });
});
