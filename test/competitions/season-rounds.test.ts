import assert from 'node:assert/strict';
import { routes } from '../../src/competitions/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

type Match = MatchUpdateInput['match'];
interface Round {
  round_num: number | null;
  round_name: string | null;
  matches: number;
  finished: number;
  first_start: string;
  last_start: string;
  is_current: boolean;
}

describe('season rounds', () => {
  let fed: Fed;
  let serial = 0;
  const match = (
    tournament: string,
    day: string,
    round: Pick<Match, 'round_num' | 'round_name'>,
    over: Partial<Match> = {},
  ): Match => ({
    id: `r${++serial}`,
    sport: 'football',
    tournament: { name: tournament, country: 'GB-ENG' },
    season: { label: '2024' },
    home: { name: `Home ${serial}`, country: 'GB-ENG' },
    away: { name: `Away ${serial}`, country: 'GB-ENG' },
    scheduled_start: `2024-${day}T15:00:00Z`,
    status: 'finished',
    status_detail: 'ended',
    score: { home: 1, away: 0 },
    ...round,
    ...over,
  });
  const toCome = { status: 'scheduled', status_detail: 'not_started', score: null } as const;
  before(async () => {
    fed = await startFed(routes, '2024-06-01T12:00:00Z');
  });
  after(() => fed.close());
  const read = async (tournament: string) => {
    const { status, json } = await fed.app.ask<{ count: number; rounds: Round[]; season_label: string | null }>(
      `/v1/tournament/${await fed.tournamentId(tournament)}/rounds`,
    );
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.count, json.rounds.length);
    return json.rounds;
  };

  it('are listed in playing order, whatever was postponed, and the next round to be played is current', async () => {
    await fed.matches(
      match('League', '05-01', { round_num: 1 }),
      match('League', '05-02', { round_num: 1 }),
      match('League', '07-30', { round_num: 1 }, { ...toCome, status_detail: 'postponed' }),
      match('League', '05-08', { round_num: 2 }),
      match('League', '06-08', { round_num: 3 }, toCome),
      match('League', '06-15', { round_num: 10, round_name: 'Final' }, toCome),
    );
    assert.deepEqual(
      (await read('League')).map(({ round_num, round_name, matches, finished, is_current }) => [
        round_num,
        round_name,
        matches,
        finished,
        is_current,
      ]),
      [
        [1, null, 3, 2, false],
        [2, null, 1, 1, false],
        [3, null, 1, 0, true],
        [10, 'Final', 1, 0, false],
      ],
    );
    const [first] = await read('League');
    assert.deepEqual([first!.first_start, first!.last_start], ['2024-05-01T15:00:00Z', '2024-07-30T15:00:00Z']);
  });

  it('have the last round as current in a finished season', async () => {
    await fed.matches(
      match('Old Cup', '01-01', { round_name: 'Semi-final' }),
      match('Old Cup', '01-05', { round_name: 'Final' }),
    );
    assert.deepEqual(
      (await read('Old Cup')).map(({ round_name, is_current }) => [round_name, is_current]),
      [
        ['Semi-final', false],
        ['Final', true],
      ],
    );
  });

  it('are empty for matches without a round, and 404 for a season from another tournament', async () => {
    await fed.matches(match('Friendlies', '01-01', {}));
    assert.deepEqual(await read('Friendlies'), []);
    const reasonOf = async (name: string) =>
      (await fed.app.ask<{ reason?: string }>(`/v1/tournament/${await fed.tournamentId(name)}/rounds`)).json.reason;
    assert.deepEqual([await reasonOf('Friendlies'), await reasonOf('League')], ['no_rounds', undefined]);
    const { status, json } = await fed.app.ask(
      `/v1/tournament/${await fed.tournamentId('League')}/rounds?season=99999`,
    );
    assert.equal(status, 404);
    assert.match(json.detail, /has no season 99999/);
  });
});
