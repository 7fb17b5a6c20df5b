import assert from 'node:assert/strict';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { findByExternalIds } from '../../src/identity/external-ids.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Mapped {
  type: string;
  count: number;
  external_ids: { provider: string; external_id: string; id: number }[];
  unknown: string[];
}
interface Detail {
  external_ids?: Record<string, string[]>;
}

describe('provider ids over REST', () => {
  let fed: Fed;
  let team: number;
  let league: number;
  let match: number;
  before(async () => {
    fed = await startFed([...catalogueRoutes, ...matchRoutes]);
    const given: MatchUpdateInput['match'] = {
      id: 'm-1',
      sport: 'football',
      tournament: { id: 't/1', name: 'League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      home: { id: 'home-1', name: 'Rowan', country: 'GB-ENG' },
      away: { id: 'away-1', name: 'Cedar', country: 'GB-ENG' },
      scheduled_start: '2024-01-01T15:00:00Z',
      status: 'finished',
      status_detail: 'ended',
      score: { home: 0, away: 0 },
    };
    const [result] = await fed.matches(given);
    match = result!.matchId!;
    [team, league] = [await fed.participantId('Rowan'), await fed.tournamentId('League')];
  });
  after(() => fed.close());
  const map = async (query: string) => {
    const { status, json } = await fed.app.ask<Mapped>(`/v1/map?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };

  it('are mapped to the service’s ids, in the requested order, and unknown ids are named', async () => {
    const reply = await map('type=team&provider=tests&ids=away-1,nobody,home-1,home-1');
    assert.deepEqual(reply, {
      type: 'team',
      count: 2,
      external_ids: [
        { provider: 'tests', external_id: 'away-1', id: await fed.participantId('Cedar') },
        { provider: 'tests', external_id: 'home-1', id: team },
      ],
      unknown: ['nobody'],
    });
    assert.deepEqual((await map('type=tournament&provider=tests&ids=t%2F1')).external_ids[0]?.id, league);
    assert.deepEqual((await map('type=match&provider=tests&ids=m-1')).external_ids[0]?.id, match);
  });

  it('are found from the service’s ids, for all providers or one', async () => {
    for (const query of [`ids=999999,${team}`, `provider=tests&ids=999999,${team}`]) {
      const { external_ids, unknown } = (await fed.app.ask<Mapped>(`/v1/external-ids?type=team&${query}`)).json;
      assert.deepEqual(external_ids, [{ provider: 'tests', external_id: 'home-1', id: team }]);
      assert.deepEqual(unknown, ['999999']);
    }
  });

  it('are in detail replies on request only', async () => {
    for (const [path, ids] of [
      [`/v1/event/${match}`, { tests: ['m-1'] }],
      [`/v1/event/${match}?blocks=lineups`, { tests: ['m-1'] }],
      [`/v1/participant/${team}`, { tests: ['home-1'] }],
      [`/v1/tournament/${league}`, { tests: ['t/1'] }],
    ] as const) {
      const separator = path.includes('?') ? '&' : '?';
      const { json } = await fed.app.ask<Detail>(`${path}${separator}external_ids=true`);
      assert.deepEqual(json.external_ids, ids, path);
      assert.ok(!('external_ids' in (await fed.app.ask<Detail>(path)).json), path);
      assert.equal((await fed.app.ask(`${path}${separator}external_ids=maybe`)).status, 422);
    }
  });

  it('are not shown to a plan without access to the match’s tournament', async () => {
    const find = (tournaments: number[]) =>
      findByExternalIds(fed.db.pool, 'match', 'tests', ['m-1'], { sports: [], tournaments });
    assert.deepEqual(await find([league + 1]), []);
    assert.equal((await find([league])).length, 1);
  });

  it('cause a clear error if the request is invalid', async () => {
    const many = Array.from({ length: 101 }, (_, index) => index + 1).join();
    for (const [path, status, detail] of [
      ['map?type=team&provider=tests', 422, /ids: is required/],
      ['map?type=team&ids=home-1', 422, /provider: is required/],
      ['map?provider=tests&ids=home-1', 422, /type: is required/],
      ['map?type=team&provider=tests&ids=', 422, /must not be empty/],
      [`map?type=team&provider=tests&ids=${'x'.repeat(201)}`, 422, /must have at most 200 characters/],
      [`map?type=team&provider=tests&ids=${many}`, 422, /must have at most 100 values/],
      ['map?type=team&provider=nobody&ids=home-1', 404, /Provider nobody has no ids .* that have: tests/],
      ['map?type=venue&provider=tests&ids=1', 404, /that have: none/],
      ['external-ids?type=club&ids=1', 422, /type: must be one of tournament, team, player, match, venue/],
      [`external-ids?type=team&ids=${many}`, 422, /must have at most 100 values/],
      ['external-ids?type=team&ids=x', 422, /ids: must be an integer/],
      ['external-ids?type=team&ids=1&provider=nobody', 404, /Provider nobody has no ids/],
    ] as const) {
      const { status: got, json } = await fed.app.ask(`/v1/${path}`);
      assert.equal(got, status, path);
      assert.match(json.detail, detail, path);
    }
  });
});
