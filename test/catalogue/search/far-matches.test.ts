/** Queries for which the search once showed a poor match first, or showed one where it should find nothing. */
import assert from 'node:assert/strict';
import { routes } from '../../../src/catalogue/routes.ts';
import { aliasLists } from '../../../src/catalogue/search/alias-lists.ts';
import { applyAliasLists } from '../../../src/catalogue/search/store-aliases.ts';
import { type Fed, startFed } from '../feeding.ts';

const team = (name: string, country: string, name_ru?: string, ...aliases: string[]) =>
  ({
    type: 'team',
    sport: 'football',
    name,
    country,
    ...(name_ru && { name_ru }),
    aliases: aliases.map((alias) => ({ name: alias })),
  }) as const;
const player = (name: string, birth_date: string) => ({ type: 'player', sport: 'football', name, birth_date }) as const;
const tournament = (name: string, country: string, importance: number) =>
  ({ sport: 'football', gender: 'men', name, country, importance }) as const;

const PROMINENCE: Record<string, number> = {
  'Pavel Nedvěd': 0.75,
  'Jordan Ayew': 0.9,
  'Czech Republic': 0.7,
  Jordan: 0.6,
  'Sporting Gijón': 0.82,
  'Sporting CP': 0.73,
  'Dmitri Bulykin': 0.75,
};

describe('queries that resemble many names', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes);
    await fed.participants(
      team('Czech Republic', 'CZ', 'Чехия'),
      team('Czechoslovakia', 'CS', 'Чехословакия'),
      team('Jordan', 'JO', 'Иордания'),
      team('Saudi Arabia', 'SA', 'Саудовская Аравия', 'KSA'),
      team('Sporting Gijón', 'ES', 'Спортинг Хихон', 'Sporting'),
      team('Sporting CP', 'PT', 'Спортинг', 'Sporting'),
      team('Olympiacos', 'GR'),
      team('LDU Quito', 'EC', undefined, 'Liga de Quito', 'Liga Deportiva'),
      player('Pavel Nedvěd', '1972-08-30'),
      player('Jordan Ayew', '1991-09-11'),
      player('Roman Uzdenov', '1979-02-28'),
      player('Dmitri Bulykin', '1979-11-20'),
    );
    await fed.tournaments(
      tournament('Premier League', 'GB-ENG', 95),
      tournament('UEFA Champions League', 'INT', 96),
      tournament('FIFA World Cup', 'INT', 100),
      tournament('Confederations Cup', 'INT', 75),
      tournament('Bundesliga', 'DE', 90),
      tournament('La Liga', 'ES', 93),
      tournament('2. Bundesliga', 'DE', 58),
    );
    await applyAliasLists(fed.db.pool, aliasLists());
    await fed.db.pool.query(
      `INSERT INTO participant_prominence (participant_id, value)
       SELECT p.id, g.value FROM json_each_text($1) AS j (name, number), LATERAL (SELECT j.number::float8 AS value) g
       JOIN participant p ON true WHERE p.name = j.name
       ON CONFLICT (participant_id) DO UPDATE SET value = excluded.value`,
      [JSON.stringify(PROMINENCE)],
    );
  });
  after(() => fed.close());

  const participants = async (q: string) => {
    const path = `/v1/participants/search?q=${encodeURIComponent(q)}`;
    const { json } = await fed.app.ask<{ participants: { name_i18n: { en: string } }[] }>(path);
    return json.participants.map(({ name_i18n }) => name_i18n.en);
  };
  const tournaments = async (q: string) => {
    const { json } = await fed.app.ask<{ tournaments: { name: string }[] }>(
      `/v1/tournaments?q=${encodeURIComponent(q)}`,
    );
    return json.tournaments.map(({ name }) => name);
  };

  for (const q of ['czech', 'Czech', 'Чехия', 'Czechia', 'czech republic'])
    it(`${q} finds the national team before a player with that nickname`, async () => {
      assert.equal((await participants(q))[0], 'Czechia');
    });

  for (const q of ['Jordan', 'Иордания'])
    it(`${q} finds the country before people with that first name`, async () => {
      assert.equal((await participants(q))[0], 'Jordan');
    });

  for (const q of ['sporting', 'Спортинг'])
    it(`${q} finds the club that is shown under this name before a club that has it as an alias`, async () => {
      assert.deepEqual((await participants(q)).slice(0, 2), ['Sporting CP', 'Sporting Gijón']);
    });

  for (const [q, name] of [
    ['ЛЧ', 'UEFA Champions League'],
    ['UCL', 'UEFA Champions League'],
    ['EPL', 'Premier League'],
    ['АПЛ', 'Premier League'],
    ['BuLi', 'Bundesliga'],
  ] as const)
    it(`${q} finds a tournament, and no participant`, async () => {
      assert.equal((await tournaments(q))[0], name);
      assert.deepEqual(await participants(q), []);
    });

  it('a tournament name also finds a participant whose name begins with it, but no participant whose name is merely similar', async () => {
    assert.deepEqual(await participants('olympia'), ['Olympiacos']);
    assert.deepEqual(await participants('Лига чемпионов'), []);
  });

  for (const q of ['3. Liga', '3 Liga', 'FA cup', 'EFL Cup', 'DFB-Pokal', 'Copa del Rey', 'Кубок Англии'])
    it(`${q} finds nothing, because the catalogue has no such tournament or participant`, async () => {
      assert.deepEqual(await tournaments(q), []);
      assert.deepEqual(await participants(q), []);
    });

  it('a tournament is found by such a query as soon as it is in the catalogue', async () => {
    await fed.tournaments(
      tournament('3. Liga', 'DE', 40),
      tournament('FA Cup', 'GB-ENG', 70),
      tournament('EFL Cup', 'GB-ENG', 60),
    );
    await applyAliasLists(fed.db.pool, aliasLists());
    assert.equal((await tournaments('3. Liga'))[0], '3. Liga');
    assert.equal((await tournaments('FA cup'))[0], 'FA Cup');
    assert.equal((await tournaments('cup fa'))[0], 'FA Cup');
    assert.equal((await tournaments('efl cup'))[0], 'EFL Cup');
  });

  it('mistyped and unfinished tournament names are still found', async () => {
    for (const [q, name] of [
      ['bundeslga', 'Bundesliga'],
      ['premer lige', 'Premier League'],
      ['champ lea', 'UEFA Champions League'],
      ['2. bund', '2. Bundesliga'],
      ['world cu', 'FIFA World Cup'],
    ] as const)
      assert.equal((await tournaments(q))[0], name, q);
  });
});
