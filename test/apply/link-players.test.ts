import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { linkPlayers } from '../../src/apply/player-links/link-players.ts';
import { findParticipant } from '../../src/catalogue/queries.ts';
import { topScorers } from '../../src/competitions/scorers.ts';
import { linkLines } from '../../src/importers/link-players.ts';
import { playerLinks } from '../../src/jobs/player-links.ts';
import { type FeedUpdateInput, feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';

type Incident = NonNullable<MatchUpdateInput['match']['incidents']>[number];
type Lineups = NonNullable<MatchUpdateInput['match']['lineups']>;

const goal = (minute: number, name: string, assist?: string, over: Partial<Incident> = {}): Incident => ({
  minute,
  minute_plus: null,
  period: minute > 45 ? '2H' : '1H',
  kind: 'goal',
  side: 'home',
  player: { name },
  ...(assist !== undefined && { assist: { name: assist } }),
  payload: { goal_type: 'regular' },
  ...over,
});
const card = (minute: number, name: string, card_type = 'yellow'): Incident =>
  goal(minute, name, undefined, { kind: 'card', payload: { card_type } });

const player = (name: string, birth_date: string, country: string, over: object = {}): FeedUpdateInput => ({
  schema: 1,
  kind: 'participant',
  provider: 'people',
  observed_at: '2024-01-01T00:00:00Z',
  participant: { type: 'player', sport: 'football', name, birth_date, country, ...over },
});

const lineup = (...names: string[]): Lineups =>
  names.map((name) => ({ side: 'home', player: { name }, is_substitute: false }));

describe('player names in matches', () => {
  let bench: FeedBench;
  beforeEach(async () => {
    bench = await openFeedBench();
  });
  afterEach(() => bench.db.drop());

  const take = async (...updates: FeedUpdateInput[]) => {
    const results = await applyUpdates(
      bench.deps,
      updates.map((update) => feedUpdate.parse(update)),
      { events: false },
    );
    for (const result of results) assert.notEqual(result.outcome, 'rejected', JSON.stringify(result));
    return results.map(({ matchId }) => matchId!);
  };
  const takeMatch = async (id: string, match: object) => {
    const [matchId] = await take(
      bench.update({
        id,
        home: { name: 'Liverpool', country: 'GB-ENG' },
        away: { name: 'Everton', country: 'GB-ENG' },
        ...match,
      }),
    );
    return matchId!;
  };
  const link = async () => (await linkPlayers(bench.deps))!;
  const participants = async () => {
    const { rows } = await bench.db.pool.query<{ name: string; key: string; id: number; person: string | null }>(
      `SELECT p.id, p.name, p.key, q.name AS person FROM participant p LEFT JOIN participant q ON q.id = p.person_id
       WHERE p.type = 'player' ORDER BY p.key`,
    );
    return rows;
  };
  const idOf = async (name: string) => (await participants()).find((one) => one.name === name)!.id;

  it('become links to the player in cards, player rows and scorer lists', async () => {
    await take(player('Mohamed Salah', '1992-06-15', 'EG'), player('Andrew Robertson', '1994-03-11', 'GB-SCT'));
    const id = await takeMatch('m', {
      status: 'finished',
      score: { home: 1, away: 0 },
      incidents: [goal(10, 'Salah M.', 'Robertson A.'), card(60, 'Salah M.')],
    });
    assert.equal((await bench.card(id)).incidents![0]!.player_participant_id, null);
    await bench.db.pool.query('DELETE FROM match_touch');
    bench.published.length = 0;
    const { figures, linked, matches } = await link();
    assert.deepEqual([figures, linked, matches], [2, 2, 1]);
    const shown = await bench.card(id);
    const [salah, robertson] = [await idOf('Mohamed Salah'), await idOf('Andrew Robertson')];
    const [scored, carded] = shown.incidents!;
    assert.deepEqual(
      [
        scored!.player_participant_id,
        scored!.assist_participant_id,
        carded!.player_participant_id,
        scored!.player_name,
      ],
      [salah, robertson, salah, 'Mohamed Salah'],
    );
    const { rows } = await bench.db.pool.query('SELECT season_id FROM match');
    const scorers = await topScorers(bench.db.pool, rows[0].season_id, 10);
    assert.deepEqual(
      scorers.map(({ participant_id, player_name, goals }) => [participant_id, player_name, goals]),
      [[salah, 'Mohamed Salah', 1]],
    );
    assert.deepEqual(bench.published, [id]);
    const touches = await bench.db.pool.query('SELECT match_id FROM match_touch');
    assert.deepEqual(touches.rows, [{ match_id: id }]);
    assert.deepEqual(await bench.events(), []);
  });

  it('cause no change if they are linked again, or if the same update is sent again', async () => {
    await take(player('Mohamed Salah', '1992-06-15', 'EG'));
    const match = {
      status: 'finished',
      score: { home: 1, away: 0 },
      incidents: [goal(10, 'Salah M.', 'Jones C.')],
      lineups: lineup('Salah M.', 'Jones C.'),
    };
    const id = await takeMatch('m', match);
    await link();
    const before = await bench.footprint(id);
    assert.equal((await link()).matches, 0);
    await takeMatch('m', match);
    assert.equal((await link()).matches, 0);
    assert.deepEqual(await bench.footprint(id), before);
  });

  it('belong to a new participant until the player is known, and that participant’s id stays valid after the merge', async () => {
    const id = await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    const own = (await bench.card(id)).incidents![0]!.player_participant_id!;
    assert.equal((await findParticipant(bench.db.pool, own, new Date()))!.name_i18n.en, 'Salah M.');
    await take(player('Mohamed Salah', '1992-06-15', 'EG'));
    assert.deepEqual((({ matches, joined }) => [matches, joined])(await link()), [1, 1]);
    const person = await idOf('Mohamed Salah');
    assert.equal((await bench.card(id)).incidents![0]!.player_participant_id, person);
    assert.equal((await findParticipant(bench.db.pool, own, new Date()))!.id, person);
    const { rows } = await bench.db.pool.query('SELECT 1 FROM participant_alias WHERE participant_id = $1', [own]);
    assert.deepEqual(rows, []);
  });

  it('leave no merged participant after an import if no service has shown that participant', async () => {
    const joined = async () => (await participants()).flatMap(({ person }) => person ?? []);
    await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await linkLines(bench.deps);
    await take(player('Mohamed Salah', '1992-06-15', 'EG'));
    await linkLines(bench.deps);
    assert.deepEqual(await joined(), []);
    await takeMatch('n', { incidents: [goal(20, 'Jota D.')], scheduled_start: '2024-02-01T12:00:00Z' });
    await linkLines(bench.deps);
    await bench.db.pool.query("INSERT INTO job (name, added_at) VALUES ('housekeeping', now())");
    await take(player('Diogo Jota', '1996-12-04', 'PT'));
    await linkLines(bench.deps);
    assert.deepEqual(await joined(), ['Diogo Jota']);
  });

  it('lose a link when a second player fits the name as well', async () => {
    await take(player('Mohamed Salah', '1992-06-15', 'EG'));
    const id = await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    await take(player('Mahmoud Salah', '1993-06-15', 'EG'));
    const { doubtful } = await link();
    assert.equal(doubtful.length, 1);
    const shown = (await bench.card(id)).incidents![0]!.player_participant_id!;
    assert.equal((await findParticipant(bench.db.pool, shown, new Date()))!.name_i18n.en, 'Salah M.');
  });

  it('leave no participant if the name is removed from the match', async () => {
    await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    await takeMatch('m', { incidents: [goal(10, 'Nunez D.')] });
    assert.equal((await link()).deleted, 1);
    assert.deepEqual(
      (await participants()).map(({ name }) => name),
      ['Nunez D.'],
    );
  });

  it('are looked up on the opposing side for an own goal’s scorer', async () => {
    await take(player('Michael Keane', '1993-01-11', 'GB-ENG'));
    const id = await takeMatch('m', {
      incidents: [
        goal(10, 'Keane M.', undefined, { payload: { goal_type: 'own_goal' } }),
        { ...card(20, 'Keane M.'), side: 'away' },
      ],
    });
    await link();
    const { rows } = await bench.db.pool.query(
      'SELECT side, participant_id, goals, yellow_cards FROM match_player WHERE match_id = $1',
      [id],
    );
    assert.deepEqual(rows, [{ side: 'away', participant_id: await idOf('Michael Keane'), goals: 0, yellow_cards: 1 }]);
  });

  it('stand for two players if one line-up lists the name twice', async () => {
    await take(player('Jacob Murphy', '1995-02-24', 'GB-ENG'));
    const id = await takeMatch('m', { lineups: lineup('Murphy J.', 'Murphy Ja.') });
    await link();
    const ids = (await bench.card(id)).lineups!.map(({ player_participant_id }) => player_participant_id);
    assert.equal(new Set(ids).size, 2);
  });

  it('are linked at once in a live feed if an earlier match had them, and otherwise by the job', async () => {
    await take(player('Mohamed Salah', '1992-06-15', 'EG'));
    const sides = { home: { name: 'Liverpool', country: 'GB-ENG' }, away: { name: 'Everton', country: 'GB-ENG' } };
    await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    const salah = await idOf('Mohamed Salah');
    const live = { id: 'next', scheduled_start: '2024-05-08T14:00:00Z', status: 'live', ...sides } as const;
    const id = await bench.accept({ ...live, incidents: [goal(10, 'Salah M.')] });
    assert.equal((await bench.card(id)).incidents![0]!.player_participant_id, salah);
    await bench.accept({ ...live, incidents: [goal(10, 'Salah M.'), goal(20, 'Jones C.')] });
    assert.equal((await bench.card(id)).incidents![1]!.player_participant_id, null);
    await bench.events();
    const loop = startTestJob(playerLinks, bench.deps);
    await linkedIn(id, 1);
    await loop.stop();
    assert.deepEqual(await bench.events(), []);
    const known = (await bench.card(id)).incidents![1]!.player_participant_id;
    await bench.accept({ ...live, incidents: [goal(10, 'Salah M.'), goal(20, 'Jones C.'), goal(30, 'Jones C.')] });
    const [event] = await bench.events();
    assert.equal(event!.type, 'match.goal');
    assert.deepEqual(
      (await bench.card(id)).incidents!.map(({ player_participant_id }) => player_participant_id),
      [salah, known, known],
    );
  });
  const linkedIn = async (match: number, at: number) => {
    for (;;) {
      if ((await bench.card(match)).incidents![at]!.player_participant_id !== null) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it('are replaced everywhere when a player with an id replaces the name', async () => {
    await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    await takeMatch('m', {
      incidents: [{ ...goal(10, 'x'), player: { name: 'Mohamed Salah', birth_date: '1992-06-15' } }],
    });
    assert.equal((await link()).figures, 0);
    assert.deepEqual(
      (await participants()).map(({ name }) => name),
      ['Mohamed Salah'],
    );
  });

  it('belong to the player whom another source identifies in the same match', async () => {
    await take(player('Mahmoud Salah', '1993-06-15', 'EG'));
    const id = await takeMatch('m', {
      lineups: [{ side: 'home', player: { name: 'Mohamed Salah', birth_date: '1992-06-15' }, is_substitute: false }],
    });
    await takeMatch('m', { incidents: [goal(10, 'Salah M.')] });
    await link();
    assert.equal((await bench.card(id)).incidents![0]!.player_participant_id, await idOf('Mohamed Salah'));
  });

  it('are joined if an earlier release took one person’s later career for another person’s, and former ids stay valid', async () => {
    const fiji = (id: string, year: number) =>
      takeMatch(id, {
        tournament: { name: 'Nations Cup', country: 'INT' },
        home: { name: 'Fiji', country: 'INT' },
        away: { name: 'Tahiti', country: 'INT' },
        scheduled_start: `${year}-06-01T12:00:00Z`,
        incidents: [goal(10, 'Roy Krishna')],
      });
    const matches = [await fiji('a', 2008), await fiji('b', 2016), await fiji('c', 2024)];
    const earlier = async (year: number) => {
      const { rows } = await bench.db.pool.query<{ id: number }>(
        `INSERT INTO participant (type, sport, name, country, key) VALUES ('player', 'football', 'Roy Krishna', 'FJ', $1) RETURNING id`,
        [`|name:FJ|national team fiji:roy krishna:${year}`],
      );
      return rows[0]!.id;
    };
    const [second, third] = [await earlier(2016), await earlier(2024)];
    await bench.db.pool.query('UPDATE player_mention SET participant_id = $1 WHERE match_id = $2', [
      second,
      matches[1],
    ]);
    assert.equal((await link()).joined, 2);
    const [one] = await participants();
    assert.equal(one!.person, null);
    for (const id of [second, third]) assert.equal((await findParticipant(bench.db.pool, id, new Date()))!.id, one!.id);
    for (const match of matches) assert.equal((await bench.card(match)).incidents![0]!.player_participant_id, one!.id);
    assert.equal((await link()).joined, 0);
  });

  it('stand for two players if one line-up lists twins, and incidents in that update name the right twin', async () => {
    const twin = (name: string) => ({ name, birth_date: '1970-05-15' });
    const id = await takeMatch('m', {
      lineups: ['Ronald Boer', 'Robert Boer', 'Frank Other'].map((name) => ({
        side: 'home',
        player: twin(name),
        is_substitute: false,
      })),
      incidents: [goal(10, 'x', undefined, { player: twin('Robert Boer') })],
    });
    const { lineups, incidents } = await bench.card(id);
    const ids = lineups!.map(({ player_participant_id }) => player_participant_id);
    assert.equal(new Set(ids).size, 3);
    assert.equal(incidents![0]!.player_participant_id, ids[1]);
    assert.deepEqual(
      (await participants()).map(({ key }) => key),
      ['|1970-05-15|f|other', '|1970-05-15|robert boer', '|1970-05-15|ronald boer'],
    );
  });

  it('stand for one player even if two matches’ line-ups spell the name differently', async () => {
    for (const [id, name] of [
      ['m', 'Joe Gomez'],
      ['n', 'Joseph Gomez'],
    ] as const)
      await takeMatch(id, {
        lineups: [{ side: 'home', player: { name, birth_date: '1997-05-23' }, is_substitute: false }],
      });
    assert.equal((await participants()).length, 1);
  });

  it('may have emoji, combining marks and SQL wildcards', async () => {
    const names = ['⚽️', `Z${'\u0301'.repeat(80)}algo`, '%_%', "O'Brien; DROP TABLE match", 'a'.repeat(80), '.', 'J.'];
    const id = await takeMatch('m', { lineups: lineup(...names) });
    await link();
    const ids = (await bench.card(id)).lineups!.map(({ player_participant_id }) => player_participant_id);
    assert.ok(ids.every((one) => one !== null));
    assert.equal((await link()).matches, 0);
  });

  it('give the same links in any file order, and after interruptions', async () => {
    const people = [
      player('Mohamed Salah', '1992-06-15', 'EG'),
      player('Curtis Jones', '2001-01-30', 'GB-ENG'),
      player('Callum Jones', '1999-04-14', 'GB-ENG'),
    ];
    const matches = [1, 2, 3].map((month) =>
      bench.update({
        id: `m${month}`,
        home: { name: month === 2 ? 'Everton' : 'Liverpool', country: 'GB-ENG' },
        away: { name: 'Arsenal', country: 'GB-ENG' },
        scheduled_start: `2024-0${month}-01T14:00:00Z`,
        incidents: [goal(10, 'Salah M.', 'Jones C.'), goal(50, 'Elliott H.')],
      }),
    );
    const outcome = async (updates: FeedUpdateInput[], pauseAfter: number) => {
      const other = await openFeedBench();
      try {
        for (const [at, update] of updates.entries()) {
          await applyUpdates(other.deps, [feedUpdate.parse(update)], { events: false });
          if (at === pauseAfter) await linkPlayers(other.deps);
        }
        // The run is killed when only some matches are written.
        const dies = { now: () => other.now, publish: () => assert.fail('killed') };
        await assert.rejects(linkPlayers({ ...other.deps, changes: dies }), /killed/);
        await linkPlayers(other.deps);
        const { rows } = await other.db.pool.query(
          `SELECT e.external_id, r.side, r.name, p.key FROM player_mention r JOIN external_ref e ON e.entity = 'match' AND e.entity_id = r.match_id
             JOIN participant p ON p.id = r.participant_id ORDER BY 1, 2, 3`,
        );
        const people = await other.db.pool.query(
          "SELECT key, name FROM participant WHERE type = 'player' AND person_id IS NULL ORDER BY 1",
        );
        const goals = await other.db.pool.query(
          'SELECT side, p.key, goals, assists FROM match_player JOIN participant p ON p.id = participant_id ORDER BY 1, 2, 3, 4, match_id',
        );
        return { links: rows, people: people.rows, goals: goals.rows };
      } finally {
        await other.db.drop();
      }
    };
    const all = [...people, ...matches];
    const first = await outcome(all, 99);
    assert.equal(first.links.length, 9);
    for (const [order, pause] of [
      [[5, 4, 3, 2, 1, 0], 3],
      [[3, 0, 4, 1, 5, 2], 2],
    ] as const)
      assert.deepEqual(
        await outcome(
          order.map((at) => all[at]!),
          pause,
        ),
        first,
      );
  });
});
