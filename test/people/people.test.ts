import assert from 'node:assert/strict';
import { linkPlayers } from '../../src/apply/index.ts';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { addPair, decidePair, reopenPair } from '../../src/pairs/pairs.ts';
import type { CoachDetail } from '../../src/people/coaches.ts';
import { storeRefereeFigures } from '../../src/people/index.ts';
import type { RefereeDetail } from '../../src/people/referees.ts';
import { routes } from '../../src/people/routes.ts';
import type { VenueDetail } from '../../src/people/venues.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import type { Blocks } from '../../src/wire/match.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

type MatchInput = MatchUpdateInput['match'];
type Card = Blocks & { venue_id: number | null; referee_id: number | null; referee_ids: number[] };

const OPERATOR = { name: 'anna@example.com', address: null, isOperator: true } as const;

describe('venues, referees and coaches', () => {
  let fed: Fed;
  let serial = 0;
  beforeEach(async () => {
    fed = await startFed([...routes, ...catalogueRoutes, ...matchRoutes]);
  });
  afterEach(() => fed.close());

  const deps = () => ({
    pool: fed.db.pool,
    clock: { now: () => fed.now },
    changes: { publish: () => undefined, publishJoined: () => undefined },
    entities: new EntityCache(),
  });
  /** Stores a match that Northby won 2:1 against Southby, unless `over` says otherwise. @returns its id */
  const played = async (over: Partial<MatchInput> = {}): Promise<number> => {
    serial += 1;
    const [result] = await fed.matches({
      id: `m${serial}`,
      sport: 'football',
      tournament: { name: 'Second League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      home: { name: 'Northby', country: 'GB-ENG' },
      away: { name: 'Southby', country: 'GB-ENG' },
      scheduled_start: new Date(Date.parse('2023-09-01T15:00:00Z') + serial * 7 * 86_400_000).toISOString(),
      status: 'finished',
      status_detail: 'ended',
      score: { home: 2, away: 1 },
      ...over,
    });
    return result!.matchId!;
  };
  const get = async <T>(path: string): Promise<T> => {
    const { status, json } = await fed.app.ask<T>(path);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };
  const problem = async (path: string) => {
    const { status, json } = await fed.app.ask<{ code: string; detail: string }>(path);
    return [status, json.code, json.detail];
  };
  const card = (id: number) => get<Card>(`/v1/event/${id}`);
  type List = { count: number; total: number } & Record<
    string,
    { id: number; name_i18n: { en: string }; events: number }[]
  >;
  const names = async (path: string, member: string) =>
    (await get<List>(path))[member]!.map(({ name_i18n, events }) => `${name_i18n.en} ${events}`);
  const participants = async (type: string) =>
    (
      await fed.db.pool.query<{ name: string }>('SELECT name FROM participant WHERE type = $1 ORDER BY name', [type])
    ).rows.map(({ name }) => name);

  describe('a venue', () => {
    const GROUND = {
      name: 'Elland Road',
      country: 'GB-ENG',
      city: 'Northby',
      capacity: 37_890,
      latitude: 53.78,
      longitude: -1.57,
    };

    it('has its profile, its home teams and its matches', async () => {
      const first = await played({ venue: GROUND });
      await played({
        venue: GROUND,
        home: { name: 'Southby', country: 'GB-ENG' },
        away: { name: 'Northby', country: 'GB-ENG' },
        neutral: true,
      });
      const next = await played({ venue: GROUND, status: 'scheduled', status_detail: 'not_started', score: undefined });
      const { venue_id } = await card(first);
      const venue = await get<VenueDetail>(`/v1/venue/${venue_id}`);
      const { name, city, country, capacity, latitude, longitude, events } = venue;
      assert.deepEqual(
        [name, city, country, capacity, latitude, longitude, events],
        ['Elland Road', 'Northby', 'GB-ENG', 37_890, 53.78, -1.57, 3],
      );
      assert.deepEqual(
        venue.tenants.map((one) => [one.team_name, one.matches]),
        [['Northby', 2]],
        'neutral matches do not count',
      );
      assert.deepEqual(
        venue.next_events.map(({ id }) => id),
        [next],
      );
      assert.equal(venue.last_events.length, 2);
      assert.equal(venue.last_events[1]!.id, first, 'the newest comes first');
    });

    it('is found by name, other name, city, country, and in Cyrillic', async () => {
      await played({ venue: GROUND });
      await played({ venue: { name: 'Wembley', country: 'GB-ENG', city: 'London' } });
      const found = async (query: string) =>
        (await get<{ venues: { name: string }[] }>(`/v1/venues?${query}`)).venues.map(({ name }) => name);
      assert.deepEqual(await found('q=elland'), ['Elland Road']);
      assert.deepEqual(await found('q=road%20northby'), ['Elland Road']);
      assert.deepEqual(await found(`q=${encodeURIComponent('Элланд')}`), ['Elland Road']);
      assert.deepEqual(await found('q=lland'), [], 'a word is found by its beginning');
      assert.deepEqual(await found('country=DE'), []);
      assert.deepEqual(await found('limit=1&offset=1'), ['Wembley']);
    });
  });

  describe('a referee', () => {
    it('has cards and penalties per match, from statistics or else incidents', async () => {
      const yellow = (player: string) =>
        ({
          minute: 10,
          kind: 'card',
          side: 'home',
          player: { name: player },
          payload: { card_type: 'yellow' },
        }) as const;
      const first = await played({
        referee: 'Anna Able',
        incidents: [
          yellow('A. One'),
          yellow('B. Two'),
          { minute: 50, kind: 'goal', side: 'home', player: { name: 'A. One' }, payload: { goal_type: 'penalty' } },
          { minute: 60, kind: 'penalty', side: 'away', player: { name: 'C. Three' }, payload: { outcome: 'saved' } },
        ],
      });
      await played({
        referee: 'Anna Able',
        statistics: [
          {
            period: 'ALL',
            group_name: null,
            stat_name: 'Yellow cards',
            home_value: 3,
            away_value: 2,
            home_text: null,
            away_text: null,
          },
          {
            period: 'ALL',
            group_name: null,
            stat_name: 'Red cards',
            home_value: 0,
            away_value: 1,
            home_text: null,
            away_text: null,
          },
        ],
      });
      await played({ referee: 'Anna Able', season: { label: '2022/23' } });
      const { referee_id } = await card(first);
      const read = async () => {
        fed.changed();
        const { seasons, ...all } = await get<RefereeDetail>(`/v1/referee/${referee_id}`);
        const {
          matches,
          matches_with_cards,
          yellow_cards,
          red_cards,
          yellow_cards_per_match,
          penalties,
          penalties_per_match,
        } = all;
        return {
          all: [
            matches,
            matches_with_cards,
            yellow_cards,
            red_cards,
            yellow_cards_per_match,
            penalties,
            penalties_per_match,
          ],
          seasons: seasons.map((one) => [
            one.season_label,
            one.matches,
            one.yellow_cards_per_match,
            one.penalties_per_match,
          ]),
        };
      };
      const expected = {
        all: [3, 2, 7, 1, 3.5, 2, 2],
        seasons: [
          ['2022/23', 1, null, null],
          ['2023/24', 2, 3.5, 2],
        ],
      };
      assert.deepEqual(await read(), expected);
      while (await storeRefereeFigures(fed.db.pool));
      await fed.db.pool.query('UPDATE match SET version = version WHERE id = $1', [first]);
      assert.deepEqual(await read(), expected, 'stored figures are the same');
      await fed.db.pool.query('UPDATE referee_figures SET yellow_cards = 12 WHERE match_id = $1', [first]);
      await fed.db.pool.query('UPDATE match SET version = version + 1 WHERE id = $1', [first]);
      assert.deepEqual(await read(), expected, 'figures of an earlier version do not count');
    });

    it('of a sport without cards has no cards and no penalties', async () => {
      const cricket = {
        sport: 'cricket',
        home: { name: 'East', country: 'IN' },
        away: { name: 'West', country: 'IN' },
      };
      const league = { name: 'Premier League', country: 'IN' };
      const match = await played({ ...cricket, tournament: league, referee: 'S Ravi', incidents: [] });
      const { referee_id } = await card(match);
      const { matches, matches_with_cards, penalties_per_match } = await get<RefereeDetail>(
        `/v1/referee/${referee_id}`,
      );
      assert.deepEqual([matches, matches_with_cards, penalties_per_match], [1, 0, null]);
    });

    it('is each of several people, and a comma before initials is part of one name', async () => {
      const two = await played({ referee: 'S Ravi, RJ Tucker' });
      const one = await played({ referee: 'Able, N. S.' });
      assert.equal((await card(two)).referee_ids.length, 2);
      assert.equal((await card(two)).referee_id, (await card(two)).referee_ids[0]);
      assert.equal((await card(one)).referee_ids.length, 1);
      assert.deepEqual(await participants('referee'), ['N. S. Able', 'RJ Tucker', 'S Ravi']);
    });

    it('keeps the id when the spelling has other accents, and loses the match with a correction of the source', async () => {
      const first = await played({ referee: 'José Ruiz' });
      const other = await played({ referee: 'Jose Ruiz' });
      const { referee_id } = await card(first);
      assert.equal((await card(other)).referee_id, referee_id);
      assert.deepEqual(await participants('referee'), ['José Ruiz']);
      serial -= 1;
      await played({ referee: 'Someone Else' });
      assert.notEqual((await card(other)).referee_id, referee_id);
      assert.deepEqual(await names('/v1/referees', 'referees'), ['José Ruiz 1', 'Someone Else 1']);
    });

    it('is another one in another country, and the reviewed list joins spellings', async () => {
      await played({ referee: 'M Dean' });
      await played({ referee: 'Dean, M. L' });
      await played({ referee: 'M Dean', tournament: { name: 'Liga', country: 'ES' } });
      assert.deepEqual(await names('/v1/referees', 'referees'), ['Mike Dean 2', 'M Dean 1']);
      assert.deepEqual(await names('/v1/referees?q=m%20dean&country=GB-ENG', 'referees'), ['Mike Dean 2']);
    });

    it('is one after an operator has joined two spellings, and both names find the one', async () => {
      const first = await played({ referee: 'Nora Long' });
      const second = await played({ referee: 'N. Long-Smith' });
      const [known, other] = [(await card(first)).referee_id!, (await card(second)).referee_id!];
      const { version } = await get<{ version?: number } & Card>(`/v1/event/${second}`);
      assert.equal(version, undefined);
      const before = (await fed.db.pool.query('SELECT version FROM match WHERE id = $1', [second])).rows[0].version;
      const pair = await addPair(deps(), known, other);
      await decidePair(deps(), pair, 'same', OPERATOR);
      fed.changed();
      const after = (await fed.db.pool.query('SELECT version FROM match WHERE id = $1', [second])).rows[0].version;
      assert.equal(after, before + 1, 'clients of sync get the match again');
      assert.equal((await card(second)).referee_id, known);
      assert.equal((await get<RefereeDetail>(`/v1/referee/${other}`)).id, known);
      assert.equal((await get<RefereeDetail>(`/v1/referee/${known}`)).events, 2);
      assert.deepEqual((await get<RefereeDetail>(`/v1/referee/${known}`)).aliases, ['N. Long-Smith']);
      assert.deepEqual(await names('/v1/referees?q=long-smith', 'referees'), ['Nora Long 2']);
      assert.deepEqual(await names('/v1/referees?q=nora', 'referees'), ['Nora Long 2']);
      await played({ referee: 'N. Long-Smith' });
      assert.deepEqual(await names('/v1/referees', 'referees'), ['Nora Long 3'], 'later matches are of the same one');
      await reopenPair(deps(), pair, OPERATOR);
      fed.changed();
      assert.equal((await card(second)).referee_id, other);
      assert.deepEqual(await names('/v1/referees', 'referees'), ['N. Long-Smith 2', 'Nora Long 1']);
    });

    it('cannot be made a pair with a team, with itself, or twice', async () => {
      const first = await played({ referee: 'Nora Long' });
      const second = await played({ referee: 'N. Long' });
      const [known, other] = [(await card(first)).referee_id!, (await card(second)).referee_id!];
      const leeds = await fed.participantId('Northby');
      await assert.rejects(addPair(deps(), known, leeds), /cannot be the same/);
      await assert.rejects(addPair(deps(), known, known), /cannot be the same/);
      await assert.rejects(addPair(deps(), known, 999_999), /There is no participant 999999/);
      await addPair(deps(), known, other);
      await assert.rejects(addPair(deps(), other, known), /are a pair already/);
    });
  });

  describe('a coach', () => {
    const coached = (name: string, over: Partial<MatchInput> = {}) =>
      played({ coaches: [{ side: 'home', coach_name: name }], ...over });

    it('has the clubs by season, with the record', async () => {
      const first = await coached('Carla Coach');
      await coached('Carla Coach', { score: { home: 0, away: 0 } });
      await coached('Carla Coach', {
        home: { name: 'Southby', country: 'GB-ENG' },
        away: { name: 'Northby', country: 'GB-ENG' },
        score: { home: 0, away: 4 },
      });
      const { coaches } = await card(first);
      const { seasons, ...all } = await get<CoachDetail>(`/v1/coach/${coaches![0]!.coach_id}`);
      const { matches, wins, draws, losses, goals_for, goals_against, roles } = all;
      assert.deepEqual([matches, wins, draws, losses, goals_for, goals_against, roles], [3, 1, 1, 1, 2, 5, ['coach']]);
      assert.deepEqual(
        seasons.map((one) => [one.season_label, one.team_name, one.matches, one.wins, one.draws, one.losses]),
        [
          ['2023/24', 'Southby', 1, 0, 0, 1],
          ['2023/24', 'Northby', 2, 1, 1, 0],
        ],
      );
    });

    it('is the same in the league and in a European cup, and another one in another country', async () => {
      await coached('Carla Coach');
      await coached('Carla Coach', { tournament: { name: 'Cup of Champions', country: 'INT' } });
      await coached('Carla Coach', {
        tournament: { name: 'Liga', country: 'ES' },
        home: { name: 'Getafe', country: 'ES' },
      });
      assert.deepEqual(await names('/v1/coaches', 'coaches'), ['Carla Coach 2', 'Carla Coach 1']);
    });

    it('is the same in two countries after coaching in the same international cup', async () => {
      const cup = { tournament: { name: 'Cup of Champions', country: 'INT' } };
      await coached('Carla Coach', cup);
      await coached('Carla Coach', { ...cup, home: { name: 'Getafe', country: 'ES' } });
      assert.equal((await get<List>('/v1/coaches')).total, 2);
      await linkPlayers(deps());
      assert.deepEqual(await names('/v1/coaches', 'coaches'), ['Carla Coach 2']);
    });

    const PLAYER = { name: 'Carla Coach', birth_date: '1970-03-01' };
    const lineups = [{ side: 'home', player: PLAYER, is_substitute: false }] as const;

    it('who has played for the team is one person with two roles, and the former id stays valid', async () => {
      await played({ lineups: [...lineups], scheduled_start: '1995-04-01T15:00:00Z', season: { label: '1994/95' } });
      const match = await coached('Carla Coach');
      const former = (await card(match)).coaches![0]!.coach_id!;
      await linkPlayers(deps());
      fed.changed();
      const { coach_id } = (await card(match)).coaches![0]!;
      assert.notEqual(coach_id, former);
      const coach = await get<CoachDetail>(`/v1/coach/${former}`);
      assert.deepEqual([coach.id, coach.roles, coach.matches], [coach_id, ['coach', 'player'], 1]);
      assert.equal((await get<{ type: string }>(`/v1/participant/${coach_id}`)).type, 'player');
      assert.deepEqual(await names('/v1/coaches?q=carla', 'coaches'), ['Carla Coach 1']);
      await linkPlayers(deps());
      assert.equal((await card(match)).coaches![0]!.coach_id, coach_id, 'another run changes nothing');
    });

    it('is not a player who has played since, such as a son', async () => {
      const match = await coached('Carla Coach');
      await played({ lineups: [...lineups] });
      const { coach_id } = (await card(match)).coaches![0]!;
      await linkPlayers(deps());
      fed.changed();
      assert.equal((await card(match)).coaches![0]!.coach_id, coach_id);
    });

    it('is not a player of another team, nor one of two players of the name', async () => {
      const other = { home: { name: 'Stoke', country: 'GB-ENG' } };
      await played({ ...other, lineups: [...lineups], scheduled_start: '1995-04-01T15:00:00Z' });
      const match = await coached('Carla Coach');
      const { coach_id } = (await card(match)).coaches![0]!;
      await linkPlayers(deps());
      const twin = [{ side: 'home', player: { ...PLAYER, birth_date: '1960-01-01' }, is_substitute: false }] as const;
      await played({ lineups: [...lineups], scheduled_start: '1995-05-01T15:00:00Z' });
      await played({ lineups: [...twin], scheduled_start: '1995-06-01T15:00:00Z' });
      await linkPlayers(deps());
      fed.changed();
      assert.equal((await card(match)).coaches![0]!.coach_id, coach_id);
    });
  });

  it('stores the staff of matches that an earlier release has written', async () => {
    const id = await played({ referee: 'Nora Long', coaches: [{ side: 'away', coach_name: 'Carla Coach' }] });
    await fed.db.pool.query('DELETE FROM match_staff');
    await fed.db.pool.query("DELETE FROM participant WHERE type IN ('referee', 'coach')");
    fed.changed();
    assert.deepEqual([(await card(id)).referee_id, (await card(id)).coaches![0]!.coach_id], [null, null]);
    await linkPlayers(deps());
    fed.changed();
    const filled = await card(id);
    assert.equal((await get<RefereeDetail>(`/v1/referee/${filled.referee_id}`)).name_i18n.en, 'Nora Long');
    assert.equal((await get<CoachDetail>(`/v1/coach/${filled.coaches![0]!.coach_id}`)).events, 1);
  });

  it('stores the Russian name of a coach whom an earlier release has stored without it, once', async () => {
    const coaches = [
      { side: 'home' as const, coach_name: 'Carla Coach', coach_name_ru: 'Карла Коуч' },
      { side: 'away' as const, coach_name: 'Mo Plan' },
    ];
    const id = await played({ coaches });
    const [first] = (await card(id)).coaches!;
    await fed.db.pool.query("DELETE FROM participant_alias WHERE locale = 'ru'");
    await fed.db.pool.query("UPDATE participant SET name_ru = NULL WHERE type = 'coach'");
    await linkPlayers(deps());
    fed.changed();
    const { name_i18n } = await get<CoachDetail>(`/v1/coach/${first!.coach_id}`);
    assert.deepEqual(name_i18n, { en: 'Carla Coach', ru: 'Карла Коуч' });
    assert.deepEqual(await names(`/v1/coaches?q=${encodeURIComponent('коуч')}`, 'coaches'), ['Carla Coach 1']);
    const version = async () => (await fed.db.pool.query('SELECT version FROM match WHERE id = $1', [id])).rows;
    const before = await version();
    await linkPlayers(deps());
    assert.deepEqual(await version(), before, 'another run changes nothing');
  });

  it('gives names in cards the ids of players whom a list of the match has under exactly that name', async () => {
    const name = 'Ada Ash';
    const id = await played({
      lineups: [
        { side: 'home', player: { name, birth_date: '1999-01-01' }, is_substitute: false },
        { side: 'away', player: { name: 'Bea Birch', birth_date: '1999-01-02' }, is_substitute: false },
      ],
      best_players: [
        { side: 'home', rating: 8.1, player_name: name, position: null },
        { side: 'away', rating: 7, player_name: name, position: null },
      ],
      missing_players: [
        { side: 'away', player_name: 'Cleo Cedar', position: null, type: 'injury', status: null, reason_text: null },
      ],
      average_positions: { home: [{ player_name: name, x: 40, y: 50 }], away: [] },
      commentary: [
        { minute: 3, text: 'A shot', text_en: null, type: null, side: 'home', player_name: name },
        { minute: 4, text: 'A pause', text_en: null, type: null, side: null, player_name: null },
      ],
    });
    const ada = await fed.participantId(name);
    const shown = await card(id);
    assert.deepEqual(
      shown.best_players!.map((one) => one.player_participant_id),
      [ada, null],
      'the side counts',
    );
    assert.deepEqual(
      shown.missing_players!.map((one) => one.player_participant_id),
      [null],
    );
    assert.deepEqual(
      shown.average_positions!.home.map((one) => one.player_participant_id),
      [ada],
    );
    assert.deepEqual(shown.average_positions!.away, []);
    assert.deepEqual(
      shown.commentary!.map((one) => one.player_participant_id),
      [ada, null],
    );
  });

  it('has the ids in lists with blocks, as in cards', async () => {
    const venue = { name: 'Ground', country: 'GB-ENG' };
    const id = await played({
      venue,
      referee: 'S Ravi, RJ Tucker',
      coaches: [{ side: 'home', coach_name: 'Carla Coach' }],
    });
    const { venue_id, referee_id, referee_ids, coaches } = await card(id);
    const { events } = await get<{ events: Card[] }>('/v1/events?blocks=coaches,venue_id,referee_id,referee_ids');
    const [event] = events;
    assert.ok(venue_id !== null && coaches![0]!.coach_id !== null);
    assert.deepEqual(
      [event!.venue_id, event!.referee_id, event!.referee_ids, event!.coaches],
      [venue_id, referee_id, referee_ids, coaches],
    );
  });

  it('refuses unknown ids, and ids of participants without the role', async () => {
    const leeds = await played({ referee: 'Nora Long' }).then(() => fed.participantId('Northby'));
    assert.deepEqual(await problem('/v1/venue/999'), [404, 'not_found', 'There is no venue 999.']);
    assert.deepEqual(await problem(`/v1/referee/${leeds}`), [404, 'not_found', `There is no referee ${leeds}.`]);
    assert.deepEqual(await problem(`/v1/coach/${leeds}`), [404, 'not_found', `There is no coach ${leeds}.`]);
  });

  it('answers hostile texts with nothing, and refuses huge pages', async () => {
    await played({ referee: 'Nora Long', venue: { name: 'Ground', country: 'GB-ENG' } });
    for (const list of ['venues', 'referees', 'coaches']) {
      for (const q of ["';--", '%%', '__', '\\\\', '((', '💥💥'])
        assert.equal((await get<List>(`/v1/${list}?q=${encodeURIComponent(q)}`)).total, 0, `${list} ${q}`);
      assert.equal((await problem(`/v1/${list}?limit=1001`))[0], 422);
      assert.equal((await problem(`/v1/${list}?q=a`))[0], 422);
      assert.equal((await get<List>(`/v1/${list}?offset=1000000`)).count, 0);
    }
  });
});
