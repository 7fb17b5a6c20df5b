import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { markAwaitingData } from '../../src/apply/upkeep/mark-awaiting-data.ts';
import { storeCoverage } from '../../src/catalogue/coverage/queries.ts';
import type { FoundParticipant, ParticipantDetail } from '../../src/catalogue/queries.ts';
import { routes } from '../../src/catalogue/routes.ts';
import { SPORT_SLUGS } from '../../src/sports/sports.ts';
import { EVENT_TYPES } from '../../src/wire/event-types.ts';
import { INCIDENT_KINDS } from '../../src/wire/incident-kinds.ts';
import { STATUS_DETAILS } from '../../src/wire/match.ts';
import { type Fed, startFed } from './feeding.ts';

const CONTRACT_SPORTS =
  'football basketball ice-hockey tennis baseball volleyball handball rugby american-football aussie-rules mma snooker darts table-tennis cricket futsal esports';

interface Season {
  id: number;
  season_label: string;
  start_date: string | null;
  end_date: string | null;
  is_current: boolean;
}
interface Tournament {
  id: number;
  name: string;
  name_i18n: { en: string; ru?: string };
  sport: string;
  country: string;
  events: number;
  tier: number | null;
  current_season: Season | null;
}

describe('catalogue', () => {
  let fed: Fed;
  const premier = { name: 'Premier League', name_ru: 'Английская Премьер-лига', country: 'GB-ENG' } as const;
  let matchCount = 0;
  const match = (home: string, away: string, over: object = {}) => ({
    id: `c${++matchCount}`,
    sport: 'football',
    tournament: premier,
    season: { label: '2023/24' },
    home: { name: home, country: 'GB-ENG' },
    away: { name: away, country: 'GB-ENG' },
    scheduled_start: '2024-05-01T15:00:00Z',
    ...over,
  });
  before(async () => {
    fed = await startFed(routes);
    await fed.tournaments(
      { ...premier, sport: 'football', tier: 1, importance: 95 },
      { name: "Women's Super League", sport: 'football', country: 'GB-ENG', gender: 'women', importance: 60 },
      { name: 'Ligue Élite', sport: 'handball', country: 'FR', importance: 70 },
      { name: '100% Cup', sport: 'football', country: 'INT', importance: 20 },
    );
  });
  after(() => fed.close());
  const ask = async <T>(path: string) => {
    const { status, json } = await fed.app.ask<T>(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return json;
  };

  describe('sports and countries', () => {
    it('the sports are those in the specification, in both languages', async () => {
      const { sports } = await ask<{ sports: { id: number; slug: string; name_i18n: { en: string; ru: string } }[] }>(
        '/v1/sports',
      );
      assert.deepEqual(
        sports.map(({ slug }) => slug),
        CONTRACT_SPORTS.split(' '),
      );
      assert.deepEqual(sports[2], { id: 3, slug: 'ice-hockey', name_i18n: { en: 'Ice hockey', ru: 'Хоккей' } });
    });

    interface Country {
      iso: string;
      name: string;
      name_ru: string;
      leagues: number;
      sports: string[];
    }
    it('a country is listed once for men, women and youth', async () => {
      const { count, countries } = await ask<{ count: number; countries: Country[] }>('/v1/countries');
      assert.equal(count, countries.length);
      assert.equal(new Set(countries.map(({ iso }) => iso)).size, count);
      const england = countries.find(({ iso }) => iso === 'GB-ENG');
      assert.deepEqual(england, {
        iso: 'GB-ENG',
        name: 'England',
        name_ru: 'Англия',
        leagues: 2,
        sports: ['football'],
      });
      for (const iso of ['GB-SCT', 'GB-WLS', 'GB-NIR', 'INT', 'RU', 'XK', 'US', 'SU'])
        assert.ok(
          countries.some((one) => one.iso === iso),
          iso,
        );
      assert.equal(countries.find(({ iso }) => iso === 'KR')!.name_ru, 'Южная Корея');
    });

    it('countries can be filtered by sport', async () => {
      const { countries } = await ask<{ countries: Country[] }>('/v1/countries?sport=handball');
      assert.deepEqual(
        countries.map(({ iso, leagues, sports }) => [iso, leagues, sports]),
        [['FR', 1, ['handball']]],
      );
    });

    it('the error for an unknown sport lists the known ones', async () => {
      for (const path of ['/v1/countries', '/v1/tournaments', '/v1/reference/statuses', '/v1/reference/event-types']) {
        const { status, json } = await fed.app.ask(`${path}?sport=quidditch`);
        assert.equal(status, 422);
        assert.equal(json.code, 'invalid_parameter');
        for (const slug of SPORT_SLUGS) assert.ok(json.errors![0]!.detail.includes(slug), slug);
      }
    });
  });

  describe('tournaments', () => {
    interface List {
      count: number;
      total: number;
      tournaments: Tournament[];
    }
    const names = async (query: string) =>
      (await ask<List>(`/v1/tournaments?${query}`)).tournaments.map(({ name }) => name);

    it('tournaments requested by ids are listed once each, without unknown ids', async () => {
      const all = (await ask<List>('/v1/tournaments')).tournaments;
      const [first, second] = all as [Tournament, Tournament];
      assert.deepEqual(
        (await ask<List>(`/v1/tournaments?ids=${second.id},${first.id},${second.id},${Number.MAX_SAFE_INTEGER}`)).total,
        2,
      );
      assert.deepEqual(await names(`ids=${second.id}`), [second.name]);
      assert.deepEqual(await names(`ids=${second.id}&sport=tennis`), []);
      assert.deepEqual(await names(`ids=${second.id},${first.id}&q=${encodeURIComponent(first.name)}`), [first.name]);
      for (const bad of ['ids=', 'ids=0', `ids=${Array.from({ length: 101 }, (_, at) => at + 1)}`])
        assert.equal((await fed.app.ask(`/v1/tournaments?${bad}`)).status, 422, bad);
    });

    it('tournaments have match counts, and the most important ones come first', async () => {
      await fed.matches(match('Ash', 'Elm'), match('Elm', 'Ash', { scheduled_start: '2024-05-08T15:00:00Z' }));
      const { count, total, tournaments } = await ask<List>('/v1/tournaments');
      assert.deepEqual([count, total], [4, 4]);
      assert.deepEqual(
        tournaments.map(({ name, events }) => [name, events]),
        [
          ['Premier League', 2],
          ['Ligue Élite', 0],
          ["Women's Super League", 0],
          ['100% Cup', 0],
        ],
      );
      const { id: _, ...first } = tournaments[0]!;
      assert.deepEqual(first, {
        name: 'Premier League',
        name_i18n: { en: 'Premier League', ru: 'Английская Премьер-лига' },
        sport: 'football',
        gender: 'men',
        country: 'GB-ENG',
        events: 2,
        tier: 1,
        coverage: null,
      });
    });

    it('tournaments without a match come last, however important they are, on each page and with each filter', async () => {
      const other = await startFed(routes);
      try {
        const one = (name: string, importance: number, sport = 'football') => ({
          name,
          sport,
          country: 'FR' as const,
          importance,
        });
        const empty = [one('Open A', 99, 'tennis'), one('Open B', 99, 'tennis'), one('Cup', 80)];
        const played = [one('Major', 60), one('Minor A', 20), one('Minor B', 20)];
        await other.tournaments(...empty, ...played.toReversed());
        await other.matches(
          ...played.map((tournament) => match('Ash', 'Elm', { tournament: { name: tournament.name, country: 'FR' } })),
        );
        const list = async (query: string) => (await other.app.ask<List>(`/v1/tournaments?${query}`)).json.tournaments;
        const listed = async (query: string) => (await list(query)).map(({ name }) => name);
        const wanted = ['Major', 'Minor A', 'Minor B', 'Open A', 'Open B', 'Cup'];
        const check = async (events: readonly number[]) => {
          assert.deepEqual(await listed(''), wanted);
          assert.deepEqual(
            (await list('')).map((item) => item.events),
            events,
          );
          for (const size of [1, 2, 4]) {
            const pages: string[] = [];
            for (let offset = 0; offset < wanted.length; offset += size)
              pages.push(...(await listed(`limit=${size}&offset=${offset}`)));
            assert.deepEqual(pages, wanted, `pages of ${size}`);
          }
          assert.deepEqual(await listed('sport=football'), ['Major', 'Minor A', 'Minor B', 'Cup']);
          assert.deepEqual(await listed('sport=tennis&country=FR'), ['Open A', 'Open B']);
          assert.deepEqual((await listed('q=open')).toSorted(), ['Open A', 'Open B']);
          const [first, last] = [await other.tournamentId('Cup'), await other.tournamentId('Major')];
          assert.deepEqual(await listed(`ids=${first},${last}`), ['Cup', 'Major'], 'ids have an order of their own');
        };
        await check([1, 1, 1, 0, 0, 0]);
        const { rows } = await other.db.pool.query<{ id: number }>('SELECT id FROM tournament');
        await storeCoverage(
          other.db.pool,
          rows.map(({ id }) => id),
          other.now,
        );
        // Coverage has not been measured, so all counts are 0, and only importance decides the order.
        assert.deepEqual(await listed(''), ['Open A', 'Open B', 'Cup', 'Major', 'Minor A', 'Minor B']);
        await other.db.pool.query(
          'UPDATE tournament_coverage c SET events = (SELECT count(*) FROM match m WHERE m.tournament_id = c.tournament_id)',
        );
        await check([1, 1, 1, 0, 0, 0]);
      } finally {
        await other.close();
      }
    });

    it('tournaments are found by English and Russian names', async () => {
      assert.deepEqual(await names('q=premier'), ['Premier League']);
      assert.deepEqual(await names('q=league+PREM'), ['Premier League']);
      assert.deepEqual(await names(`q=${encodeURIComponent('ПРЕМЬЕР англ')}`), ['Premier League']);
      assert.deepEqual(await names('q=ligue+elite'), ['Ligue Élite']);
      assert.deepEqual(await names("q=women's"), ["Women's Super League"]);
      assert.deepEqual(await names('q=100%25'), ['100% Cup']);
      assert.deepEqual(await names('q=%25'), ['100% Cup'], 'a percent sign is itself');
      assert.deepEqual(await names('q=_'), []);
      assert.deepEqual(await names(`q=${encodeURIComponent('🔥')}`), []);
    });

    it('tournaments can be filtered and divided into pages', async () => {
      assert.deepEqual(await names('sport=handball'), ['Ligue Élite']);
      assert.deepEqual(await names('country=GB-ENG&sport=football&limit=1&offset=1'), ["Women's Super League"]);
      assert.deepEqual(await names('country=ZW'), []);
      const { count, total } = await ask<List>('/v1/tournaments?offset=3');
      assert.deepEqual([count, total], [1, 4]);
    });

    it('invalid tournament parameters are 422', async () => {
      for (const query of [
        'limit=0',
        'limit=-1',
        'limit=1001',
        'limit=abc',
        'limit=',
        'offset=-1',
        'country=England',
        'q=',
      ]) {
        const { status, json } = await fed.app.ask(`/v1/tournaments?${query}`);
        assert.equal(status, 422, query);
        assert.deepEqual(
          json.errors!.map(({ parameter }) => parameter),
          [query.split('=')[0]],
        );
      }
      assert.equal((await fed.app.ask('/v1/tournaments?limit=1000')).status, 200);
    });

    it('invalid ids are 422, and unknown ids are 404', async () => {
      for (const path of [
        'tournament/{id}',
        'tournament/{id}/seasons',
        'participant/{id}',
        'participant/{id}/events',
        'participant/{id}/image',
      ]) {
        for (const [id, status] of [
          ['0', 422],
          ['-1', 422],
          ['abc', 422],
          ['9223372036854775808', 422],
          ['9007199254740992', 422],
          ['9007199254740991', 404],
          ['424242', 404],
        ] as const) {
          const answer = await fed.app.ask(`/v1/${path.replace('{id}', id)}`);
          assert.equal(answer.status, status, `${path} ${id}`);
          assert.equal(answer.json.code, status === 404 ? 'not_found' : 'invalid_parameter');
        }
      }
    });
  });

  describe('seasons', () => {
    let id: number;
    before(async () => {
      const cup = { name: 'Season Cup', country: 'DE' } as const;
      await fed.tournaments({
        ...cup,
        sport: 'football',
        seasons: [
          { label: '2022/23', start_date: '2022-08-01', end_date: '2023-05-31' },
          { label: '2023/24', start_date: '2023-08-01', end_date: '2024-05-31' },
        ],
      });
      const played = { tournament: cup, season: { label: '2024/25' } };
      await fed.matches(
        match('Oak', 'Fir', { ...played, scheduled_start: '2024-08-17T15:00:00Z' }),
        match('Fir', 'Oak', { ...played, scheduled_start: '2025-05-10T15:00:00Z' }),
      );
      id = await fed.tournamentId('Season Cup');
    });
    const current = async (now: string) => {
      fed.now = Date.parse(now);
      const { count, seasons } = await ask<{ count: number; seasons: Season[] }>(`/v1/tournament/${id}/seasons`);
      const flagged = seasons.filter(({ is_current }) => is_current);
      assert.deepEqual([count, flagged.length], [3, 1]);
      assert.deepEqual((await ask<Tournament>(`/v1/tournament/${id}`)).current_season, flagged[0]);
      return flagged[0]!.season_label;
    };

    it('seasons without dates take dates from their matches, and the newest comes first', async () => {
      const { seasons } = await ask<{ seasons: Season[] }>(`/v1/tournament/${id}/seasons`);
      assert.deepEqual(
        seasons.map(({ season_label, start_date, end_date }) => [season_label, start_date, end_date]),
        [
          ['2024/25', '2024-08-17', '2025-05-10'],
          ['2023/24', '2023-08-01', '2024-05-31'],
          ['2022/23', '2022-08-01', '2023-05-31'],
        ],
      );
    });

    it('the current season contains today, or is the most recent one if none does', async () => {
      assert.equal(await current('2023-01-15T00:00:00Z'), '2022/23');
      assert.equal(await current('2024-05-31T23:59:59Z'), '2023/24');
      assert.equal(await current('2024-07-01T00:00:00Z'), '2023/24');
      assert.equal(await current('2024-09-01T00:00:00Z'), '2024/25');
      assert.equal(await current('2030-01-01T00:00:00Z'), '2024/25');
      assert.equal(await current('2020-01-01T00:00:00Z'), '2022/23', 'the next, before the first');
    });

    it('a tournament may have no seasons', async () => {
      const women = await fed.tournamentId("Women's Super League");
      assert.equal((await ask<Tournament>(`/v1/tournament/${women}`)).current_season, null);
      assert.deepEqual(await ask(`/v1/tournament/${women}/seasons`), { count: 0, seasons: [] });
    });
  });

  describe('participants', () => {
    it('participants requested by ids are listed once each, in that order, with a merged participant’s replacement in its place', async () => {
      await fed.participants(
        { type: 'team', sport: 'football', name: 'Willow', country: 'GB-WLS' },
        { type: 'team', sport: 'football', name: 'Yew', country: 'GB-WLS' },
      );
      const [willow, yew] = [await fed.participantId('Willow'), await fed.participantId('Yew')];
      const { rows } = await fed.db.pool.query<{ id: number }>(
        `INSERT INTO participant (type, sport, gender, key, name, person_id)
         VALUES ('player', 'football', 'men', '|name:x', 'Y. E.', $1) RETURNING id`,
        [yew],
      );
      const get = (ids: unknown) =>
        ask<{ count: number; participants: { id: number }[] }>(`/v1/participants?ids=${ids}`);
      const found = await get([yew, 999_999, willow, yew, rows[0]!.id]);
      assert.deepEqual([found.count, found.participants.map(({ id }) => id)], [2, [yew, willow]]);
      const {
        aliases: _,
        former_names: __,
        ...profile
      } = await ask<Record<string, unknown>>(`/v1/participant/${willow}`);
      assert.deepEqual((await get(willow)).participants, [profile]);
      for (const bad of ['', '?ids=', '?ids=a', `?ids=${Array.from({ length: 101 }, (_, at) => at + 1)}`])
        assert.equal((await fed.app.ask(`/v1/participants${bad}`)).status, 422, bad);
    });
  });

  describe('a participant', () => {
    it('a participant has a profile with aliases', async () => {
      await fed.participants({
        type: 'team',
        sport: 'football',
        name: 'Birch Rovers',
        name_ru: 'Бирч Роверс',
        country: 'GB-WLS',
        aliases: [{ name: 'Rovers' }, { name: 'Роверс', locale: 'ru' }, { name: 'Birch Rovers' }],
        extra: { stadium: 'The Wood' },
      });
      const id = await fed.participantId('Birch Rovers');
      assert.deepEqual(await ask(`/v1/participant/${id}`), {
        id,
        type: 'team',
        sport: 'football',
        name_i18n: { en: 'Birch Rovers', ru: 'Бирч Роверс' },
        country: 'GB-WLS',
        gender: 'men',
        birth_date: null,
        image_url: `/v1/participant/${id}/image`,
        extra: { stadium: 'The Wood' },
        aliases: [
          { name: 'Rovers', locale: 'en' },
          { name: 'Роверс', locale: 'ru' },
        ],
        former_names: [],
      });
    });

    it('a participant has former names as aliases, oldest first, and each match has the name used on that day', async () => {
      const named = {
        type: 'team',
        sport: 'football',
        name: 'Oak City',
        name_ru: 'Оук Сити',
        country: 'GB-WLS',
      } as const;
      await fed.participants({
        ...named,
        former_names: [
          { name: 'Oak Works', from: '1960-01-01', to: '1979-12-31' },
          { name: 'Oak Park', name_ru: 'Оук Парк', to: '1920-05-01' },
        ],
      });
      const id = await fed.participantId('Oak City');
      const { name_i18n, aliases, former_names } = await ask<ParticipantDetail>(`/v1/participant/${id}`);
      assert.deepEqual(
        [name_i18n, aliases, former_names],
        [
          { en: 'Oak City', ru: 'Оук Сити' },
          [
            { name: 'Oak Park', locale: 'en' },
            { name: 'Oak Works', locale: 'en' },
            { name: 'Оук Парк', locale: 'ru' },
          ],
          [
            { name: 'Oak Park', name_ru: 'Оук Парк', from: null, to: '1920-05-01' },
            { name: 'Oak Works', name_ru: null, from: '1960-01-01', to: '1979-12-31' },
          ],
        ],
      );
      await fed.matches(
        ...['1910-01-01', '1970-01-01', '1990-01-01'].map((day) => ({
          id: `oak ${day}`,
          sport: 'football',
          tournament: { name: 'Oak League', country: 'GB-WLS' },
          season: { label: day.slice(0, 4) },
          home: { name: 'Oak City', country: 'GB-WLS' },
          away: { name: 'Elm', country: 'GB-WLS' },
          scheduled_start: `${day}T15:00:00Z`,
        })),
      );
      const { events } = await ask<{ events: { participants: { name: string }[] }[] }>(
        `/v1/participant/${id}/events?when=all`,
      );
      assert.deepEqual(
        events.map(({ participants }) => participants[0]!.name),
        ['Oak City', 'Oak Works', 'Oak Park'],
      );
    });

    it('the name shown is the one used today, and the main name becomes an alias if it differs', async () => {
      await fed.participants({
        type: 'team',
        sport: 'football',
        name: 'Elm Town',
        country: 'GB-WLS',
        former_names: [
          { name: 'Elm Bank', name_ru: 'Элм Бэнк', from: new Date(fed.now).toISOString().slice(0, 10) },
          { name: 'Elm Village', to: '1999-12-31' },
        ],
      });
      const id = await fed.participantId('Elm Town');
      const profile = await ask<ParticipantDetail>(`/v1/participant/${id}`);
      assert.deepEqual(
        [profile.name_i18n, profile.aliases.map(({ name }) => name)],
        [{ en: 'Elm Bank', ru: 'Элм Бэнк' }, ['Elm Town', 'Elm Village']],
      );
      const [found] = (await ask<{ participants: FoundParticipant[] }>('/v1/participants/search?q=elm+town'))
        .participants;
      assert.deepEqual([found!.id, found!.name_i18n], [id, { en: 'Elm Bank', ru: 'Элм Бэнк' }]);
    });
  });

  describe("a participant's matches", () => {
    interface Event {
      id: number;
      scheduled_start: string;
      status: string;
      result: 'W' | 'D' | 'L' | null;
      score_for: number | null;
      score_against: number | null;
    }
    interface List {
      count: number;
      total: number;
      events: Event[];
    }
    let id: number;
    before(async () => {
      fed.now = Date.parse('2024-03-15T12:00:00Z');
      const cedar = (day: string, over: object, home = true) =>
        match(home ? 'Cedar' : 'Rowan', home ? 'Rowan' : 'Cedar', {
          scheduled_start: `2024-${day}T15:00:00Z`,
          ...over,
        });
      const ended = (homeScore: number, awayScore: number, status_detail = 'ended') => ({
        status: 'finished',
        status_detail,
        score: { home: homeScore, away: awayScore },
      });
      await fed.matches(
        cedar('01-01', ended(2, 1)),
        cedar('01-08', ended(3, 0), false),
        cedar('01-15', ended(1, 1)),
        cedar(
          '01-22',
          { ...ended(1, 1, 'after_penalties'), period_scores: [{ period: 'PEN', home: 3, away: 4 }] },
          false,
        ),
        cedar('01-29', ended(1, 0, 'abandoned')),
        cedar('02-05', { status: 'finished', status_detail: 'cancelled' }),
        cedar('02-12', ended(3, 0, 'walkover')),
        cedar('03-15', { status: 'live', status_detail: 'in_play', score: { home: 0, away: 2 }, minute: 10 }),
        cedar('03-22', {}),
        cedar('03-29', {}, false),
        cedar('02-19', {}),
      );
      id = await fed.participantId('Cedar');
    });

    it("a participant's matches have the result from that participant's view", async () => {
      const { count, total, events } = await ask<List>(`/v1/participant/${id}/events?when=past`);
      assert.deepEqual([count, total], [8, 8]);
      assert.deepEqual(
        events.map((event) => [event.scheduled_start.slice(5, 10), event.result, event.score_for, event.score_against]),
        [
          ['02-19', null, null, null],
          ['02-12', 'W', 3, 0],
          ['02-05', null, null, null],
          ['01-29', null, 1, 0],
          ['01-22', 'W', 1, 1],
          ['01-15', 'D', 1, 1],
          ['01-08', 'L', 0, 3],
          ['01-01', 'W', 2, 1],
        ],
      );
    });

    it('upcoming matches are listed soonest first, including matches in progress', async () => {
      const { total, events } = await ask<List>(`/v1/participant/${id}/events?when=upcoming`);
      assert.equal(total, 3);
      assert.deepEqual(
        events.map((event) => [event.scheduled_start.slice(5, 10), event.status, event.result, event.score_for]),
        [
          ['03-15', 'live', null, 0],
          ['03-22', 'scheduled', null, null],
          ['03-29', 'scheduled', null, null],
        ],
      );
    });

    it('a match that awaits data counts as past', async () => {
      fed.now = Date.parse('2024-03-22T20:00:00Z');
      const days = async (when: string) =>
        (await ask<List>(`/v1/participant/${id}/events?when=${when}`)).events.map((event) =>
          event.scheduled_start.slice(5, 10),
        );
      assert.deepEqual(await days('upcoming'), ['03-15', '03-22', '03-29']);
      await markAwaitingData({ pool: fed.db.pool, clock: { now: () => fed.now }, changes: { publish: () => {} } });
      assert.deepEqual(await days('upcoming'), ['03-29']);
      assert.deepEqual((await days('past')).slice(0, 3), ['03-22', '03-15', '02-19']);
    });

    it('every match is either past or upcoming, and all matches can be read page by page', async () => {
      const all = await ask<List>(`/v1/participant/${id}/events`);
      assert.equal(all.total, 11);
      const pages = [];
      for (const offset of [0, 4, 8, 12]) {
        const page = await ask<List>(`/v1/participant/${id}/events?when=all&limit=4&offset=${offset}`);
        assert.equal(page.total, 11);
        pages.push(...page.events);
      }
      assert.deepEqual(pages, all.events);
      assert.equal((await fed.app.ask(`/v1/participant/${id}/events?limit=201`)).status, 422);
      assert.equal((await fed.app.ask(`/v1/participant/${id}/events?when=soon`)).status, 422);
    });

    it("a player's matches are those in which the player played, with the player's side", async () => {
      const kicker = { name: 'Karl Kicker', id: 'kk', birth_date: '2000-01-01' };
      const lineups = [{ side: 'away' as const, player: kicker, is_substitute: false }];
      await fed.matches(
        match('Rowan', 'Cedar', {
          scheduled_start: '2023-12-01T15:00:00Z',
          status: 'finished',
          status_detail: 'ended',
          score: { home: 0, away: 2 },
          lineups,
        }),
      );
      const player = await fed.participantId('Karl Kicker');
      const { total, events } = await ask<List>(`/v1/participant/${player}/events`);
      assert.equal(total, 1);
      assert.deepEqual([events[0]!.result, events[0]!.score_for, events[0]!.score_against], ['W', 2, 0]);
    });

    it('a tournament may have no seasons', async () => {
      const rovers = await fed.participantId('Birch Rovers');
      assert.deepEqual(await ask(`/v1/participant/${rovers}/events`), { count: 0, total: 0, events: [] });
    });
  });

  describe('reference lists', () => {
    const ajv = () => new Ajv2020({ strict: false, validateFormats: false });

    it('the reference has every event type with a data schema', async () => {
      const { count, event_types } = await ask<{
        count: number;
        event_types: { type: string; meaning: string; schema: object }[];
      }>('/v1/reference/event-types');
      assert.equal(count, event_types.length);
      assert.deepEqual(
        event_types.map(({ type }) => type),
        Object.keys(EVENT_TYPES),
      );
      for (const { schema } of event_types) assert.equal(ajv().validateSchema(schema), true);
      const valid = (type: string, data: object) =>
        ajv().compile(event_types.find((one) => one.type === type)!.schema)(data);
      const side = { id: 1, name: 'A', name_ru: null, score: 1 };
      const common = {
        schema: 1,
        sequence: 3,
        occurred_at: '2024-05-01T15:00:00Z',
        match: {
          id: 1,
          sport: 'football',
          tournament_id: 1,
          tournament: 'T',
          season_label: '2024',
          status: 'live',
          status_detail: 'in_play',
          minute: 3,
          home: side,
          away: side,
        },
      };
      const incident = {
        id: 1,
        minute: 3,
        minute_plus: null,
        period: '1H',
        kind: 'goal',
        side: 'home',
        player_name: 'P',
        player_participant_id: null,
        assist_name: null,
        assist_participant_id: null,
        payload: { goal_type: 'regular' },
        action: 'insert',
      };
      assert.equal(valid('match.goal', { ...common, incident }), true);
      assert.equal(valid('match.goal', common), false, 'a goal needs its incident');
      assert.equal(valid('match.goal', { ...common, incident: { ...incident, kind: 'card' } }), false);
      assert.equal(valid('match.started', common), true);
      assert.equal(valid('match.started', { ...common, incident }), false);
      assert.equal(
        valid('match.correction', { ...common, changes: { home_score: 2 }, previous: { home_score: 1 } }),
        true,
      );
      assert.equal(valid('match.period_ended', common), true);
      const own = { subscription_id: 1, sent_at: '2024-05-01T15:00:00Z' };
      assert.equal(valid('webhook.ping', own), true);
      assert.equal(valid('webhook.challenge', { ...own, challenge: 'x' }), true);
      assert.equal(valid('webhook.challenge', own), false);
    });

    it('the reference has every incident kind and status', async () => {
      const kinds = await ask<{ incident_kinds: { kind: string; sports: string[]; schema: { properties: object } }[] }>(
        '/v1/reference/incident-kinds',
      );
      assert.deepEqual(
        kinds.incident_kinds.map(({ kind }) => kind),
        Object.keys(INCIDENT_KINDS),
      );
      assert.deepEqual(Object.keys(kinds.incident_kinds.find(({ kind }) => kind === 'card')!.schema.properties), [
        'card_type',
        'reason',
        'sin_bin_minutes',
        'role',
      ]);
      const { count, statuses } = await ask<{ count: number; statuses: { status: string; status_detail: string }[] }>(
        '/v1/reference/statuses?sport=tennis',
      );
      // A match with either status may await data.
      assert.equal(count, Object.keys(STATUS_DETAILS).length + 2);
      assert.deepEqual(
        statuses.filter(({ status_detail }) => status_detail === 'awaiting_data').map(({ status }) => status),
        ['scheduled', 'live'],
      );
      assert.deepEqual(new Set(statuses.map(({ status }) => status)), new Set(['scheduled', 'live', 'finished']));
    });

    it('the reference can be filtered by sport', async () => {
      const kinds = await ask<{ incident_kinds: { kind: string; sports: string[] }[] }>(
        '/v1/reference/incident-kinds?sport=tennis',
      );
      assert.ok(kinds.incident_kinds.every(({ sports }) => sports.includes('tennis')));
      assert.ok(!kinds.incident_kinds.some(({ kind }) => kind === 'goal'));
      const types = await ask<{ event_types: { type: string }[] }>('/v1/reference/event-types?sport=tennis');
      assert.ok(!types.event_types.some(({ type }) => type === 'match.goal'));
      assert.ok(types.event_types.some(({ type }) => type === 'match.set_ended'));
    });
  });

  it('every catalogue route requires a key', async () => {
    for (const path of [
      '/v1/sports',
      '/v1/countries',
      '/v1/tournaments',
      '/v1/participants/search?q=ab',
      '/v1/reference/statuses',
      '/v1/participant/1/image',
    ]) {
      assert.equal((await fed.app.ask(path, { key: null })).status, 401, path);
    }
  });

  describe('caching', () => {
    it('replies may be cached for a day, and replies that change with the catalogue for 60 s', async () => {
      const { tournaments } = await ask<{ tournaments: Tournament[] }>('/v1/tournaments?limit=1');
      const { rows } = await fed.db.pool.query<{ id: number }>('SELECT id FROM participant LIMIT 1');
      const [tournamentId, participantId] = [tournaments[0]!.id, rows[0]!.id];
      for (const [path, seconds] of [
        ['/v1/sports', 86_400],
        ['/v1/countries', 86_400],
        ['/v1/reference/event-types', 86_400],
        ['/v1/reference/incident-kinds', 86_400],
        ['/v1/reference/statuses', 86_400],
        ['/v1/tournaments', 60],
        [`/v1/tournament/${tournamentId}`, 60],
        [`/v1/tournament/${tournamentId}/seasons`, 60],
        ['/v1/participants/search?q=ash', 60],
        [`/v1/participant/${participantId}`, 60],
        [`/v1/participant/${participantId}/events`, 60],
        [`/v1/participant/${participantId}/image`, 604_800],
      ] as const) {
        const { headers } = await fed.app.ask(path);
        assert.equal(headers.get('cache-control'), `private, max-age=${seconds}`, path);
      }
    });
  });
});
