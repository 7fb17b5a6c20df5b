import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { loadRecording, parseRecording, shippedRecording } from '../../src/demo/recording.ts';
import { type MatchUpdate, matchUpdate } from '../../src/wire/feed-update.ts';

const DATA = '../shared/datasets';
type Match = MatchUpdate['match'];

describe('a recording', () => {
  let states: { at: number; match: Match }[];
  let last: Match;
  before(async () => {
    const recording = await shippedRecording('world-cup-final-2022');
    states = recording.map(({ at, update }) => ({ at, match: matchUpdate.parse(update).match }));
    last = states.at(-1)!.match;
  });

  describe('the 2022 World Cup final', () => {
    it('ends with the real result', () => {
      assert.deepEqual(last.score, { home: 3, away: 3 });
      assert.deepEqual(last.period_scores, [
        { period: '1H', home: 2, away: 0 },
        { period: '2H', home: 0, away: 2 },
        { period: 'ET', home: 1, away: 1 },
        { period: 'PEN', home: 4, away: 2 },
      ]);
      assert.equal(last.status_detail, 'after_penalties');
      assert.equal(last.referee, 'Szymon Marciniak');
      assert.equal(last.attendance, 88_966);
      assert.equal(last.venue?.capacity, 88_966);
      assert.deepEqual(
        last.coaches?.map((coach) => coach.coach_name),
        ['Lionel Scaloni', 'Didier Deschamps'],
      );
      assert.deepEqual(
        [...new Set(last.lineups?.map((row) => `${row.side} ${row.formation}`))],
        ['home 4-3-3', 'away 4-2-3-1'],
      );
    });

    it('has the goals with the assists', () => {
      const goals = last.incidents!.filter((incident) => incident.kind === 'goal');
      assert.deepEqual(
        goals.map(({ minute, player, assist, payload }) => [minute, player?.name, assist?.name, payload.goal_type]),
        [
          [23, 'Lionel Messi', undefined, 'penalty'],
          [36, 'Ángel Di María', 'Alexis Mac Allister', 'regular'],
          [80, 'Kylian Mbappé', undefined, 'penalty'],
          [81, 'Kylian Mbappé', 'Marcus Thuram', 'regular'],
          [108, 'Lionel Messi', undefined, 'regular'],
          [118, 'Kylian Mbappé', undefined, 'penalty'],
        ],
      );
      assert.deepEqual(goals.at(-1)?.payload.score, { home: 3, away: 3 });
    });

    it('has the shoot-out in order', () => {
      const kicks = last.incidents!.filter((incident) => incident.kind === 'penalty_shootout');
      assert.deepEqual(
        kicks.map(({ player, payload }) => `${player?.name.split(' ').at(-1)} ${payload.scored}`),
        [
          'Mbappé true',
          'Messi true',
          'Coman false',
          'Dybala true',
          'Tchouaméni false',
          'Paredes true',
          'Muani true',
          'Montiel true',
        ],
      );
      assert.deepEqual(kicks.at(-1)?.payload.score, { home: 4, away: 2 });
    });

    it('has the reported statistics', () => {
      const figure = (name: string) => {
        const row = last.statistics!.find((one) => one.period === 'ALL' && one.stat_name === name);
        return [row?.home_value, row?.away_value];
      };
      assert.deepEqual(figure('Ball possession'), [54, 46]);
      assert.deepEqual(figure('Total shots'), [20, 10]);
      assert.deepEqual(figure('Shots on target'), [10, 5]);
      assert.deepEqual(figure('Corner kicks'), [6, 5]);
      assert.deepEqual(figure('Fouls'), [26, 19]);
      assert.deepEqual(figure('Yellow cards'), [5, 3]);
      assert.deepEqual(figure('Goalkeeper saves'), [2, 7]);
      const firstHalf = last.statistics!.find((one) => one.period === '1H' && one.stat_name === 'Total shots');
      assert.equal(firstHalf?.away_value, 0, 'France had no attempt before the break');
    });

    it('agrees with the Fjelstul database', function () {
      const folder = `${DATA}/fjelstul-worldcup`;
      if (!existsSync(folder)) {
        console.warn(`      skipped: ${folder} is not there`);
        this.skip();
      }
      const rows = (table: string): Record<string, string>[] =>
        parse(gunzipSync(readFileSync(`${folder}/${table}.csv.gz`)), { columns: true });
      const final = (table: string) => rows(table).filter((row) => row.match_id === 'M-2022-64');
      const name = (row: Record<string, string>) =>
        row.given_name === 'not applicable' ? row.family_name : `${row.given_name} ${row.family_name}`;
      const minuteOf = (row: Record<string, string>) => {
        const plus = Number(row.minute_stoppage);
        return `${row.minute_regulation}${plus ? `+${plus}` : ''}`;
      };
      const side = (row: Record<string, string>) => (row.home_team === '1' ? 'home' : 'away');
      const label = (incident: { minute: number | null; minute_plus: number | null }) =>
        `${incident.minute}${incident.minute_plus ? `+${incident.minute_plus}` : ''}`;
      const ours = (kind: string) => last.incidents!.filter((incident) => incident.kind === kind);

      assert.deepEqual(
        ours('goal')
          .map((goal) => `${label(goal)} ${goal.player?.name} ${goal.payload.goal_type === 'penalty'}`)
          .sort(),
        final('goals')
          .map((row) => `${minuteOf(row)} ${name(row)} ${row.penalty === '1'}`)
          .sort(),
      );
      assert.deepEqual(
        ours('card')
          .map((card) => `${label(card)} ${card.side} ${card.player?.name}`)
          .sort(),
        final('bookings')
          .map((row) => `${minuteOf(row)} ${side(row)} ${name(row)}`)
          .sort(),
      );
      assert.deepEqual(
        ours('subst')
          .flatMap((one) => [
            `${label(one)} out ${one.payload.player_out}`,
            `${label(one)} in ${one.payload.player_in}`,
          ])
          .sort(),
        final('substitutions')
          .map((row) => `${minuteOf(row)} ${row.going_off === '1' ? 'out' : 'in'} ${name(row)}`)
          .sort(),
      );
      assert.deepEqual(
        ours('penalty_shootout')
          .map((kick) => `${kick.player?.name} ${kick.payload.scored}`)
          .sort(),
        final('penalty_kicks')
          .map((row) => `${name(row)} ${row.converted === '1'}`)
          .sort(),
      );
      const appeared = new Set([
        ...last.lineups!.filter((row) => !row.is_substitute).map((row) => row.player.name),
        ...ours('subst').map((one) => one.payload.player_in as string),
      ]);
      const sheet = (row: Match['lineups'] extends (infer R)[] | undefined ? R : never) =>
        `${row.side} ${row.shirt_number} ${row.player.name} ${!row.is_substitute}`;
      assert.deepEqual(
        last
          .lineups!.filter((row) => appeared.has(row.player.name))
          .map(sheet)
          .sort(),
        final('player_appearances')
          .map((row) => `${side(row)} ${row.shirt_number} ${name(row)} ${row.starter === '1'}`)
          .sort(),
      );
      const born = new Map(rows('players').map((row) => [`${name(row)}`, row.birth_date]));
      for (const { player } of last.lineups!) assert.equal(player.birth_date, born.get(player.name), player.name);
      assert.equal(last.referee, name(final('referee_appearances')[0]!));
      assert.deepEqual(
        last.coaches!.map((coach) => coach.coach_name),
        final('manager_appearances').map((row) => name(row)),
      );
      const [match] = final('matches');
      assert.equal(last.venue?.name, match?.stadium_name);
      assert.equal(last.venue?.city, match?.city_name);
    });

    it('agrees with openfootball', function () {
      const file = `${DATA}/openfootball/worldcup.json/2022/worldcup.json.gz`;
      if (!existsSync(file)) {
        console.warn(`      skipped: ${file} is not there`);
        this.skip();
      }
      const { matches } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
        matches: {
          date: string;
          team1: string;
          score: Record<string, [number, number]>;
          goals1: { name: string; minute: number }[];
          goals2: { name: string; minute: number }[];
        }[];
      };
      const final = matches.find((match) => match.date === '2022-12-18' && match.team1 === 'Argentina')!;
      const upTo = (periods: string[]) =>
        last
          .period_scores!.filter((one) => periods.includes(one.period))
          .reduce((sum, one) => [sum[0]! + one.home, sum[1]! + one.away], [0, 0]);
      assert.deepEqual(upTo(['1H']), final.score.ht);
      assert.deepEqual(upTo(['1H', '2H']), final.score.ft);
      assert.deepEqual(upTo(['1H', '2H', 'ET']), final.score.et);
      assert.deepEqual(upTo(['PEN']), final.score.p);
      const goals = (side: string) =>
        last
          .incidents!.filter((one) => one.kind === 'goal' && one.side === side)
          .map((one) => `${one.player?.name} ${one.minute}`)
          .sort();
      assert.deepEqual(goals('home'), final.goals1.map((goal) => `${goal.name} ${goal.minute}`).sort());
      assert.deepEqual(goals('away'), final.goals2.map((goal) => `${goal.name} ${goal.minute}`).sort());
    });
  });

  describe('in each state', () => {
    const order = ['scheduled', 'live', 'finished'];

    it('has time, status, line-ups, score and incidents that only go forward', () => {
      assert.ok(states.length > 150);
      for (const [index, { at, match }] of states.entries()) {
        const before = states[index - 1];
        if (!before) continue;
        assert.ok(at > before.at, `time at ${at}`);
        assert.ok(order.indexOf(match.status!) >= order.indexOf(before.match.status!), `status at ${at}`);
        assert.ok(!(before.match.lineup_confirmed === true && match.lineup_confirmed !== true), `line-up at ${at}`);
        for (const side of ['home', 'away'] as const) {
          assert.ok((match.score?.[side] ?? 0) >= (before.match.score?.[side] ?? 0), `score at ${at}`);
        }
        const known = new Map(match.incidents?.map((incident) => [incident.id, incident]));
        for (const incident of before.match.incidents ?? [])
          assert.deepEqual(known.get(incident.id), incident, `incident at ${at}`);
        if (match.status === 'live' && before.match.status === 'live')
          assert.ok(match.minute! >= before.match.minute!, `minute at ${at}`);
      }
    });

    it('has no score before kick-off, and line-ups that are first preliminary and then official', () => {
      const before = states.filter(({ at }) => at < 0).map(({ match }) => match);
      assert.deepEqual(
        before.map((match) => match.lineup_confirmed),
        [null, false, true],
      );
      for (const match of before) {
        assert.equal(match.status, 'scheduled');
        assert.equal(match.score, undefined);
        assert.equal(match.incidents, undefined);
      }
      assert.equal(before[0]?.lineups, undefined);
    });

    it('passes each match phase in order', () => {
      const phases = states
        .map(({ match }) => match.status_detail)
        .filter((detail, index, all) => detail !== all[index - 1]);
      assert.deepEqual(phases, [
        'not_started',
        'in_play',
        'break',
        'in_play',
        'break',
        'extra_time',
        'break',
        'extra_time',
        'break',
        'penalties',
        'after_penalties',
      ]);
    });

    it('has a score that equals the number of goals', () => {
      for (const { match } of states.filter(({ at }) => at >= 0)) {
        const goals = match.incidents!.filter((incident) => incident.kind === 'goal');
        const score = {
          home: goals.filter((goal) => goal.side === 'home').length,
          away: goals.filter((goal) => goal.side === 'away').length,
        };
        assert.deepEqual(match.score, score);
        const played = match.period_scores!.filter((one) => one.period !== 'PEN');
        assert.deepEqual(score, {
          home: played.reduce((sum, one) => sum + one.home, 0),
          away: played.reduce((sum, one) => sum + one.away, 0),
        });
        if (goals.length > 0) assert.deepEqual(goals.at(-1)?.payload.score, score);
      }
    });

    it('has counts that never fall, and shares that add up to 100', () => {
      let before = new Map<string, number>();
      for (const { at, match } of states.filter((state) => state.at >= 0)) {
        const now = new Map<string, number>();
        for (const row of match.statistics!) {
          if (row.home_text?.endsWith('%')) {
            assert.equal(row.home_value! + row.away_value!, 100);
            continue;
          }
          now.set(`${row.period} ${row.stat_name} home`, row.home_value!);
          now.set(`${row.period} ${row.stat_name} away`, row.away_value!);
        }
        for (const [name, value] of before) assert.ok(now.get(name)! >= value, `${name} at ${at}`);
        before = now;
      }
    });

    it('finalizes the match only at the end', () => {
      assert.deepEqual(
        states.filter(({ match }) => match.finalized).map(({ at }) => at),
        [states.at(-1)!.at],
      );
    });
  });

  describe('as a file', () => {
    const fixture = {
      id: 'small',
      sport: 'football',
      tournament: { name: 'Cup', country: 'INT' },
      season: { label: '2022' },
      home: { name: 'A' },
      away: { name: 'B' },
      scheduled_start: '2022-12-18T15:00:00Z',
      status: 'scheduled',
    };
    const file = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

    it('has lines with only the changes, as fields, as list items by index, or as null', () => {
      const graph = (value: number) => ({ minute: value, value });
      const recording = parseRecording(
        file(
          { at: -60, match: { ...fixture, minute: null } },
          { at: 60, match: { status: 'live', minute: 1, momentum: { graphPoints: [graph(1)] } } },
          { at: 120, match: { minute: null, momentum: { graphPoints: { 1: graph(2) } } } },
          { at: 180, match: { momentum: { graphPoints: { 0: { value: 7 } } } } },
        ),
      );
      assert.deepEqual(
        recording.map(({ at, update }) => [at, update.observed_at, update.match.minute]),
        [
          [-60, '2022-12-18T14:59:00.000Z', null],
          [60, '2022-12-18T15:01:00.000Z', 1],
          [120, '2022-12-18T15:02:00.000Z', null],
          [180, '2022-12-18T15:03:00.000Z', null],
        ],
      );
      assert.deepEqual(
        recording.slice(1).map(({ update }) => update.match.momentum!.graphPoints),
        [[graph(1)], [graph(1), graph(2)], [{ minute: 1, value: 7 }, graph(2)]],
      );
      assert.equal(recording.at(-1)!.update.match.home!.name, 'A');
    });

    it('is refused if it is invalid, with the error’s line and path', () => {
      assert.throws(() => parseRecording(file({ at: 0, match: { ...fixture, sport: 1 } })), /^Error: line 1: .*sport/s);
      assert.throws(() => parseRecording(`${file({ at: 0, match: fixture })}{"at":`), /^Error: line 2: .*JSON/);
      assert.throws(() => parseRecording(file({ at: 0, match: fixture }, { match: {} })), /^Error: line 2: .*at/s);
      assert.throws(() => parseRecording('[1]'), /^Error: line 1: [^\n]*expected object[^\n]*$/);
      assert.throws(
        () => parseRecording(file({ at: 0, match: {} })),
        /^Error: line 1: match\.scheduled_start must be /,
      );
      assert.throws(() => parseRecording(file({ at: 1e300, match: fixture })), /^Error: line 1: at: /);
    });

    it('is named in the error if it cannot be read', async () => {
      const message = (path: string) => new RegExp(`^Error: the recording ${path} cannot be read: [^\\n]+$`);
      await assert.rejects(loadRecording('/nowhere.ndjson'), message('/nowhere.ndjson'));
      await assert.rejects(loadRecording('package.json'), message('package.json'));
    });
  });
});
