/**
 * Tests the provider OpenLigaDB: which requests it sends, and how it handles what users have entered, rightly or
 * wrongly.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Known } from '../../../src/providers/openligadb/known-matches.ts';
import { provider as openligadb } from '../../../src/providers/openligadb/provider.ts';
import type { Reading } from '../../../src/providers/provider.ts';
import { feedUpdate, type MatchUpdateInput } from '../../../src/wire/feed-update.ts';
import { type EnteredMatch, enterGoal, enterMatch, enterResult } from '../../support/openligadb.ts';

type Match = MatchUpdateInput['match'];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-21T14:30:00Z');
const PATH = '/getmatchdata/bl1/2026/11';

const begin = (scope: string | null) => {
  const known = openligadb.start(scope);
  assert.notEqual(typeof known, 'string');
  return known as Known;
};
const readReply = (known: Known, body: unknown, minute: number, over: object = {}) =>
  openligadb.updates({ path: PATH, body, receivedAt: START + minute * MINUTE, sourceTime: null, ...over }, known) as
    | Reading<Known>
    | string;
const read = (known: Known, body: unknown, minute: number, over: object = {}): Reading<Known> => {
  const before = structuredClone(known);
  const reading = readReply(known, body, minute, over);
  if (typeof reading === 'string') throw new Error(reading);
  assert.deepEqual(known, before, 'what is known is not changed in place');
  return { ...reading, known: JSON.parse(JSON.stringify(reading.known)) as Known };
};
const matchIn = ({ updates }: Reading<Known>, index = 0): Match => {
  const update = updates[index];
  assert.ok(update?.kind === 'match');
  feedUpdate.parse({ schema: 1, provider: 'openligadb', observed_at: '2026-11-21T14:30:00Z', ...update });
  return update.match;
};

/** Reads replies one after another. Between two replies, users change the match. */
class Season {
  known = begin('bl1');
  readonly match: EnteredMatch;
  constructor(over: Partial<EnteredMatch> = {}, scope = 'bl1') {
    this.match = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START, over);
    this.known = begin(scope);
  }
  /** @returns the update about the match */
  at(minute: number, body: unknown = [this.match]): Match {
    const reading = read(this.known, structuredClone(body), minute);
    this.known = reading.known;
    return matchIn(reading);
  }
}
const state = ({ status, status_detail, score, period_scores }: Match) => ({
  ...(status && { status }),
  ...(status_detail && { status_detail }),
  ...(score && { score: `${score.home}:${score.away}` }),
  ...(period_scores && { periods: period_scores.map(({ period, home, away }) => `${period} ${home}:${away}`) }),
});
const goals = ({ incidents }: Match) =>
  incidents?.map(({ id, side, minute, minute_plus, period, player, payload }) =>
    [
      id,
      side,
      [minute, minute_plus].filter(Boolean).join('+'),
      period,
      player?.name,
      (payload as { goal_type: string }).goal_type,
    ].join(' '),
  );

describe('OpenLigaDB', () => {
  it('needs a league, and accepts a season in addition', () => {
    assert.equal(begin('BL1').league, 'bl1');
    assert.deepEqual([begin('bl1/2024').league, begin('bl1/2024').fixedSeason], ['bl1', 2024]);
    for (const scope of [null, '', 'bl1/24', '../bl1', 'bl1/2024/3', 'b l', 'x'.repeat(31)])
      assert.match(openligadb.start(scope) as string, /^give the shortcut of a league/);
  });

  describe('requests', () => {
    const paths = (known: Known, now: number) => openligadb.requests(now, known).map(({ path }) => path);

    it('begin with the season’s calendar, or with the previous season’s if none exists yet', () => {
      const known = begin('bl1');
      assert.deepEqual(paths(known, START), [
        '/getcurrentgroup/bl1',
        '/getmatchdata/bl1/2026',
        '/getmatchdata/bl1/2025',
      ]);
      assert.deepEqual(paths(begin('bl1'), Date.parse('2026-06-30T12:00:00Z'))[1], '/getmatchdata/bl1/2025');
      assert.deepEqual(paths(begin('bl1/2024'), START).slice(1), ['/getmatchdata/bl1/2024']);
      const reading = openligadb.updates(
        { path: '/getcurrentgroup/bl1', body: { groupOrderID: 11 }, receivedAt: START, sourceTime: null },
        known,
      ) as Reading<Known>;
      assert.deepEqual(paths({ ...reading.known, seasons: [2026] }, START).slice(1), [
        '/getmatchdata/bl1/2026',
        '/getmatchdata/bl1/2026/11',
        '/getmatchdata/bl1/2026/12',
      ]);
    });

    it('ask every 20 s during a match only for the date of the last change, and otherwise every few hours', () => {
      const season = new Season();
      season.at(-300);
      const plan = (minute: number) =>
        openligadb.requests(START + minute * MINUTE, season.known).filter(({ isLive }) => isLive);
      assert.deepEqual(plan(-11), []);
      assert.deepEqual(
        plan(-9).map(({ path, everyMs, cost }) => [path, everyMs, cost]),
        [
          ['/getlastchangedate/bl1/2026/11', 20_000, 0],
          [PATH, 300_000, undefined],
        ],
      );
      const idle = openligadb.requests(START - 5 * HOUR, season.known);
      assert.ok(idle.every(({ everyMs }) => everyMs >= HOUR));
      const before = plan(-1)[1]!.version;
      assert.notEqual(plan(0)[1]!.version, before, 'the start of a match is a reason to look');
      const changed = openligadb.updates(
        {
          path: '/getlastchangedate/bl1/2026/11',
          body: '2026-11-21T15:40:01.17',
          receivedAt: START,
          sourceTime: null,
        },
        season.known,
      ) as Reading<Known>;
      assert.notEqual(openligadb.requests(START - MINUTE, changed.known)[1]!.version, before);
    });

    it('repeat now and then for a match that ended recently, because corrections may follow', () => {
      const season = new Season();
      season.match.matchIsFinished = true;
      enterResult(season.match, 2, '1:0');
      season.at(110);
      season.at(111);
      const requests = openligadb.requests(START + 5 * HOUR, season.known);
      assert.deepEqual(
        requests.slice(0, 2).map(({ path, everyMs, isLive }) => [path, everyMs, isLive]),
        [
          ['/getlastchangedate/bl1/2026/11', 600_000, undefined],
          [PATH, 21_600_000, undefined],
        ],
      );
      assert.ok(!paths(season.known, START + 60 * HOUR)[0]!.startsWith('/getlastchangedate'));
    });
  });

  describe('a match', () => {
    it('is identified by both sides’ ids, whatever the match id', () => {
      const season = new Season({
        location: { locationID: 1, locationCity: 'München', locationStadium: 'Allianz Arena' },
        numberOfViewers: 75_000,
      });
      const match = season.at(-300);
      const { team1, team2 } = season.match;
      assert.deepEqual(match, {
        id: `bl1/2026/${team1.teamId}-${team2.teamId}`,
        sport: 'football',
        tournament: { id: 'bl1', name: 'Bundesliga', country: 'DE', gender: 'men' },
        season: { label: '2026/27' },
        home: { id: String(team1.teamId), name: 'FC Bayern München', country: 'DE' },
        away: { id: String(team2.teamId), name: 'VfB Stuttgart', country: 'DE' },
        scheduled_start: '2026-11-21T14:30:00Z',
        round_num: 11,
        round_name: 'Matchday 11',
        venue: { name: 'Allianz Arena', city: 'München', country: 'DE' },
        attendance: 75_000,
        status: 'scheduled',
      });
      season.match.matchID += 1_000;
      assert.equal(season.at(-200).id, match.id);
    });

    it('has its start from the UTC time, or from Berlin wall time if the former is missing', () => {
      const season = new Season();
      season.match.matchDateTimeUTC = '2026-11-21T14:30:00';
      assert.equal(season.at(-300).scheduled_start, '2026-11-21T14:30:00Z');
      season.match.matchDateTime = 'tomorrow';
      const reading = read(season.known, [season.match], -299);
      assert.equal(matchIn(reading).scheduled_start, undefined);
      assert.deepEqual(reading.unknown, [{ path: '[0].matchDateTimeUTC', value: '2026-11-21T14:30:00' }]);
    });

    it('is live from its start on, by the service’s clock and by the source’s clock', () => {
      assert.deepEqual(state(new Season().at(-1)), { status: 'scheduled' });
      assert.deepEqual(state(new Season().at(0)), { status: 'live', score: '0:0' });
      const season = new Season();
      const behind = read(season.known, [season.match], 5, { sourceTime: START - 5 * MINUTE });
      assert.deepEqual(state(matchIn(behind)), {}, 'our clock may be ten minutes ahead');
      enterGoal(season.match, '1:0', 1, 'H. Kane');
      assert.deepEqual(state(new Season().at(-8, [season.match])), { status: 'live', score: '1:0' });
    });

    it('has no state if nobody enters anything for hours after the start', () => {
      const season = new Season();
      season.at(-300);
      assert.deepEqual(state(season.at(149)), { status: 'live', score: '0:0' });
      assert.deepEqual(state(season.at(151)), {});
      assert.deepEqual(state(new Season().at(24 * 60)), {});
    });

    it('is postponed if it was considered live and gets a later start', () => {
      const season = new Season();
      season.at(1);
      season.match.matchDateTimeUTC = '2026-12-09T17:30:00Z';
      const match = season.at(20);
      assert.deepEqual(state(match), { status: 'scheduled', status_detail: 'postponed' });
      assert.equal(match.scheduled_start, '2026-12-09T17:30:00Z');
      assert.deepEqual(state(season.at(21)), { status: 'scheduled' });
    });

    it('ends when two polls give the same final result, not when the source flags it as finished', () => {
      const season = new Season();
      season.at(0);
      season.match.matchIsFinished = true;
      assert.deepEqual(state(season.at(105)), { status: 'live', score: '0:0' }, 'it has no final result');
      enterResult(season.match, 2, '0:0');
      assert.deepEqual(state(season.at(106)), { status: 'live', score: '0:0' });
      assert.deepEqual(state(season.at(106.2)), { status: 'live', score: '0:0' }, 'both within one poll');
      enterResult(season.match, 2, '1:0');
      assert.deepEqual(state(season.at(106.4)), { status: 'live', score: '1:0' });
      const asked = openligadb.requests(START + 106.5 * MINUTE, season.known);
      assert.equal(asked[1]!.everyMs, 20_000, 'it is looked at again within seconds');
      assert.deepEqual(state(season.at(106.7)), { status: 'finished', status_detail: 'ended', score: '1:0' });
    });

    it('stays finished, whatever an old or empty reply says', () => {
      const season = new Season();
      season.match.matchIsFinished = true;
      enterResult(season.match, 1, '1:0');
      enterResult(season.match, 2, '1:1');
      season.at(110);
      assert.deepEqual(state(season.at(111)), {
        status: 'finished',
        status_detail: 'ended',
        score: '1:1',
        periods: ['1H 1:0', '2H 0:1'],
      });
      const yesterday = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START);
      assert.deepEqual(state(season.at(112, [yesterday])), {});
      assert.equal(
        readReply(season.known, [{}], 113),
        'no match can be read: [0].matchID is "Invalid input: expected number, received undefined"',
      );
      assert.deepEqual(read(season.known, [], 114).updates, []);
      enterResult(season.match, 2, '2:1');
      assert.deepEqual(state(season.at(300)).score, '2:1', 'a late correction');
    });

    it('is unchanged by a reply that is older than the previous one', () => {
      const season = new Season({ lastUpdateDateTime: '2026-11-21T15:40:00' });
      enterGoal(season.match, '1:0', 10, 'H. Kane');
      season.at(12);
      const stale = { ...season.match, goals: [], lastUpdateDateTime: '2026-11-20T09:00:00' };
      assert.deepEqual(read(season.known, [stale], 13).updates, []);
    });

    it('is read from the newer entry if it was entered twice', () => {
      const season = new Season();
      const again = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START);
      enterGoal(again, '0:1', 3, null);
      const reading = read(season.known, [again, season.match], 5);
      assert.equal(reading.updates.length, 1);
      assert.equal(state(matchIn(reading)).score, '0:1');
    });

    it('is left out and reported if its league or season is wrong, or if a side plays itself', () => {
      const season = new Season();
      const other = [
        { ...season.match, leagueShortcut: 'bl2' },
        { ...season.match, leagueSeason: 2025 },
      ];
      assert.match(readReply(season.known, other.slice(0, 1), 0) as string, /leagueShortcut is "bl2"/);
      const reading = read(
        season.known,
        [
          season.match,
          enterMatch(['A', 'A'], START),
          ...other.map((match) => ({ ...match, team1: { ...match.team1, teamId: match.team1.teamId + 1 } })),
        ],
        0,
      );
      assert.equal(reading.updates.length, 1);
      assert.deepEqual(
        reading.unknown.map(({ path }) => path),
        ['[2].leagueShortcut', '[3].leagueSeason', '[1].team2.teamId'],
      );
    });
  });

  describe('goals', () => {
    it('belong to the side whose running score rose, including own goals, in any order', () => {
      const season = new Season();
      enterGoal(season.match, '1:2', 80, 'A. Own', { isOwnGoal: true });
      enterGoal(season.match, '1:0', 11, 'H. Kane', { isPenalty: true });
      enterGoal(season.match, '1:1', null, '');
      const match = season.at(82);
      assert.equal(state(match).score, '1:2');
      assert.deepEqual(goals(match), [
        '1:0 home 11 1H H. Kane penalty',
        '1:1 away    regular',
        '1:2 away 80 2H A. Own own_goal',
      ]);
    });

    it('have added minutes in stoppage time, in the first half if the flag says so', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 47, 'A', { isOvertime: true });
      enterGoal(season.match, '2:0', 47, 'B');
      enterGoal(season.match, '3:0', 94, 'C', { isOvertime: true });
      assert.deepEqual(goals(season.at(96)), [
        '1:0 home 45+2 1H A regular',
        '2:0 home 47 2H B regular',
        '3:0 home 90+4 2H C regular',
      ]);
    });

    it('belong to no side after a gap if both scores rose', () => {
      const season = new Season();
      enterGoal(season.match, '2:0', 20, 'A');
      enterGoal(season.match, '3:1', 30, 'B');
      assert.deepEqual(goals(season.at(31)), ['2:0 home 20 1H A regular', '3:1  30 1H B regular']);
    });

    it('count once if two users enter the same goal, and the newer entry is used', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 11, 'H. Kane');
      enterGoal(season.match, '1:0', 12, 'J. Musiala');
      assert.deepEqual(goals(season.at(13)), ['1:0 home 12 1H J. Musiala regular']);
    });

    it('are left out and reported if they cannot be read', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 11, 'H. Kane');
      const broken = { ...season.match, goals: [...season.match.goals, { scoreTeam1: null }, 'goal'] };
      const reading = read(season.known, [broken], 12);
      assert.equal(state(matchIn(reading)).score, '1:0');
      assert.deepEqual(
        reading.unknown.map(({ path }) => path),
        ['[0].goals', '[0].goals'],
      );
    });

    it('count during a match even before the result includes them, because the higher score is used', () => {
      const season = new Season();
      enterResult(season.match, 2, '1:0');
      assert.equal(state(season.at(10)).score, '1:0');
      enterGoal(season.match, '1:0', 9, 'A');
      enterGoal(season.match, '2:0', 12, 'B');
      assert.equal(state(season.at(13)).score, '2:0');
    });

    it('give the periods of a live match together with the half-time score', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 9, 'A');
      enterResult(season.match, 1, '1:0');
      assert.deepEqual(state(season.at(50)).periods, ['1H 1:0']);
      assert.deepEqual(state(season.at(66)).periods, ['1H 1:0', '2H 0:0']);
      enterGoal(season.match, '1:1', 64, 'B');
      assert.deepEqual(state(season.at(67)).periods, ['1H 1:0', '2H 0:1']);
      enterResult(season.match, 1, '3:0');
      assert.deepEqual(state(season.at(68)).periods, undefined, 'a slip');
    });

    it('lower the score at once when they are deleted, even while the result lags', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 9, 'A');
      enterGoal(season.match, '2:0', 12, 'B');
      enterResult(season.match, 2, '2:0');
      season.at(13);
      season.match.goals.pop();
      const match = season.at(14);
      assert.equal(state(match).score, '1:0');
      assert.equal(goals(match)?.length, 1);
      assert.equal(state(season.at(14.5)).score, '1:0', 'the result still has the deleted goal');
      enterResult(season.match, 2, '1:0');
      season.at(15);
      enterResult(season.match, 2, '2:0');
      assert.equal(state(season.at(30)).score, '2:0', 'a new goal, first in the result');
      season.match.goals = [];
      season.match.matchResults = [];
      const empty = season.at(31);
      assert.deepEqual([state(empty).score, goals(empty)], ['0:0', []]);
    });

    it('are removed without a deletion only if they are missing in two polls', () => {
      const season = new Season();
      enterResult(season.match, 2, '2:0');
      season.at(13);
      enterResult(season.match, 2, '1:0');
      assert.deepEqual(state(season.at(14)), { status: 'live' });
      enterResult(season.match, 2, '2:0');
      assert.equal(state(season.at(14.4)).score, '2:0');
      enterResult(season.match, 2, '1:0');
      season.at(15);
      assert.equal(state(season.at(15.3)).score, '1:0');
    });

    it('may stay missing for ten minutes if the match is entered again', () => {
      const season = new Season();
      enterGoal(season.match, '1:0', 9, 'A');
      season.at(10);
      const again = enterMatch(['FC Bayern München', 'VfB Stuttgart'], START);
      assert.deepEqual(
        [state(season.at(20, [again])), goals(season.at(20.1, [again]))],
        [{ status: 'live' }, undefined],
      );
      assert.deepEqual(state(season.at(29, [again])), { status: 'live' });
      assert.equal(state(season.at(31, [again])).score, '0:0');
    });
  });

  describe('a cup', () => {
    const cup = () =>
      new Season(
        {
          leagueShortcut: 'dfb',
          leagueName: 'DFB-Pokal 2026/2027',
          group: { groupName: 'Achtelfinale', groupOrderID: 3, groupID: 1 },
        },
        'dfb',
      );
    const finish = (season: Season) => {
      season.match.matchIsFinished = true;
      const path = '/getmatchdata/dfb/2026/3';
      const first = read(season.known, [season.match], 160, { path });
      return matchIn(read(first.known, [season.match], 161, { path }));
    };

    it('has extra time and a shoot-out, whose kicks do not count as goals', () => {
      const season = cup();
      enterGoal(season.match, '1:0', 30, 'A');
      enterGoal(season.match, '1:1', 89, 'B');
      enterGoal(season.match, '2:1', 97, 'C', { isOvertime: true });
      enterGoal(season.match, '2:2', 119, 'D', { isOvertime: true });
      enterGoal(season.match, '3:2', 120, 'E', { comment: 'Elfmeterschießen' });
      enterGoal(season.match, '4:2', null, 'F');
      enterResult(season.match, 1, '1:0');
      enterResult(season.match, 2, '1:1');
      enterResult(season.match, 3, '2:2');
      enterResult(season.match, 4, '6:4');
      const match = finish(season);
      assert.deepEqual(state(match), {
        status: 'finished',
        status_detail: 'after_penalties',
        score: '2:2',
        periods: ['1H 1:0', '2H 0:1', 'ET 1:1', 'PEN 4:2'],
      });
      assert.deepEqual(goals(match), [
        '1:0 home 30 1H A regular',
        '1:1 away 89 2H B regular',
        '2:1 home 97 ET C regular',
        '2:2 away 119 ET D regular',
      ]);
      assert.equal(match.round_name, 'Round of 16');
      assert.deepEqual(match.tournament, { id: 'dfb', name: 'DFB-Pokal', country: 'DE', gender: 'men' });
    });

    it('has no extra time if the match was already decided, because such a result was entered by mistake', () => {
      const season = cup();
      enterResult(season.match, 2, '2:1');
      enterResult(season.match, 3, '2:1');
      assert.deepEqual(state(finish(season)), { status: 'finished', status_detail: 'ended', score: '2:1' });
      const league = new Season();
      enterResult(league.match, 2, '1:1');
      enterResult(league.match, 3, '2:1');
      league.match.matchIsFinished = true;
      league.at(110);
      assert.equal(state(league.at(111)).score, '1:1');
    });

    it('has the replies’ name if the catalogue does not list it', () => {
      const season = new Season({ leagueShortcut: 'xyz', leagueName: 'Landespokal Bremen 2026/2027' }, 'xyz');
      const reading = read(season.known, [season.match], -60, { path: '/getmatchdata/xyz/2026' });
      assert.deepEqual(matchIn(reading).tournament, {
        id: 'xyz',
        name: 'Landespokal Bremen',
        country: 'DE',
        gender: 'men',
      });
    });
  });

  it('refuses replies with a wrong structure as a whole', () => {
    const known = begin('bl1');
    const reply = (path: string, body: unknown) =>
      openligadb.updates({ path, body, receivedAt: START, sourceTime: null }, known);
    for (const body of [null, {}, 'x', 7, [7], [null]]) assert.equal(typeof reply(PATH, body), 'string');
    for (const body of [null, 7, [], {}, 'soon'])
      assert.equal(typeof reply('/getlastchangedate/bl1/2026/11', body), 'string');
    for (const body of [null, [], {}, { groupOrderID: '11' }, { groupOrderID: -1 }])
      assert.equal(typeof reply('/getcurrentgroup/bl1', body), 'string');
    assert.match(reply('/getmatchdata/bl2/2026/11', []) as string, /was not asked/);
    assert.match(reply('/getteams/bl1', []) as string, /was not asked/);
  });

  it('reads a reply that was recorded from the source', function () {
    const file = new URL('../../../../shared/datasets/providers/openligadb/match_72395.json.gz', import.meta.url);
    if (!existsSync(file)) {
      console.warn(`skipped: ${file.pathname} is missing`);
      this.skip();
    }
    const body = JSON.parse(gunzipSync(readFileSync(file)).toString()) as unknown;
    const reading = openligadb.updates(
      { path: '/getmatchdata/bl1/2024/21', body: [body], receivedAt: START, sourceTime: null },
      begin('bl1/2024'),
    ) as Reading<Known>;
    assert.deepEqual(reading.unknown, []);
    const match = matchIn(reading);
    assert.deepEqual(state(match), {
      status: 'finished',
      status_detail: 'ended',
      score: '2:0',
      periods: ['1H 2:0', '2H 0:0'],
    });
    assert.deepEqual(goals(match), ['1:0 home 16 1H B. Šeško regular', '2:0 home 35 1H Xavi Simons regular']);
  });
});
