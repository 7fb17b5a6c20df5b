import assert from 'node:assert/strict';
import { bracket } from '../../../src/competitions/bracket/schema.ts';
import type { Bracket } from '../../../src/competitions/bracket/season-bracket.ts';
import { routes } from '../../../src/competitions/routes.ts';
import { type Fed, startFed } from '../../catalogue/feeding.ts';

type Match = Parameters<Fed['matches']>[0];

describe('GET /v1/tournament/{id}/bracket', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes, '2024-06-15T12:00:00Z');
  });
  after(() => fed.close());

  const match = (
    cup: string,
    round: string | null,
    home: string,
    away: string,
    day: string,
    over: Partial<Match> = {},
  ) => ({
    id: `b${++serial}`,
    sport: 'football' as const,
    tournament: { name: cup, country: 'INT' },
    season: { label: '2024' },
    home: { name: home, country: 'INT' },
    away: { name: away, country: 'INT' },
    scheduled_start: `${day}T15:00:00Z`,
    ...(round !== null && { round_name: round }),
    ...over,
  });
  const result = (home: number, away: number): Partial<Match> => ({
    status: 'finished',
    status_detail: 'ended',
    score: { home, away },
  });
  const ask = async (cup: string, query = '') => {
    const { status, json } = await fed.app.ask<Bracket>(
      `/v1/tournament/${await fed.tournamentId(cup)}/bracket${query}`,
    );
    assert.equal(status, 200, JSON.stringify(json));
    return bracket.parse(json);
  };

  it('shows the winner of a shoot-out without a score if any source names the winner, even if a better source does not', async () => {
    const shootOut = (over: Partial<Match>) => ({
      ...result(1, 1),
      status_detail: 'after_penalties' as const,
      ...over,
    });
    const final = match('Kicks Cup', 'Final', 'Rovers', 'Rangers', '2024-05-20', shootOut({ shootout_winner: 'away' }));
    await fed.matches(
      match('Kicks Cup', 'Semi-finals', 'Rovers', 'Wanderers', '2024-05-10', shootOut({ shootout_winner: 'home' })),
      match('Kicks Cup', 'Semi-finals', 'Rangers', 'Athletic', '2024-05-10', shootOut({})),
      final,
    );
    const winners = async () => {
      const { rounds } = await ask('Kicks Cup');
      return rounds.map(({ matchups }) =>
        matchups.map(({ teams, winner_id, result: text }) => [
          teams.find(({ participant_id }) => participant_id === winner_id)?.name ?? null,
          text,
        ]),
      );
    };
    const text = '1:1, on penalties';
    const expected = [
      [
        ['Rovers', text],
        ['Rangers', text],
      ],
      [['Rangers', text]],
    ];
    assert.deepEqual(await winners(), expected);
    const card = async () =>
      (
        await fed.db.pool.query<{ extra: string }>(
          `SELECT item::json ->> 'extra' AS extra FROM match_card c JOIN match m ON m.id = c.match_id
           JOIN tournament t ON t.id = m.tournament_id WHERE t.name = 'Kicks Cup' AND m.round_name = 'Final'`,
        )
      ).rows.map(({ extra }) => JSON.parse(extra).shootout_winner);
    assert.deepEqual(await card(), ['away']);
    // Sends the same score again, without mentioning the shoot-out.
    await fed.matches({ ...final, shootout_winner: undefined });
    assert.deepEqual(await winners(), expected);
    // The score of the shoot-out takes precedence over the stated winner.
    await fed.matches({ ...final, period_scores: [{ period: 'PEN', home: 5, away: 4 }] });
    assert.deepEqual((await winners())[1], [['Rovers', '1:1, 5:4 on penalties']]);
    await fed.matches({ ...final, status_detail: 'cancelled', score: null, period_scores: [], shootout_winner: null });
    assert.deepEqual(await card(), [undefined]);
  });

  it('shows rounds, sides with codes and names, results and match ids', async () => {
    const nation = (name: string, country: string) => ({ name, country });
    await fed.matches(
      {
        ...match('Cup of Nations', 'Quarter-finals', '', '', '2024-06-01', result(2, 0)),
        home: nation('Brazil', 'BR'),
        away: nation('Germany', 'DE'),
      },
      {
        ...match('Cup of Nations', 'Semi-finals', '', '', '2024-06-20'),
        home: nation('Brazil', 'BR'),
        away: nation('Scotland', 'GB-SCT'),
      },
    );
    await fed.participants({ type: 'team', sport: 'football', name: 'Brazil', country: 'BR', name_ru: 'Бразилия' });
    const { rounds, tournament, season_label } = await ask('Cup of Nations');
    assert.deepEqual([tournament, season_label], ['Cup of Nations', '2024']);
    assert.deepEqual(
      rounds.map(({ name, matchups }) => [name, matchups.length]),
      [
        ['Quarter-finals', 1],
        ['Semi-finals', 2],
        ['Final', 1],
      ],
    );
    const [quarter] = rounds[0]!.matchups;
    const [semi, unknown] = rounds[1]!.matchups;
    const { rows } = await fed.db.pool.query<{ id: number }>(
      `SELECT id FROM match WHERE round_name = 'Quarter-finals'`,
    );
    assert.deepEqual(quarter, {
      finished: true,
      result: '2:0',
      home_score: '2',
      away_score: '0',
      teams: [
        {
          participant_id: await fed.participantId('Brazil'),
          name: 'Brazil',
          name_ru: 'Бразилия',
          code: 'BRA',
          bye: false,
        },
        {
          participant_id: await fed.participantId('Germany'),
          name: 'Germany',
          name_ru: 'Германия',
          code: 'GER',
          bye: false,
        },
      ],
      winner_id: await fed.participantId('Brazil'),
      event_ids: [rows[0]!.id],
      legs: [{ event_id: rows[0]!.id, home_score: 2, away_score: 0 }],
    });
    assert.deepEqual(
      semi!.teams.map(({ code, bye }) => [code, bye]),
      [
        ['BRA', false],
        ['SCO', true],
      ],
    );
    const nobody = { participant_id: null, name: null, name_ru: null, code: null, bye: false };
    assert.deepEqual(unknown, {
      finished: false,
      result: null,
      home_score: null,
      away_score: null,
      teams: [nobody, nobody],
      winner_id: null,
      event_ids: [],
      legs: [],
    });
  });

  it('follows a live match and updates the reply at once', async () => {
    const final = match('Live Cup', 'Final', 'Here', 'There', '2024-06-15', {
      status: 'live',
      status_detail: 'in_play',
      score: { home: 0, away: 0 },
    });
    await fed.matches(final);
    const shown = async () => {
      const [one] = (await ask('Live Cup')).rounds[0]!.matchups;
      return [one!.finished, one!.home_score, one!.away_score, one!.result, one!.winner_id];
    };
    assert.deepEqual(await shown(), [false, '0', '0', null, null]);
    await fed.matches({ ...final, ...result(0, 1) });
    assert.deepEqual(await shown(), [true, '0', '1', '0:1', await fed.participantId('There')]);
  });

  it('gives the reason if there is no bracket', async () => {
    await fed.matches(match('Nameless Cup', null, 'N1', 'N2', '2024-05-01', result(1, 0)));
    await fed.matches(match('League Cup', 'Matchday 1', 'N1', 'N2', '2024-05-01', { ...result(1, 0), round_num: 1 }));
    await fed.tournaments({ name: 'Cup to come', country: 'INT', sport: 'football' });
    const reasonOf = async (cup: string) => {
      const { rounds, reason } = await ask(cup);
      return [rounds.length, reason];
    };
    assert.deepEqual(await reasonOf('Nameless Cup'), [0, 'no_rounds']);
    assert.deepEqual(await reasonOf('League Cup'), [0, 'no_knockout']);
    assert.deepEqual(await reasonOf('Cup to come'), [0, 'no_knockout']);
    assert.equal((await ask('Cup to come')).season_id, null);
    assert.equal((await ask('Cup of Nations')).reason, undefined);
  });

  it('accepts only seasons of the same tournament', async () => {
    const id = await fed.tournamentId('Cup of Nations');
    const { season_id } = await ask('Cup of Nations');
    assert.equal((await ask('Cup of Nations', `?season=${season_id}`)).rounds.length, 3);
    const statusOf = async (path: string) => (await fed.app.ask(path)).status;
    const { season_id: other } = await ask('Live Cup');
    assert.equal(await statusOf(`/v1/tournament/${id}/bracket?season=${other}`), 404);
    assert.equal(await statusOf(`/v1/tournament/${id}/bracket?season=999999`), 404);
    assert.equal(await statusOf('/v1/tournament/999999/bracket'), 404);
    for (const season of ['', '0', '-1', '1.5', '2024/25', '9007199254740992', "1' OR 1=1"])
      assert.equal(await statusOf(`/v1/tournament/${id}/bracket?season=${encodeURIComponent(season)}`), 422, season);
    assert.equal(await statusOf('/v1/tournament/x/bracket'), 422);
  });

  it('is cached under an entity tag made from its content', async () => {
    const path = `/v1/tournament/${await fed.tournamentId('Cup of Nations')}/bracket`;
    const { headers } = await fed.app.ask(path);
    assert.equal(headers.get('cache-control'), 'private, max-age=60');
    const again = await fed.app.ask(path, { headers: { 'if-none-match': headers.get('etag')! } });
    assert.equal(again.status, 304);
  });

  it('uses the competition’s rules if the matches alone do not decide', async () => {
    const leg = (home: string, away: string, day: string, score: [number, number]) =>
      match('Away Goals Cup', 'Final', home, away, day, result(...score));
    await fed.matches(leg('H', 'G', '2024-05-01', [1, 1]), leg('G', 'H', '2024-05-08', [0, 0]));
    const winner = async () => (await ask('Away Goals Cup')).rounds[0]!.matchups[0]!.winner_id;
    assert.equal(await winner(), null);
    await fed.tournaments({
      name: 'Away Goals Cup',
      country: 'INT',
      sport: 'football',
      rules: { ties: { away_goals: true } },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    assert.equal(await winner(), await fed.participantId('G'));
    await fed.tournaments({
      name: 'Away Goals Cup',
      country: 'INT',
      sport: 'football',
      rules: { ties: { away_goals: 'perhaps' } },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    assert.equal(await winner(), null, 'what is no rule is ignored');
  });
});
