import { strict as assert } from 'node:assert';
import type { ApplyDeps } from '../../src/apply/update-outcomes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { type ImportSummary, runImport } from '../../src/importers/run.ts';
import { routes } from '../../src/transfers/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, removeFiles } from '../importers/fixture.ts';

interface Transfer {
  date: string | null;
  date_precision: string;
  seen_on: string | null;
  season: string | null;
  type: string;
  player_id: number;
  player_name: string;
  from_team_id: number | null;
  from_team: string | null;
  to_team_id: number | null;
  to_team: string | null;
  loan_until: string | null;
  fee: number | null;
  fee_currency: string | null;
  derived: boolean;
}
interface Transfers {
  participant_id: number;
  type: string;
  count: number;
  total: number;
  transfers: Transfer[];
}

const HEAD =
  'date,type,player_name,player_birth_date,from_team,from_country,to_team,to_country,fee,fee_currency,loan_until,id,player_participant_id,to_participant_id';

describe('transfers', () => {
  let fed: Fed;
  let deps: ApplyDeps;
  beforeEach(async () => {
    fed = await startFed(routes, '2024-06-20T12:00:00Z');
    deps = {
      pool: fed.db.pool,
      clock: { now: () => fed.now },
      changes: { publish: () => undefined },
      entities: new EntityCache(),
    };
    await fed.participants(
      { type: 'team', sport: 'football', name: 'Real Madrid', country: 'ES' },
      {
        type: 'team',
        sport: 'football',
        name: 'Borussia Dortmund',
        country: 'DE',
        aliases: [{ name: 'BVB', locale: 'en' }],
      },
      {
        type: 'player',
        sport: 'football',
        name: 'Jude Bellingham',
        birth_date: '2003-06-29',
        name_ru: 'Джуд Беллингем',
      },
    );
  });
  afterEach(() => fed.close());
  after(removeFiles);

  const importCsv = (...rows: string[]): Promise<ImportSummary> =>
    runImport(deps, findImporter('transfers')!, filesOf({ 'list.csv': `${[HEAD, ...rows].join('\n')}\n` }), {
      progress: false,
    });
  const counts = ({ read, changed, unchanged, rejected }: ImportSummary) => [read, changed, unchanged, rejected];
  const reasons = ({ faults }: ImportSummary) => faults.map((fault) => fault.replace(/^.*?\.csv:/u, ''));
  const ask = async (id: number, query = '') => {
    const { status, json } = await fed.app.ask<Transfers>(`/v1/participant/${id}/transfers${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };
  const short = ({ transfers }: Transfers) =>
    transfers.map(({ date, type, from_team, to_team }) => [date, type, from_team, to_team]);

  it('show the move for the player and both teams, and fees have a currency', async () => {
    const summary = await importCsv(
      '2023-07-01,transfer,Jude Bellingham,2003-06-29,BVB,DE,Real Madrid,ES,103000000,eur,,,,',
      '2020-07-20,transfer,Jude Bellingham,2003-06-29,Birmingham City,GB-ENG,Borussia Dortmund,DE,30150000.50,EUR,,,,',
    );
    assert.deepEqual(counts(summary), [2, 2, 0, 0]);
    const [jude, madrid, dortmund] = [
      await fed.participantId('Jude Bellingham'),
      await fed.participantId('Real Madrid'),
      await fed.participantId('Borussia Dortmund'),
    ] as const;
    assert.deepEqual(await ask(jude, '?limit=1'), {
      participant_id: jude,
      type: 'player',
      count: 1,
      total: 2,
      transfers: [
        {
          date: '2023-07-01',
          type: 'transfer',
          player_id: jude,
          player_name: 'Jude Bellingham',
          player_name_ru: 'Джуд Беллингем',
          from_team_id: dortmund,
          from_team: 'Borussia Dortmund',
          from_team_ru: 'Боруссия Дортмунд',
          to_team_id: madrid,
          to_team: 'Real Madrid',
          to_team_ru: 'Реал Мадрид',
          loan_until: null,
          fee: 103000000,
          fee_currency: 'EUR',
          date_precision: 'day',
          seen_on: null,
          season: null,
          derived: false,
        },
      ],
    });
    const [earlier] = (await ask(jude, '?limit=1&offset=1')).transfers;
    // A club that is not in the catalogue is shown by its name.
    assert.deepEqual([earlier!.from_team_id, earlier!.from_team, earlier!.fee], [null, 'Birmingham City', 30150000.5]);
    assert.deepEqual([(await ask(dortmund)).total, (await ask(madrid)).total], [2, 1]);
    assert.equal((await ask(madrid)).type, 'team');
    const { rows } = await fed.db.pool.query("SELECT 1 FROM participant WHERE name = 'Birmingham City'");
    assert.equal(rows.length, 0);
  });

  it('are refused for unknown ids and bad parameters', async () => {
    const jude = await fed.participantId('Jude Bellingham');
    assert.deepEqual(await ask(jude), { participant_id: jude, type: 'player', count: 0, total: 0, transfers: [] });
    assert.equal((await fed.app.ask('/v1/participant/999999/transfers')).status, 404);
    for (const path of [
      '0/transfers',
      'x/transfers',
      `${jude}/transfers?limit=1001`,
      `${jude}/transfers?limit=0`,
      `${jude}/transfers?offset=-1`,
    ])
      assert.equal((await fed.app.ask(`/v1/participant/${path}`)).status, 422, path);
  });

  it('include imported loans, returns, moves without a club and new players, and a second import changes no data', async () => {
    const rows = [
      '2022-09-01,loan,New Player,2001-02-03,Real Madrid,ES,BVB,DE,,,2023-06-30,,,',
      '2023-06-30,loan_return,New Player,2001-02-03,BVB,DE,Real Madrid,ES,,,,,,',
      '2023-07-01,transfer,New Player,2001-02-03,Real Madrid,ES,,,0,,,,,',
      '2023-09-01,other,New Player,2001-02-03,,,Nowhere FC,,,,,,,',
    ];
    const summary = await importCsv(...rows);
    assert.deepEqual(counts(summary), [4, 4, 0, 0]);
    assert.deepEqual(summary.created, { names: ['New Player'], count: 1 });
    assert.deepEqual(counts(await importCsv(...rows)), [4, 0, 4, 0]);
    const list = await ask(await fed.participantId('New Player'));
    assert.deepEqual(short(list), [
      ['2023-09-01', 'other', null, 'Nowhere FC'],
      ['2023-07-01', 'transfer', 'Real Madrid', null],
      ['2023-06-30', 'loan_return', 'Borussia Dortmund', 'Real Madrid'],
      ['2022-09-01', 'loan', 'Real Madrid', 'Borussia Dortmund'],
    ]);
    assert.deepEqual(
      list.transfers.map(({ fee, fee_currency, loan_until }) => [fee, fee_currency, loan_until]),
      [
        [null, null, null],
        [0, null, null],
        [null, null, null],
        [null, null, '2023-06-30'],
      ],
    );
    const events = await fed.db.pool.query('SELECT count(*)::int AS n FROM outbox');
    assert.equal(events.rows[0].n, 0);
  });

  it('are corrected by a later record for the same move, by id or by player, day and club', async () => {
    const jude = await fed.participantId('Jude Bellingham');
    await importCsv(
      '2023-07-01,loan,Jude Bellingham,2003-06-29,BVB,DE,Real Madrid,ES,,,,,,',
      '2023-08-01,transfer,Jude Bellingham,2003-06-29,Real Madrid,ES,BVB,DE,1,EUR,,t-1,,',
    );
    const corrected = await importCsv(
      '2023-07-01,transfer,Jude Bellingham,2003-06-29,BVB,DE,Real Madrid,ES,103000000,EUR,,,,',
      '2023-08-15,loan,Jude Bellingham,2003-06-29,Real Madrid,ES,BVB,DE,,,,t-1,,',
    );
    assert.deepEqual(counts(corrected), [2, 2, 0, 0]);
    assert.deepEqual(short(await ask(jude)), [
      ['2023-08-15', 'loan', 'Real Madrid', 'Borussia Dortmund'],
      ['2023-07-01', 'transfer', 'Borussia Dortmund', 'Real Madrid'],
    ]);
  });

  it('are imported without bad rows, which are reported with line numbers', async () => {
    const dortmund = await fed.participantId('Borussia Dortmund');
    const player = 'Jude Bellingham,2003-06-29';
    const move = 'BVB,DE,Real Madrid,ES';
    const summary = await importCsv(
      `2023-07-01,transfer,${player},${move},,,,,,`,
      `2023-07-01,transfer,${player},BVB,DE,Borussia Dortmund,DE,,,,,,`,
      `2023-07-01,transfer,${player},Nowhere FC,,nowhere f.c.,,,,,,,`,
      `2023-07-01,transfer,${player},,,,,,,,,,`,
      `2025-06-22,transfer,${player},${move},,,,,,`,
      `2025-06-20,transfer,${player},${move},,,,,,`,
      `1.7.2023,transfer,${player},${move},,,,,,`,
      `2023-07-02,sale,${player},${move},,,,,,`,
      `2023-07-02,transfer,${player},${move},free,EUR,,,,`,
      `2023-07-02,transfer,${player},${move},-5,EUR,,,,`,
      `2023-07-02,transfer,${player},${move},5000000,EURO,,,,`,
      `2023-07-02,transfer,${player},${move},5000000,,,,,`,
      `2023-07-02,transfer,${player},${move},1e30,EUR,,,,`,
      `2023-07-02,loan,${player},${move},,,2023-06-30,,,`,
      `2023-07-02,transfer,${player},${move},,,2024-06-30,,,`,
      `2023-07-02,transfer,Nobody Known,,${move},,,,,,`,
      `2003-06-01,transfer,${player},${move},,,,,,`,
      `2023-07-01,transfer,${player},Borussia Dortmund,DE,Real Madrid CF,ES,,,,,,`,
      `2023-07-02,transfer,x,,${move},,,,,${dortmund},`,
      `2023-07-02,transfer,${player},BVB,DE,x,,,,,,,4711000`,
      `2023-07-02,transfer,,,${move},,,,,,`,
    );
    assert.deepEqual(counts(summary), [21, 2, 0, 19]);
    const at = (line: number) =>
      reasons(summary)
        .find((reason) => reason.startsWith(`${line}: `))
        ?.slice(String(line).length + 2);
    assert.equal(at(3), 'Borussia Dortmund is both the club before and the club after');
    assert.equal(at(4), 'nowhere f.c. is both the club before and the club after');
    assert.equal(at(5), 'neither the club before nor the club after is given');
    assert.equal(at(6), 'the date 2025-06-22 is more than a year in the future');
    assert.equal(at(8), 'the date "1.7.2023" is not a day such as 2024-07-01');
    assert.equal(at(9), 'the type "sale" is not one of transfer, loan, loan_return, other');
    assert.equal(
      at(10),
      'the fee "free" is not a number such as 15000000: write 0 for a free transfer, and nothing if the fee is not known',
    );
    assert.equal(at(11), 'the fee -5 is below 0');
    assert.equal(at(12), 'the fee_currency "EURO" is not an ISO 4217 code such as EUR');
    assert.equal(at(13), 'the fee 5000000 has no currency');
    assert.equal(at(14), 'the fee 1e30 is above 100000000000');
    assert.equal(at(15), 'loan_until 2023-06-30 is before the loan');
    assert.equal(at(16), 'loan_until is given for a transfer: only a loan has it');
    assert.equal(at(17), 'the player Nobody Known is not known, and without its birth_date or id it cannot be created');
    assert.equal(at(18), 'the player was born after the transfer');
    assert.equal(at(19), 'repeats an earlier transfer');
    assert.equal(
      at(20),
      `participant ${dortmund} is the team Borussia Dortmund (football, men), not a player (football, men)`,
    );
    assert.equal(at(21), 'there is no participant 4711000');
    assert.equal(at(22), 'the name is missing');
  });

  describe('that line-ups prove', () => {
    const HOME = { name: 'Real Madrid', country: 'ES' };
    const player = { id: 'p1', name: 'Jude Bellingham', birth_date: '2003-06-29' };
    let id = 0;
    const match = (
      team: { name: string; country: string },
      day: string,
      over: Partial<MatchUpdateInput['match']> = {},
    ) => ({
      id: `m${++id}`,
      sport: 'football',
      tournament: { name: `League of ${team.country}`, country: team.country },
      season: { label: day.slice(0, 4) },
      home: team,
      away: { name: `Others of ${team.country}`, country: team.country },
      scheduled_start: `${day}T15:00:00Z`,
      status: 'finished' as const,
      score: { home: 0, away: 0 },
      lineups: [{ side: 'home' as const, player, position: 'M', shirt_number: '5', is_substitute: false }],
      ...over,
    });
    const DORTMUND = { name: 'Borussia Dortmund', country: 'DE' };

    it('have the type "other", for the player and both teams, and do not count national and youth national teams as clubs', async () => {
      await fed.matches(
        match(DORTMUND, '2022-09-01'),
        match({ name: 'England', country: 'GB-ENG' }, '2022-11-21', {
          tournament: { name: 'FIFA World Cup', country: 'INT' },
        }),
        match({ name: 'England U21', country: 'GB-ENG' }, '2022-11-25', {
          tournament: { name: 'U21 Euro', country: 'INT' },
        }),
        match(DORTMUND, '2023-05-01'),
        match(HOME, '2023-08-12'),
        match({ name: 'Chelsea', country: 'GB-ENG' }, '2024-02-12', { status_detail: 'cancelled', score: null }),
        // A line-up for a match that was not played, or has not begun, does not prove a move.
        match({ name: 'Chelsea', country: 'GB-ENG' }, '2024-08-12', { status: 'scheduled', score: null }),
      );
      const jude = await fed.participantId('Jude Bellingham');
      const [dortmund, madrid] = [await fed.participantId('Borussia Dortmund'), await fed.participantId('Real Madrid')];
      for (const subject of [jude, dortmund!, madrid!]) {
        const { total, transfers } = await ask(subject);
        assert.equal(total, 1);
        const { date, type, derived, player_id, from_team_id, to_team_id, fee } = transfers[0]!;
        assert.deepEqual([date, type, derived, fee], ['2023-08-12', 'other', true, null]);
        assert.deepEqual([player_id, from_team_id, to_team_id], [jude, dortmund, madrid]);
      }
      for (const name of ['England', 'England U21', 'Others of ES'])
        assert.equal((await ask(await fed.participantId(name))).total, 0);
      // The listed move replaces the derived one.
      await importCsv('2023-07-01,transfer,Jude Bellingham,2003-06-29,BVB,DE,Real Madrid,ES,103000000,EUR,,,,');
      assert.deepEqual(short(await ask(jude)), [['2023-07-01', 'transfer', 'Borussia Dortmund', 'Real Madrid']]);
      assert.equal((await ask(madrid!)).total, 1);
    });

    it('have the period in which the player moved, and the day of the player’s first appearance', async () => {
      await fed.matches(match(DORTMUND, '2023-05-20'), match(HOME, '2023-09-08'));
      const [move] = (await ask(await fed.participantId('Jude Bellingham'))).transfers;
      assert.deepEqual([move!.date, move!.date_precision, move!.seen_on], ['2023-09-08', 'window', '2023-09-08']);
    });

    it('have no day if only a goal mentions the player, or after an absence of more than a season', async () => {
      const goal = (day: string) =>
        match(HOME, day, {
          lineups: [],
          incidents: [
            {
              minute: 10,
              minute_plus: null,
              period: '1H',
              kind: 'goal',
              side: 'home',
              player,
              payload: { goal_type: 'regular' },
            },
          ],
          score: { home: 1, away: 0 },
        });
      await fed.matches(match(DORTMUND, '2022-09-01'), goal('2023-01-12'));
      const jude = await fed.participantId('Jude Bellingham');
      const brief = async () =>
        (await ask(jude)).transfers.map(({ date, date_precision, seen_on, season, from_team, to_team }) => [
          date,
          date_precision,
          seen_on,
          season,
          from_team,
          to_team,
        ]);
      const [[date, precision, seen, season, ...teams] = []] = await brief();
      assert.deepEqual(
        [date, precision, seen, ...teams],
        [null, 'season', '2023-01-12', 'Borussia Dortmund', 'Real Madrid'],
      );
      assert.match(season!, /2023/);
      await fed.matches(match({ name: 'Chelsea', country: 'GB-ENG' }, '2024-06-01'));
      assert.deepEqual((await brief())[0]!.toSpliced(3, 1), [null, 'unknown', '2024-06-01', null, 'Chelsea']);
    });

    it('begin and end with the first and last appearance for each club, also if it is the only one', async () => {
      const other = { id: 'p2', name: 'Erling Haaland', birth_date: '2000-07-21' };
      const both = (team: typeof HOME, day: string) =>
        match(team, day, {
          lineups: [player, other].map((one, index) => ({
            side: 'home' as const,
            player: one,
            position: 'M',
            shirt_number: String(index + 5),
            is_substitute: false,
          })),
        });
      const YOUTH = { tournament: { name: 'Primavera 1', country: 'ES' } };
      await fed.matches(
        match(DORTMUND, '2021-09-01'),
        both(DORTMUND, '2022-05-01'),
        both(DORTMUND, '2022-12-01'),
        match(HOME, '2023-08-12'),
        match(DORTMUND, '2023-12-01'),
        match(DORTMUND, '2024-01-10'),
        match(HOME, '2024-05-01'),
        match(HOME, '2024-06-10'),
        match({ name: 'Chelsea', country: 'GB-ENG' }, '2024-06-15', YOUTH),
      );
      await fed.db.pool.query(
        "UPDATE tournament SET youth = true WHERE id = (SELECT id FROM tournament WHERE name = 'Primavera 1')",
      );
      const moved = async (name: string) =>
        (await ask(await fed.participantId(name))).transfers.map(({ seen_on, from_team, to_team, date_precision }) =>
          [seen_on, from_team, to_team, date_precision].join(' '),
        );
      const own = [
        '2024-05-01 Borussia Dortmund Real Madrid window',
        '2023-12-01 Real Madrid Borussia Dortmund window',
        '2023-08-12 Borussia Dortmund Real Madrid window',
      ];
      assert.deepEqual(await moved('Jude Bellingham'), own);
      assert.deepEqual(await moved('Real Madrid'), own);
      assert.deepEqual(await moved('Erling Haaland'), []);
    });

    it('exclude a player who stays on the bench', async () => {
      await fed.matches(
        match(DORTMUND, '2022-09-01'),
        match(HOME, '2023-08-12', {
          lineups: [{ side: 'home', player, position: 'M', shirt_number: '5', is_substitute: true }],
        }),
      );
      assert.equal((await ask(await fed.participantId('Jude Bellingham'))).total, 0);
    });
  });
});
