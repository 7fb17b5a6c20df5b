import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { linkPlayers } from '../../src/apply/player-links/link-players.ts';
import { markCoaches } from '../../src/apply/resolve/coach-cards.ts';
import { playerLinks } from '../../src/jobs/player-links.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';

type Incident = NonNullable<MatchUpdateInput['match']['incidents']>[number];
type Side = 'home' | 'away';

const card = (name: string, over: Partial<Incident> = {}): Incident => ({
  minute: 60,
  kind: 'card',
  side: 'home',
  player: { name },
  payload: { card_type: 'yellow' },
  ...over,
});
const given = (name: string, over: Partial<Incident> = {}) =>
  card(name, { payload: { card_type: 'red', role: 'coach' }, ...over });
const lineup = (side: Side, ...names: string[]) =>
  names.map((name) => ({ side, player: { name }, is_substitute: false }));
const coach = (side: Side, coach_name: string) => ({ side, coach_name });

/** Liverpool plays at home, while "Klopp J." is listed as its coach. */
const LIVERPOOL: MatchFields = {
  home: { name: 'Liverpool', country: 'GB-ENG' },
  away: { name: 'Everton', country: 'GB-ENG' },
  scheduled_start: '2024-02-10T15:00:00Z',
};

describe('cards shown to coaches', () => {
  let bench: FeedBench;
  beforeEach(async () => {
    bench = await openFeedBench();
  });
  afterEach(() => bench.db.drop());

  const take = async (match: MatchFields, events = false) => {
    const update = feedUpdate.parse(bench.update({ id: 'm', ...LIVERPOOL, ...match }));
    const [result] = await applyUpdates(bench.deps, [update], { events });
    assert.notEqual(result!.outcome, 'rejected', JSON.stringify(result));
    return result!.matchId!;
  };
  const link = async () => (await linkPlayers(bench.deps))!;
  /** Returns each card's name and role, and whether a player is linked. */
  const cards = async (id: number) =>
    (await bench.card(id))
      .incidents!.filter(({ kind }) => kind === 'card')
      .map(({ player_name, payload, player_participant_id }) => [
        player_name,
        payload.role ?? null,
        player_participant_id !== null,
      ]);
  const names = async (sql: string) => (await bench.db.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  const players = () => names("SELECT name FROM participant WHERE type = 'player' ORDER BY name");
  const rows = () => names('SELECT player_name AS name FROM match_player ORDER BY name');
  const mentions = () => names("SELECT name FROM player_mention WHERE block = 'incidents' ORDER BY name");

  it('a card that the provider marks as a coach’s names no player, with or without an id', async () => {
    const id = await take({
      incidents: [given('Boss A.'), given('Aide B.', { player: { id: 'c2', name: 'Aide B.' } })],
    });
    await link();
    assert.deepEqual(await cards(id), [
      ['Boss A.', 'coach', false],
      ['Aide B.', 'coach', false],
    ]);
    assert.deepEqual([await players(), await rows(), await mentions()], [[], [], []]);
  });

  it('a name belongs to a coach if the reviewed list of coaches has it for that team at that time', async () => {
    const id = await take({ incidents: [card('Klopp J.'), card('Jones C.')] });
    await link();
    assert.deepEqual(await cards(id), [
      ['Klopp J.', 'coach', false],
      ['Jones C.', null, true],
    ]);
    assert.deepEqual([await players(), await rows(), await mentions()], [['Jones C.'], ['Jones C.'], ['Jones C.']]);
    // In these matches, the name is a player's.
    const others: MatchFields[] = [
      { id: 'side', incidents: [card('Klopp J.', { side: 'away' })] },
      { id: 'time', scheduled_start: '2014-02-10T15:00:00Z', incidents: [card('Klopp J.')] },
      {
        id: 'scorer',
        incidents: [card('Klopp J.'), card('Klopp J.', { kind: 'goal', payload: { goal_type: 'regular' } })],
      },
      {
        id: 'replaced',
        incidents: [card('Klopp J.'), card('A', { kind: 'subst', payload: { player_out: 'Klopp J.' } })],
      },
      { id: 'women', tournament: { name: 'Women', country: 'GB-ENG', gender: 'women' }, incidents: [card('Klopp J.')] },
    ];
    for (const other of others) {
      const match = await take(other);
      await link();
      assert.deepEqual((await cards(match))[0], ['Klopp J.', null, true], other.id);
    }
  });

  it('a person is a coach if the side’s coaches include them and no line-up does', async () => {
    const id = await take({
      incidents: [
        card('Gaffer T.'),
        card('Tom Gaffer', { side: 'away' }),
        card('Sub Z.'),
        card('Boss A.', { side: 'away' }),
      ],
      lineups: lineup('home', 'Alpha A.', 'Beta B.'),
      coaches: [coach('home', 'Tom Gaffer'), coach('away', 'Anna Boss')],
    });
    await link();
    // The away side has no line-up.
    assert.deepEqual(await cards(id), [
      ['Gaffer T.', 'coach', false],
      ['Tom Gaffer', null, true],
      ['Sub Z.', null, true],
      ['Boss A.', null, true],
    ]);
  });

  it('a coach who is in the line-up counts as a player, whatever the list or the provider says', async () => {
    const id = await take({
      incidents: [given('Gaffer T.'), card('Klopp J.'), card('Boss A.')],
      lineups: lineup('home', 'Gaffer T.', 'Jürgen Klopp', 'Anna Boss'),
      coaches: [coach('home', 'Tom Gaffer'), coach('home', 'Boss A.')],
    });
    await link();
    assert.deepEqual(await cards(id), [
      ['Gaffer T.', null, true],
      ['Klopp J.', null, true],
      ['Boss A.', null, true],
    ]);
  });

  it('incidents with another role, kind or structure stay unchanged', async () => {
    const odd = [
      card('Cap A.', { payload: { card_type: 'yellow', role: 'captain' } }),
      card('Cap B.', { payload: { role: ['coach'] } }),
      card('Cap C.', { payload: { role: null } }),
      card('Cap D.', { kind: 'goal', payload: { goal_type: 'regular', role: 'coach' } }),
      card('Cap E.', { side: null, payload: { role: 'coach' }, player: { id: 'e', name: 'Cap E.' } }),
      { kind: 'card', payload: { role: 'coach' } },
    ];
    const id = await take({ incidents: odd });
    await link();
    const shown = (await bench.card(id)).incidents!;
    assert.deepEqual(
      shown.map(({ payload }) => payload),
      odd.map(({ payload }) => payload),
    );
    assert.deepEqual(await players(), ['Cap A.', 'Cap B.', 'Cap C.', 'Cap D.']);
  });

  it('a namesake on the opposing side is a player', async () => {
    const id = await take({ incidents: [given('Boss A.'), card('Boss A.', { side: 'away' })] });
    await link();
    assert.deepEqual(await cards(id), [
      ['Boss A.', 'coach', false],
      ['Boss A.', null, true],
    ]);
    assert.deepEqual(await rows(), ['Boss A.']);
  });

  it('a coach who has an id and was named before the match does not become a participant in the catalogue', async () => {
    await take({ lineups: lineup('home', 'Alpha A.'), coaches: [coach('home', 'Tom Gaffer')] }, true);
    const id = await take({ incidents: [card('Tom Gaffer', { player: { id: 'c1', name: 'Tom Gaffer' } })] }, true);
    assert.deepEqual(await cards(id), [['Tom Gaffer', 'coach', false]]);
    await take({ incidents: [card('Tim Other', { player: { id: 'p1', name: 'Tim Other' } })] }, true);
    assert.deepEqual(await cards(id), [['Tim Other', null, true]]);
    assert.deepEqual(await players(), ['Tim Other']);
  });

  it('the order of incidents, line-ups and coaches makes no difference, and neither do repeats', async () => {
    const parts: MatchFields[] = [
      { incidents: [card('Gaffer T.'), card('Beta B.'), card('Klopp J.')] },
      { lineups: lineup('home', 'Alpha A.', 'Beta B.', 'Jürgen Klopp') },
      { coaches: [coach('home', 'Tom Gaffer')] },
    ];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const match = { id: order.join('') };
      const id = await take({ ...match, status: 'live' }, true);
      for (const at of order) await take({ ...match, ...parts[at] }, true);
      await link();
      assert.deepEqual(
        await cards(id),
        [
          ['Gaffer T.', 'coach', false],
          ['Beta B.', null, true],
          ['Klopp J.', null, true],
        ],
        match.id,
      );
    }
    assert.deepEqual(await players(), ['Alpha A.', 'Beta B.', 'Jürgen Klopp', 'Klopp J.']);
    assert.equal(
      await names("SELECT name FROM player_mention WHERE name = 'Gaffer T.'").then(({ length }) => length),
      0,
    );
  });

  it('a feed that repeats incidents causes no event, and line-ups that reveal a coach cause one', async () => {
    const incidents = [card('Gaffer T.'), card('Klopp J.')];
    const match = { status: 'live', score: { home: 0, away: 0 } } as const;
    const id = await take({ ...match, incidents }, true);
    assert.deepEqual(types(await bench.events()), ['match.created', 'match.card', 'match.card']);
    const before = await bench.footprint(id);
    await take({ ...match, incidents }, true);
    await link();
    await take({ ...match, incidents }, true);
    assert.deepEqual(await bench.events(), []);
    assert.notDeepEqual(await bench.footprint(id), before, 'Gaffer is linked');
    await take({ lineups: lineup('home', 'Alpha A.'), coaches: [coach('home', 'Tom Gaffer')] }, true);
    const events = await bench.events();
    assert.deepEqual(types(events), ['match.lineup_updated', 'match.incident_updated']);
    const { payload, player_participant_id } = events[1]!.data.incident!;
    assert.deepEqual([payload, player_participant_id], [{ card_type: 'yellow', role: 'coach' }, null]);
    await take({ ...match, incidents }, true);
    assert.deepEqual(await bench.events(), []);
    assert.deepEqual([await rows(), await mentions()], [['Alpha A.'], []]);
    await link();
    assert.deepEqual(await players(), ['Alpha A.']);
  });

  it('a card that an earlier release attributed to a player is repaired, even after a kill', async () => {
    const ids: number[] = [];
    for (const at of [1, 2, 3]) ids.push(await take({ id: `m${at}`, incidents: [card('Klopp J.'), card('Jones C.')] }));
    const second = { lineups: lineup('home', 'Alpha A.'), coaches: [coach('home', 'Tom Gaffer')] };
    ids.push(await take({ id: 'm4', incidents: [card('Gaffer T.')], ...second }));
    const now = await Promise.all(ids.map((id) => cards(id)));
    // Stores the match as the earlier release did.
    await bench.db.pool.query(`
      UPDATE match_block SET json = replace(json, ',"role":"coach"', '') WHERE block = 'incidents';
      INSERT INTO player_mention (match_id, block, side, name, goals, played)
        SELECT match_id, 'incidents', 'home', 'Klopp J.', 0, false FROM match_block WHERE json LIKE '%Klopp J.%'
        UNION ALL SELECT match_id, 'incidents', 'home', 'Gaffer T.', 0, false FROM match_block WHERE json LIKE '%Gaffer T.%';
      INSERT INTO participant (type, sport, gender, key, name) VALUES
        ('player', 'football', 'men', '|name:GB-ENG|liverpool:klopp j', 'Klopp J.'),
        ('player', 'football', 'men', '|name:GB-ENG|liverpool:gaffer t', 'Gaffer T.');
      UPDATE player_mention r SET participant_id = p.id FROM participant p WHERE p.name = r.name;
      INSERT INTO match_player (match_id, side, player_key, participant_id, player_name, appeared, yellow_cards)
        SELECT match_id, side, 'p' || participant_id, participant_id, name, false, 1 FROM player_mention WHERE participant_id IS NOT NULL;
      UPDATE match_block b SET json = replace(b.json, '"player_name":"' || r.name || '","player_participant_id":null',
        '"player_name":"' || r.name || '","player_participant_id":' || r.participant_id)
        FROM player_mention r WHERE r.match_id = b.match_id AND b.block = 'incidents' AND r.participant_id IS NOT NULL`);
    assert.deepEqual(await cards(ids[0]!), [
      ['Klopp J.', null, true],
      ['Jones C.', null, false],
    ]);
    const dies = { publish: () => assert.fail('killed') };
    await assert.rejects(linkPlayers({ ...bench.deps, changes: dies }), /killed/);
    await bench.events();
    assert.equal((await link()).matches > 0, true);
    assert.deepEqual(await players(), ['Alpha A.', 'Jones C.']);
    assert.deepEqual(await rows(), ['Alpha A.', 'Jones C.', 'Jones C.', 'Jones C.']);
    const asPlayed = now.map((list) => list.map(([name, role]) => [name, role, name === 'Jones C.']));
    assert.deepEqual(await Promise.all(ids.map((id) => cards(id))), asPlayed);
    assert.deepEqual(await bench.events(), []);
    const { matches, coaches } = await link();
    assert.deepEqual([matches, coaches], [0, 0]);
  });

  it('a job repairs cards that name a coach as a player when a new release starts, even if no name is unlinked', async () => {
    const id = await take({ incidents: [card('Klopp J.')] });
    await bench.db.pool.query(`
      UPDATE match_block SET json = replace(json, ',"role":"coach"', '') WHERE block = 'incidents';
      INSERT INTO participant (type, sport, gender, key, name) VALUES ('player', 'football', 'men', '|name:GB-ENG|liverpool:klopp j', 'Klopp J.');
      INSERT INTO player_mention (match_id, block, side, name, goals, played, participant_id)
        SELECT ${id}, 'incidents', 'home', 'Klopp J.', 0, false, id FROM participant WHERE name = 'Klopp J.'`);
    const job = startTestJob(playerLinks, bench.deps);
    while ((await players()).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await job.stop();
    assert.deepEqual(await cards(id), [['Klopp J.', 'coach', false]]);
  });

  it('marking a coach changes only the role and the player link, and doing so again changes nothing', () => {
    const none = { minute: 1, minute_plus: null, period: null, assist_name: null, assist_participant_id: null };
    const one = { ...none, kind: 'card', side: 'home' as const, player_name: 'Boss A.', player_participant_id: 7 };
    const all = { lineups: [], coaches: [], isListed: () => true };
    const marked = markCoaches([{ ...one, payload: { reason: 'x' } }], all);
    assert.deepEqual(marked, [{ ...one, player_participant_id: null, payload: { reason: 'x', role: 'coach' } }]);
    assert.deepEqual(markCoaches(marked, all), marked);
    const plain = [{ ...one, kind: 'goal', payload: {} }];
    assert.deepEqual(markCoaches(plain, all), plain);
  });
});
