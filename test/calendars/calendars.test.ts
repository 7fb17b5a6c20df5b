import assert from 'node:assert/strict';
import { routes } from '../../src/calendars/routes.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { type Entry, parseCalendar } from './parsed.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = '2024-06-01T12:00:00Z';

describe('team and tournament calendars', function () {
  this.timeout(30_000);
  let fed: Fed;
  let count = 0;
  before(async () => {
    fed = await startFed(routes, NOW);
  });
  after(() => fed.close());

  type Match = Parameters<Fed['matches']>[0];
  interface Fixture {
    team: string;
    /** Sends the match again with these fields changed. */
    send(fields?: Partial<Match>): Promise<void>;
    calendar(query?: string): Promise<string>;
    entries(query?: string): Promise<Entry[]>;
  }

  /** Feeds a match for a team that has no other match. */
  async function fixture(fields: Partial<Match> = {}): Promise<Fixture> {
    count += 1;
    const base: Match = {
      id: `match-${count}`,
      sport: 'football',
      tournament: { name: 'Premier League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      scheduled_start: '2024-06-08T14:00:00Z',
      home: { name: `Team ${count}`, country: 'GB-ENG' },
      away: { name: 'Guests', country: 'GB-ENG' },
      ...fields,
    };
    await fed.matches(base);
    // In names, the catalogue stores any white space as one space.
    const id = await fed.participantId(base.home.name.replaceAll(/\s+/g, ' '));
    const calendar = async (query = '') => {
      const { status, text } = await fed.app.ask(`/calendar/team/${id}.ics${query}`, { key: null });
      assert.equal(status, 200, text);
      return text;
    };
    return {
      team: base.home.name,
      send: async (more = {}) => void (await fed.matches({ ...base, ...more })),
      calendar,
      entries: async (query) => parseCalendar(await calendar(query)).entries,
    };
  }
  const only = <T>(list: readonly T[]): T => {
    assert.equal(list.length, 1);
    return list[0]!;
  };

  it('consist of entries in the iCalendar format, line by line', async () => {
    const one = await fixture({
      home: { name: 'Зенит, "Питер"; клуб', country: 'RU' },
      round_num: 19,
      venue: { name: 'Газпром Арена', country: 'RU' },
    });
    const text = await one.calendar();
    const id = /match-(\d+)@/.exec(text)![1];
    const { rows } = await fed.db.pool.query('SELECT database_id FROM analytics_loader');
    const unfolded = text.replaceAll('\r\n ', '');
    assert.deepEqual(unfolded.replace(/^(DTSTAMP|LAST-MODIFIED):20240601T120000Z/gm, '$1:now').split('\r\n'), [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Touchline//Calendars//EN',
      'NAME:Зенит\\, "Питер"\\; клуб: matches',
      'X-WR-CALNAME:Зенит\\, "Питер"\\; клуб: matches',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VEVENT',
      `UID:match-${id}@${rows[0].database_id}`,
      'SEQUENCE:0',
      'DTSTAMP:now',
      'LAST-MODIFIED:now',
      'DTSTART:20240608T140000Z',
      'DTEND:20240608T160000Z',
      'STATUS:CONFIRMED',
      'TRANSP:TRANSPARENT',
      'SUMMARY:Зенит\\, "Питер"\\; клуб – Guests',
      `DESCRIPTION:Premier League 2023/24\\, Round 19\\n${fed.app.url}/match/${id}`,
      'LOCATION:Газпром Арена',
      `URL:${fed.app.url}/match/${id}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
    assert.notEqual(unfolded, text, 'no line was long enough to be folded');
  });

  it('show a name with special characters unchanged, and such a name cannot add a line', async () => {
    const name = `Клуб \\n; "A,B"\nEND:VEVENT\r\nBEGIN:VEVENT\t\u0007\u0085🏴󠁧󠁢󠁥󠁮󠁧󠁿${'ж'.repeat(60)}${'😀'.repeat(40)}`;
    const venue = 'Stadium, "Line"\nEND:VCALENDAR\r\nLine\rthree\u001b';
    const one = await fixture({ home: { name, country: 'RU' }, venue: { name: venue, country: 'RU' } });
    const shown = name.replaceAll(/\s+/g, ' ').replace('\u0007\u0085', '');
    const { summary, location } = only(await one.entries());
    assert.equal(summary, `${shown} – Guests`);
    assert.equal(location, 'Stadium, "Line"\nEND:VCALENDAR\nLine\nthree');
    assert.equal(parseCalendar(await one.calendar()).name, `${shown}: matches`);
  });

  it('keep UID after any change, and raise SEQUENCE after a reschedule but not after a new score', async () => {
    const one = await fixture();
    const before = only(await one.entries());
    assert.deepEqual([before.sequence, before.start], [0, '2024-06-08T14:00:00Z']);
    await one.send({ scheduled_start: '2024-06-09T18:30:00Z' });
    const moved = only(await one.entries());
    assert.deepEqual([moved.sequence, moved.start, moved.end], [1, '2024-06-09T18:30:00Z', '2024-06-09T20:30:00Z']);
    await one.send({ scheduled_start: '2024-06-09T18:30:00Z', status: 'live', score: { home: 1, away: 0 } });
    const live = only(await one.entries());
    assert.equal(live.summary, before.summary);
    await one.send({ scheduled_start: '2024-06-09T18:30:00Z', status: 'finished', score: { home: 2, away: 1 } });
    const over = only(await one.entries());
    assert.equal(over.summary, `${one.team} 2–1 Guests`);
    assert.equal(over.status, 'CONFIRMED');
    for (const { uid, sequence } of [live, over]) assert.deepEqual([uid, sequence], [before.uid, 1]);
    await one.send({ scheduled_start: '2024-06-10T18:30:00Z', status: 'finished', score: { home: 2, away: 1 } });
    assert.equal(only(await one.entries()).sequence, 2);
  });

  it('mention a shoot-out, a walkover and an abandonment in the summary', async () => {
    const ends: [Partial<Match>, string][] = [
      [
        {
          status: 'finished',
          status_detail: 'after_penalties',
          score: { home: 1, away: 1 },
          period_scores: [
            { period: '1H', home: 1, away: 1 },
            { period: 'PEN', home: 4, away: 3 },
          ],
        },
        '1–1 Guests (4–3 pens)',
      ],
      [{ status_detail: 'walkover', score: { home: 3, away: 0 } }, '3–0 Guests (Walkover)'],
      [{ status: 'finished', status_detail: 'abandoned', score: { home: 1, away: 0 } }, '– Guests (Abandoned)'],
    ];
    for (const [fields, summary] of ends) {
      const one = await fixture(fields);
      assert.equal(only(await one.entries()).summary, `${one.team} ${summary}`);
    }
  });

  it('show a match with a day and no time as all-day, whatever the server’s time zone', async () => {
    const one = await fixture({ scheduled_start: '2024-06-08T00:00:00Z', time_tbd: true });
    const before = process.env.TZ;
    process.env.TZ = 'America/New_York';
    const day = only(await one.entries());
    assert.deepEqual([day.start, day.end], ['2024-06-08', null]);
    assert.match(await one.calendar(), /^DTSTART;VALUE=DATE:20240608\r$/m);
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    await one.send({ time_tbd: false, scheduled_start: '2024-06-08T00:00:00Z' });
    const known = only(await one.entries());
    assert.deepEqual([known.start, known.sequence], ['2024-06-08T00:00:00Z', 1]);
  });

  it('show a postponed match as tentative, and keep cancelled and deleted matches as CANCELLED', async () => {
    const one = await fixture();
    const { uid } = only(await one.entries());
    await one.send({ status_detail: 'postponed' });
    const postponed = only(await one.entries());
    assert.deepEqual([postponed.status, postponed.sequence], ['TENTATIVE', 1]);
    assert.equal(postponed.summary, `${one.team} – Guests (Postponed)`);
    await one.send({ status_detail: 'cancelled' });
    const cancelled = only(await one.entries());
    assert.deepEqual([cancelled.uid, cancelled.status, cancelled.sequence], [uid, 'CANCELLED', 2]);
    assert.equal(cancelled.summary, `${one.team} – Guests (Cancelled)`);

    const other = await fixture();
    const kept = only(await other.entries());
    await other.send({ deleted: true });
    const deleted = only(await other.entries());
    assert.deepEqual(
      [deleted.uid, deleted.start, deleted.status, deleted.sequence],
      [kept.uid, kept.start, 'CANCELLED', 1],
    );
    assert.equal(deleted.summary, `${other.team} – Guests (Cancelled)`);
    assert.match((await other.entries('?lang=ru'))[0]!.summary, /\(Отменён\)$/);
  });

  it('show a match that moves to a new tournament as CANCELLED in the old tournament’s calendar, until it returns', async () => {
    const [first, second] = [
      { name: 'First Cup', country: 'DE' },
      { name: 'Second Cup', country: 'DE' },
    ];
    const one = await fixture({ tournament: first });
    const { uid } = only(await one.entries());
    const calendarOf = async (name: string) => {
      const { text } = await fed.app.ask(`/calendar/tournament/${await fed.tournamentId(name)}.ics`, { key: null });
      return parseCalendar(text).entries.filter((entry) => entry.uid === uid);
    };
    await one.send({ tournament: second });
    const left = only(await calendarOf('First Cup'));
    assert.deepEqual([left.status, left.sequence], ['CANCELLED', 1]);
    assert.equal(only(await calendarOf('Second Cup')).status, 'CONFIRMED');
    assert.deepEqual(
      (await one.entries()).map(({ status, sequence }) => [status, sequence]),
      [['CONFIRMED', 1]],
    );
    await one.send({ tournament: first });
    const back = only(await calendarOf('First Cup'));
    assert.deepEqual([back.status, back.sequence], ['CONFIRMED', 2]);
    assert.equal(only(await calendarOf('Second Cup')).status, 'CANCELLED');
  });

  describe('the window', () => {
    const at = (days: number) => new Date(Date.parse('2024-06-01T00:00:00Z') + days * DAY_MS).toISOString();

    it('begins 90 days ago, and if all matches are older, the calendar is valid and empty', async () => {
      const one = await fixture({ scheduled_start: at(-91) });
      const { parts, entries } = parseCalendar(await one.calendar());
      assert.deepEqual([parts, entries], [['vtimezone'], []]);
      const recent = await fixture({ scheduled_start: at(-90) });
      assert.equal(only(await recent.entries()).start, '2024-03-03T00:00:00Z');
      const far = await fixture({ scheduled_start: '2199-12-31T00:00:00Z' });
      assert.equal(only(await far.entries()).start, '2199-12-31T00:00:00Z');
    });

    it('has the 500 matches nearest to today', async () => {
      const matches = Array.from({ length: 520 }, (_, index) => ({
        id: `many-${index}`,
        sport: 'football',
        tournament: { name: 'Endless League', country: 'ES' },
        season: { label: '2024' },
        scheduled_start: new Date(Date.parse(at(-80)) + index * 8 * 3_600_000).toISOString(),
        home: { name: `Home ${index}`, country: 'ES' },
        away: { name: `Away ${index}`, country: 'ES' },
      }));
      await fed.matches(...matches);
      const id = await fed.tournamentId('Endless League');
      const { text } = await fed.app.ask(`/calendar/tournament/${id}.ics`, { key: null });
      const { entries } = parseCalendar(text);
      assert.deepEqual(
        entries.map(({ start }) => start),
        matches.slice(0, 500).map(({ scheduled_start }) => scheduled_start.replace('.000', '')),
      );
      assert.equal(new Set(entries.map(({ uid }) => uid)).size, 500);
    });
  });

  describe('over HTTP', () => {
    it('have an entity tag, and answer 304 until something changes', async () => {
      const one = await fixture();
      const path = `/calendar/team/${await fed.participantId(one.team)}.ics`;
      const first = await fed.app.ask(path, { key: null });
      assert.match(first.headers.get('content-type')!, /^text\/calendar; charset=utf-8$/);
      assert.equal(first.headers.get('cache-control'), 'private, max-age=300');
      assert.match(first.headers.get('content-disposition')!, /^inline; filename="team-\d+\.ics"$/);
      const conditional = { key: null, headers: { 'If-None-Match': first.headers.get('etag')! } };
      fed.changed();
      fed.now += 3_600_000;
      const again = await fed.app.ask(path, conditional);
      assert.deepEqual([again.status, again.text], [304, '']);
      await one.send({ scheduled_start: '2024-06-20T14:00:00Z' });
      assert.equal((await fed.app.ask(path, conditional)).status, 200);
      fed.now -= 3_600_000;
    });

    it('answer HEAD like GET, without the body, and refuse unsupported methods', async () => {
      const one = await fixture();
      const path = `/calendar/team/${await fed.participantId(one.team)}.ics`;
      const head = await fed.app.ask(path, { key: null, method: 'HEAD' });
      const get = await fed.app.ask(path, { key: null });
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', get.headers.get('etag')]);
      assert.equal((await fed.app.ask(path, { key: null, method: 'POST', body: {} })).status, 405);
    });

    it('are in Russian if lang or Accept-Language asks for Russian', async () => {
      const one = await fixture({
        tournament: { name: 'Premier Liga', name_ru: 'Премьер-лига', country: 'RU' },
        away: { name: 'Spartak Moscow', name_ru: 'Спартак', country: 'RU' },
        home: { name: 'CSKA', name_ru: 'ЦСКА', country: 'RU' },
        round_num: 19,
        round_name: 'Round 19',
      });
      const { name, entries } = parseCalendar(await one.calendar('?lang=ru'));
      assert.deepEqual([name, only(entries).summary], ['ЦСКА: матчи', 'ЦСКА – Спартак']);
      assert.equal(entries[0]!.description.split('\n')[0], 'Премьер-лига 2023/24, 19-й тур');
      const path = `/calendar/team/${await fed.participantId('CSKA')}.ics`;
      const asked = await fed.app.ask(path, { key: null, headers: { 'Accept-Language': 'ru' } });
      assert.equal(asked.headers.get('content-language'), 'ru');
      assert.equal(parseCalendar(asked.text).name, 'ЦСКА: матчи');
      assert.equal((await fed.app.ask(`${path}?lang=xx`, { key: null })).status, 422);
    });

    it('explain what is wrong with an id', async () => {
      const one = await fixture();
      const team = await fed.participantId(one.team);
      await fed.participants({ id: 'p1', type: 'player', sport: 'football', name: 'Bukayo Saka', country: 'GB-ENG' });
      const player = await fed.participantId('Bukayo Saka');
      const wrong: [string, number, RegExp][] = [
        ['team/999999999', 404, /^There is no team 999999999\.$/],
        ['tournament/999999999', 404, /^There is no tournament 999999999\.$/],
        [`tournament/${team + 100_000}`, 404, /^There is no tournament/],
        [`team/${player}`, 404, /is a player: only teams and tournaments have calendars\.$/],
        ['team/0', 422, /must be an integer/],
        ['team/1e3', 422, /must be an integer/],
        ['team/99999999999999999999', 422, /must be an integer/],
        ['team/%F0%9F%98%80', 422, /must be an integer/],
        ['player/1', 404, /nothing at this path/],
      ];
      for (const [path, status, detail] of wrong) {
        const answer = await fed.app.ask(`/calendar/${path}.ics`, { key: null });
        assert.equal(answer.status, status, path);
        assert.match(answer.json.detail, detail, path);
        assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/);
      }
      const twice = await fed.app.ask(`/calendar/team/${team}.ics?token=a&token=b`, { key: null });
      assert.equal(twice.status, 422);
    });

    it('give a merged team’s calendar for the former id too', async () => {
      const [former, present] = [await fixture(), await fixture()];
      const [old, id] = [await fed.participantId(former.team), await fed.participantId(present.team)];
      await fed.db.pool.query('UPDATE participant SET person_id = $2 WHERE id = $1', [old, id]);
      fed.changed();
      const { text } = await fed.app.ask(`/calendar/team/${old}.ics`, { key: null });
      assert.equal(parseCalendar(text).name, `${present.team}: matches`);
    });

    it('answer 600 of 10,000 requests from one address, and Retry-After says when to come back', async () => {
      const one = await fixture();
      const path = `${fed.app.url}/calendar/tournament/${await fed.tournamentId('Premier League')}.ics`;
      const teamPath = `/calendar/team/${await fed.participantId(one.team)}.ics`;
      // By now, the bucket is full again.
      fed.now += 60_000;
      let ok = 0;
      for (let sent = 0; sent < 10_000; sent += 100) {
        const replies = await Promise.all(
          Array.from({ length: 100 }, async () => {
            const reply = await fetch(path);
            await reply.arrayBuffer();
            return reply;
          }),
        );
        ok += replies.filter(({ status }) => status === 200).length;
        const refused = replies.filter(({ status }) => status !== 200);
        for (const { status, headers } of refused) {
          assert.equal(status, 429);
          assert.match(headers.get('retry-after')!, /^\d+$/);
        }
      }
      assert.equal(ok, 600);
      assert.equal((await fed.app.ask(teamPath, { key: null })).status, 200);
    }).timeout(60_000);
  });
});
