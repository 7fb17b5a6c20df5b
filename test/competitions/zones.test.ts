import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { routes } from '../../src/competitions/routes.ts';
import { ZONE_KINDS } from '../../src/competitions/rules.ts';
import { listedZones, zoneAt } from '../../src/competitions/zones.ts';
import { knownTournaments } from '../../src/identity/canonical-tournaments.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Row {
  name: string;
  position: number;
  zone: string | null;
}

describe('table zones', () => {
  const england = { sport: 'football', country: 'GB-ENG', tournament: 'Premier League' };

  it('apply to all seasons of a listed tournament, and a negative place counts from the end', () => {
    const zones = listedZones({ ...england, season_label: '2023/24' });
    const kinds = Array.from({ length: 20 }, (_, index) => zoneAt(zones, index + 1, 20));
    assert.deepEqual(kinds, [
      ...Array(4).fill('champions_league'),
      ...Array(13).fill(null),
      ...Array(3).fill('relegation'),
    ]);
    const present = listedZones({ ...england, season_label: '2025/26' });
    assert.deepEqual(
      [4, 5, 6].map((place) => zoneAt(present, place, 20)),
      ['champions_league', 'europa_league', null],
    );
    const spain = listedZones({ sport: 'football', country: 'ES', tournament: 'La Liga', season_label: '2025/26' });
    assert.deepEqual(
      [4, 5, 6, 7].map((place) => zoneAt(spain, place, 20)),
      ['champions_league', 'europa_league', 'conference_league', null],
    );
    assert.equal(zoneAt(zones, 20, 22), 'relegation', 'in a larger league');
    assert.equal(zoneAt(zones, 19, 22), null);
    assert.deepEqual(listedZones({ ...england, season_label: '1991/92' }), []);
    assert.deepEqual(listedZones({ ...england, country: 'EG', season_label: '2023/24' }), []);
    assert.deepEqual(listedZones({ ...england, season_label: null }), []);
  });

  it('exist only for listed tournaments, have known kinds, and never give one place two zones', () => {
    const known = new Set(knownTournaments().all.map(({ sport, country, name }) => `${sport}|${country}|${name}`));
    const listed: Record<string, string>[] = parse(readFileSync('data/zones.csv'), {
      columns: true,
      comment: '#',
      comment_no_infix: true,
    });
    for (const { sport, country, tournament } of listed)
      assert.ok(known.has(`${sport}|${country}|${tournament}`), `${tournament} is in data/tournaments.yaml`);
    for (const year of [1998, 2005, 2012, 2018, 2021, 2022, 2023, 2024, 2025])
      for (const key of known) {
        const [sport, country, tournament] = key.split('|') as [string, string, string];
        for (const season_label of [`${year}/${String(year + 1).slice(2)}`, String(year)]) {
          const zones = listedZones({ sport, country, tournament, season_label });
          for (const { kind, first, last } of zones) {
            assert.ok(ZONE_KINDS.includes(kind), kind);
            assert.ok(first <= last && first * last > 0, `${key} ${season_label}`);
          }
          const places = zones.flatMap(({ first, last }) =>
            Array.from({ length: last - first + 1 }, (_, index) => first + index),
          );
          assert.equal(new Set(places).size, places.length, `${key} ${season_label}`);
        }
      }
  });

  describe('over REST', () => {
    let fed: Fed;
    before(async () => {
      fed = await startFed(routes);
      for (const [index, name] of ['Rowan', 'Cedar', 'Maple'].entries())
        await fed.matches({
          id: `z${index}`,
          sport: 'football',
          tournament: { name: 'Own League', country: 'GB-ENG' },
          season: { label: '2023/24' },
          home: { name, country: 'GB-ENG' },
          away: { name: 'Birch', country: 'GB-ENG' },
          scheduled_start: `2024-01-0${index + 1}T15:00:00Z`,
          status: 'finished',
          status_detail: 'ended',
          score: { home: 3 - index, away: 0 },
        });
    });
    after(() => fed.close());

    it('come from the league’s rules in an operator’s league, and appear only in the total table', async () => {
      await fed.db.pool.query(`UPDATE tournament SET tier = 1, rules = $1 WHERE name = 'Own League'`, [
        JSON.stringify({
          zones: [
            { kind: 'promotion', first: 1, last: 1 },
            { kind: 'relegation', first: -1, last: -1 },
          ],
        }),
      ]);
      const id = await fed.tournamentId('Own League');
      const zones = async (query = '') => {
        const { json } = await fed.app.ask<{ table: Row[] }>(`/v1/tournament/${id}/standings${query}`);
        return json.table.map(({ name, zone }) => `${name} ${zone}`);
      };
      assert.deepEqual(await zones(), ['Rowan promotion', 'Cedar null', 'Maple null', 'Birch relegation']);
      assert.ok((await zones('?type=home')).every((row) => row.endsWith('null')));
      await fed.db.pool.query(
        `UPDATE tournament SET rules = '{"zones":[{"kind":"glory","first":1,"last":1}]}' WHERE name = 'Own League'`,
      );
      assert.ok(
        (await zones()).every((row) => row.endsWith('null')),
        'invalid zones are ignored',
      );
    });
  });
});
