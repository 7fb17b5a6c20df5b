import assert from 'node:assert/strict';
import { routes } from '../../src/resolve/routes.ts';
import { reply } from '../../src/resolve/schema.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Answer {
  id: number | null;
  confidence: string | null;
  reason: string;
  candidates: { id: number; name: string }[];
}
interface Refused {
  errors: { parameter: string; detail: string }[];
}

describe('POST /v1/resolve', () => {
  let fed: Fed;
  const ids = new Map<string, number>();
  before(async () => {
    fed = await startFed(routes);
    const team = { type: 'team', sport: 'football' } as const;
    const player = { type: 'player', sport: 'football' } as const;
    await fed.participants(
      { ...team, id: 't1', name: 'Rowan Rovers FC', country: 'GB-ENG', aliases: [{ name: 'Rowan' }] },
      { ...team, name: 'Rowan Rovers', country: 'AR' },
      { ...team, name: 'Cedar', country: 'GB-ENG' },
      { ...team, name: 'Rowan', country: 'GB-ENG', sport: 'rugby' },
      { ...player, name: 'Jan Novak', birth_date: '1990-05-17', country: 'CZ' },
      { ...player, id: 'p2', name: 'Jan Novak', birth_date: '1994-01-02', country: 'SK' },
      { ...player, name: 'Peter Oak', birth_date: '1991-03-04', country: 'SK' },
    );
    await fed.matches({
      id: 'm1',
      sport: 'football',
      tournament: { id: 'l1', name: 'Tree League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      home: { name: 'Cedar', country: 'GB-ENG' },
      away: { name: 'Rowan Rovers FC', country: 'GB-ENG' },
      scheduled_start: '2024-01-01T15:00:00Z',
      status: 'finished',
      score: { home: 0, away: 0 },
      lineups: [
        { side: 'home', player: { id: 'p2', name: 'Jan Novak', birth_date: '1994-01-02' }, is_substitute: false },
      ],
    });
    const { rows } = await fed.db.pool.query<{ key: string; id: number }>(
      `SELECT name || ' ' || coalesce(birth_date::text, country) || CASE sport WHEN 'rugby' THEN ' rugby' ELSE '' END AS key, id FROM participant`,
    );
    for (const { key, id } of rows) ids.set(key, id);
    ids.set('league', await fed.tournamentId('Tree League'));
  });
  after(() => fed.close());

  const post = (body: object) =>
    fed.app.ask<{ count: number; resolved: number; rows: Answer[] } & Refused>('/v1/resolve', {
      method: 'POST',
      body,
    });
  const resolve = async (...rows: object[]) => {
    const { status, json } = await post({ rows });
    assert.equal(status, 200, JSON.stringify(json));
    reply.parse(json);
    return json.rows;
  };
  const short = async (row: object) => {
    const [answer] = await resolve(row);
    return [answer!.id, answer!.confidence, answer!.reason];
  };

  it('finds teams, players and tournaments by a provider’s id', async () => {
    assert.deepEqual(await short({ type: 'team', provider: 'tests', external_id: 't1' }), [
      ids.get('Rowan Rovers FC GB-ENG'),
      'certain',
      'external_id',
    ]);
    assert.deepEqual(await short({ type: 'player', provider: 'tests', external_id: 'p2' }), [
      ids.get('Jan Novak 1994-01-02'),
      'certain',
      'external_id',
    ]);
    assert.deepEqual(await short({ type: 'tournament', provider: 'tests', external_id: 'l1' }), [
      ids.get('league'),
      'certain',
      'external_id',
    ]);
  });

  it('says whether the provider or only the id is unknown, and then uses the name', async () => {
    assert.deepEqual(await short({ type: 'team', provider: 'nobody', external_id: 't1' }), [
      null,
      null,
      'unknown_provider',
    ]);
    assert.deepEqual(await short({ type: 'team', provider: 'tests', external_id: 'x' }), [null, null, 'unknown_id']);
    assert.deepEqual(await short({ type: 'player', provider: 'tests', external_id: 't1' }), [null, null, 'unknown_id']);
    const named = { type: 'team', provider: 'tests', external_id: 'x', name: 'Cedar', country: 'GB-ENG' };
    assert.deepEqual(await short(named), [ids.get('Cedar GB-ENG'), 'certain', 'name_and_country']);
  });

  it('lists the teams that claim an id, since none of them has it', async () => {
    const claimants = [ids.get('Rowan Rovers AR'), ids.get('Cedar GB-ENG')];
    await fed.db.pool.query(
      `INSERT INTO register_entry (register, entity, register_id, name, countries, ids, reason, candidates)
       VALUES ('reep', 'team', 'r1', 'Rowan', '{}', '{"tests": "claimed", "reep": "r1"}', 'several_of_ours', $1),
         ('reep', 'team', 'r2', 'Rowan', '{}', '{"tests": "doubtful"}', 'weak_name', $1)`,
      [claimants],
    );
    const id = { type: 'team', provider: 'tests', external_id: 'claimed' };
    const [claimed, named] = await resolve(id, { ...id, name: 'Cedar', country: 'GB-ENG' });
    assert.deepEqual([claimed!.id, claimed!.reason], [null, 'several']);
    assert.deepEqual(claimed!.candidates.map((one) => one.id).sort(), claimants.sort());
    assert.deepEqual([named!.id, named!.reason], [ids.get('Cedar GB-ENG'), 'name_and_country']);
    assert.deepEqual(await short({ ...id, external_id: 'doubtful' }), [null, null, 'unknown_id']);
    assert.deepEqual(await short({ ...id, type: 'player' }), [null, null, 'unknown_id']);
    await fed.db.pool.query('DELETE FROM register_entry');
  });

  it('finds a team by its name in a country, and lists all that have the name if no country is given', async () => {
    assert.deepEqual(await short({ type: 'team', name: 'Rowan Rovers', country: 'AR' }), [
      ids.get('Rowan Rovers AR'),
      'certain',
      'name_and_country',
    ]);
    const [several] = await resolve({ type: 'team', name: 'ROWAN' });
    assert.deepEqual([several!.id, several!.reason], [null, 'several']);
    assert.deepEqual(
      several!.candidates.map(({ id }) => id),
      [ids.get('Rowan Rovers FC GB-ENG'), ids.get('Rowan GB-ENG rugby')],
    );
    assert.deepEqual(await short({ type: 'team', name: 'ROWAN', sport: 'football' }), [
      ids.get('Rowan Rovers FC GB-ENG'),
      'possible',
      'name',
    ]);
    assert.deepEqual(await short({ type: 'team', name: 'Cedar FC' }), [ids.get('Cedar GB-ENG'), 'possible', 'name']);
  });

  it('finds a player by name and birth date, also abbreviated, or by name and club', async () => {
    const second = ids.get('Jan Novak 1994-01-02');
    assert.deepEqual(await short({ type: 'player', name: 'J. Novak', birth_date: '1994-01-02' }), [
      second,
      'certain',
      'birth_date_and_name',
    ]);
    assert.deepEqual(await short({ type: 'player', name: 'Jan Novák', club: 'Cedar FC' }), [
      second,
      'probable',
      'name_and_club',
    ]);
    assert.deepEqual(await short({ type: 'player', name: 'Peter Oak', country: 'SK' }), [
      ids.get('Peter Oak 1991-03-04'),
      'probable',
      'name_and_country',
    ]);
    const [several] = await resolve({ type: 'player', name: 'Jan Novak', club: 'Rowan Rovers' });
    assert.deepEqual([several!.id, several!.reason, several!.candidates.length], [null, 'several', 2]);
  });

  it('says that something with the name contradicts the row, and never returns it', async () => {
    const [player] = await resolve({ type: 'player', name: 'Peter Oak', birth_date: '1980-01-01' });
    assert.deepEqual([player!.id, player!.reason], [null, 'contradiction']);
    assert.deepEqual(
      player!.candidates.map(({ id }) => id),
      [ids.get('Peter Oak 1991-03-04')],
    );
    assert.deepEqual(await short({ type: 'team', name: 'Cedar', country: 'FR' }), [null, null, 'contradiction']);
    assert.deepEqual(await short({ type: 'team', name: 'Nobody' }), [null, null, 'unknown_name']);
  });

  it('returns the id of the participant that remains after a merge', async () => {
    const [known, other] = [ids.get('Rowan Rovers AR'), ids.get('Cedar GB-ENG')];
    await fed.db.pool.query('UPDATE participant SET person_id = $1 WHERE id = $2', [known, other]);
    assert.deepEqual(await short({ type: 'team', name: 'Cedar', country: 'GB-ENG', sport: 'football' }), [
      null,
      null,
      'contradiction',
    ]);
    await fed.db.pool.query('UPDATE participant SET person_id = NULL WHERE id = $1', [other]);
  });

  it('takes 500 rows, and refuses 501 and none', async () => {
    const rows = (count: number) => Array.from({ length: count }, () => ({ type: 'team', name: 'Cedar' }));
    const { json } = await post({ rows: rows(500) });
    assert.deepEqual([json.count, json.resolved, json.rows.length], [500, 500, 500]);
    const refused = await post({ rows: rows(501) });
    assert.equal(refused.status, 422);
    assert.match(refused.json.errors[0]!.detail, /at most 500 rows/u);
    assert.equal((await post({ rows: [] })).status, 422);
  });

  const BAD: [string, object, RegExp][] = [
    ['neither id nor name', { type: 'team' }, /a row needs an id or a name/u],
    ['a provider without an id', { type: 'team', provider: 'tests', name: 'x' }, /go together/u],
    ['an id without a provider', { type: 'team', external_id: '1' }, /go together/u],
    ['no type', { name: 'Cedar' }, /type/u],
    ['a match', { type: 'match', provider: 'tests', external_id: 'm1' }, /type/u],
    ['an id of 10 KB', { type: 'team', provider: 'tests', external_id: '9'.repeat(10_240) }, /at most 200 characters/u],
    ['NUL', { type: 'team', name: 'Ce\u0000dar' }, /NUL/u],
    ['half a surrogate pair', { type: 'team', name: 'Ce\ud800dar' }, /well-formed/u],
    [
      'a birth date of the future',
      { type: 'player', name: 'x', birth_date: '2024-06-02' },
      /must not be in the future/u,
    ],
    ['a day that does not exist', { type: 'player', name: 'x', birth_date: '2023-02-30' }, /birth_date/u],
    ['the birth date of a team', { type: 'team', name: 'x', birth_date: '1990-01-01' }, /players only/u],
    ['the club of a tournament', { type: 'tournament', name: 'x', club: 'y' }, /players only/u],
    ['a blank name', { type: 'team', name: '  ' }, /blank/u],
    ['an unknown member', { type: 'team', name: 'x', born: '1990' }, /born/u],
  ];
  for (const [what, row, expected] of BAD)
    it(`refuses ${what}, and names the row`, async () => {
      const { status, json } = await post({ rows: [{ type: 'team', name: 'Cedar' }, row] });
      assert.equal(status, 422, JSON.stringify(json));
      assert.match(json.errors.map(({ parameter, detail }) => `${parameter}: ${detail}`).join(), expected);
      assert.match(json.errors[0]!.parameter, /rows\.1/u);
    });
});
