import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identifyParticipant } from '../../src/identity/entity-keys.ts';
import { nhlData } from '../../src/importers/nhl-data/nhl-data.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER = 'season,date,home,away,gf,ga,ot,so,tie,playoff';
/** A row as NHLData has it. Marks are some of `ot`, `so`, `tie`, `playoff`. */
const game = (season: string, date: string, sides: string, score: string, ...marks: string[]) => {
  const mark = (name: string) => (marks.includes(name) ? 'Y' : 'N');
  const [home, away] = sides.split(' - ');
  return [season, date, home, away, ...score.split(':'), mark('ot'), mark('so'), mark('tie'), mark('playoff')].join(
    ',',
  );
};
const read = (...rows: string[]) =>
  readAll(nhlData, filesOf({ 'nhl_1979-2016.csv': `${[HEADER, ...rows].join('\n')}\n` }));
const fault = async (...rows: string[]) => {
  const { faults } = await read(...rows);
  assert.equal(faults.length, 1, JSON.stringify(faults));
  return `${faults[0]!.position.replace(/.*:/u, '')} ${faults[0]!.detail}`;
};
const DATA = join(import.meta.dirname, '../../../shared/datasets/nhl-data');

describe('importer nhl-data', () => {
  after(removeFiles);

  it('reads wins, ties, overtimes and shoot-outs, whose winner has a goal more in the file', async () => {
    const { matches, faults } = await read(
      game('1992-93', '1992-10-06', 'Montreal Canadiens - Carolina Hurricanes', '5:1'),
      game('1992-93', '1992-10-08', 'Boston Bruins - Carolina Hurricanes', '2:2', 'ot', 'tie'),
      game('2008-09', '2008-10-04', 'New York Rangers - Tampa Bay Lightning', '2:1', 'ot'),
      game('2008-09', '2008-10-10', 'Detroit Red Wings - Toronto Maple Leafs', '2:3', 'ot', 'so'),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      matches.map(({ season, status_detail, score, period_scores, scheduled_start, time_tbd }) => [
        season.label,
        status_detail,
        `${score!.home}:${score!.away}`,
        period_scores,
        scheduled_start!.slice(0, 10),
        time_tbd,
      ]),
      [
        ['1992/93', 'ended', '5:1', undefined, '1992-10-06', true],
        ['1992/93', 'after_extra_time', '2:2', undefined, '1992-10-08', true],
        ['2008/09', 'after_extra_time', '2:1', undefined, '2008-10-04', true],
        ['2008/09', 'after_penalties', '2:2', [{ period: 'SO', home: 0, away: 1 }], '2008-10-10', true],
      ],
    );
  });

  it('tells apart clubs that share a name, and treats a club that moved as one', async () => {
    const { matches } = await read(
      game('1924-25', '1925-01-01', 'Brooklyn Americans - Ottawa Senators', '2:1'),
      game('1925-26', '1926-01-01', 'Brooklyn Americans - Ottawa Senators', '2:1'),
      game('1934-35', '1935-01-01', 'St. Louis Blues Eagles - Montreal Maroons', '2:1'),
      game('1992-93', '1993-01-01', 'Ottawa Senators - Arizona Coyotes', '2:1'),
      game('2011-12', '2012-01-01', 'Winnipeg Jets - Arizona Coyotes', '2:1'),
    );
    const sides = [...matches].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ home, away }) => [home.name, away.name]);
    assert.deepEqual(sides, [
      ['Hamilton Tigers', 'Ottawa Senators (original)'],
      ['Brooklyn Americans', 'Ottawa Senators (original)'],
      ['Ottawa Senators (original)', 'Montreal Maroons'],
      ['Ottawa Senators', 'Arizona Coyotes'],
      ['Winnipeg Jets', 'Arizona Coyotes'],
    ]);
    const key = (name: string, country?: string) => {
      const found = identifyParticipant({ type: 'team', sport: 'ice-hockey', name, ...(country && { country }) });
      return `${found.country} ${found.name}`;
    };
    assert.equal(key('Quebec Nordiques', 'CA'), 'US Colorado Avalanche');
    assert.equal(key('Hartford Whalers', 'US'), 'US Carolina Hurricanes');
    assert.equal(key('Atlanta Thrashers', 'US'), 'CA Winnipeg Jets');
    assert.equal(key('Winnipeg Jets', 'US'), 'US Arizona Coyotes');
    for (const country of ['CA', undefined]) {
      assert.equal(key('Winnipeg Jets', country), 'CA Winnipeg Jets');
      assert.equal(key('Ottawa Senators', country), 'CA Ottawa Senators');
    }
  });

  it('names the rounds of play-offs by who plays on, whatever the order of the rows', async () => {
    const playOffs = [
      // In 1939, the first two sides met in a semi-final while the others played quarter-finals.
      game('1938-39', '1939-03-21', 'New York Rangers - Boston Bruins', '1:2', 'ot', 'playoff'),
      game('1938-39', '1939-03-21', 'Toronto Maple Leafs - Brooklyn Americans', '4:0', 'playoff'),
      game('1938-39', '1939-03-21', 'Montreal Canadiens - Detroit Red Wings', '2:0', 'playoff'),
      game('1938-39', '1939-03-28', 'Toronto Maple Leafs - Detroit Red Wings', '4:1', 'playoff'),
      game('1938-39', '1939-03-30', 'Detroit Red Wings - Toronto Maple Leafs', '3:1', 'playoff'),
      game('1938-39', '1939-04-06', 'Boston Bruins - Toronto Maple Leafs', '2:1', 'playoff'),
    ];
    const names = async (rows: string[]) =>
      Object.fromEntries((await read(...rows)).matches.map(({ id, round_name }) => [id, round_name]));
    const expected = {
      '1939-03-21/New York Rangers/Boston Bruins': 'Semi-finals, Game 1',
      '1939-03-21/Toronto Maple Leafs/Brooklyn Americans': 'Quarter-finals, Game 1',
      '1939-03-21/Montreal Canadiens/Detroit Red Wings': 'Quarter-finals, Game 1',
      '1939-03-28/Toronto Maple Leafs/Detroit Red Wings': 'Semi-finals, Game 1',
      '1939-03-30/Detroit Red Wings/Toronto Maple Leafs': 'Semi-finals, Game 2',
      '1939-04-06/Boston Bruins/Toronto Maple Leafs': 'Final, Game 1',
    };
    assert.deepEqual(await names(playOffs), expected);
    assert.deepEqual(await names(playOffs.toReversed()), expected);
    // The final is missing, so that nothing shows in which round the sides entered.
    assert.deepEqual([...new Set(Object.values(await names(playOffs.slice(0, 5))))], ['Play-offs']);
    // With four sides, all enter in the first round.
    assert.deepEqual(
      Object.values(
        await names([game('1959-60', '1960-03-24', 'Montreal Canadiens - Chicago Blackhawks', '4:3', 'playoff')]),
      ),
      ['Semi-finals, Game 1'],
    );
  });

  it('marks forfeits and the game that a power failure ended', async () => {
    const { matches } = await read(
      game('1917-18', '1918-01-02', 'Montreal Canadiens - Montreal Wanders', '1:0'),
      game('1987-88', '1988-05-24', 'Boston Bruins - Edmonton Oilers', '3:3', 'playoff'),
    );
    assert.deepEqual(matches.map(({ status_detail }) => status_detail).sort(), ['abandoned', 'awarded']);
  });

  it('rejects what cannot be, with the line', async () => {
    const sides = 'Boston Bruins - Buffalo Sabres';
    assert.equal(await fault(game('1992-93', '1992-13-08', sides, '1:0')), '2 "1992-13-08" is not a date');
    assert.equal(
      await fault(game('1992-94', '1992-10-08', sides, '1:0')),
      '2 "1992-94" is not a season such as 1999-00',
    );
    assert.equal(
      await fault(game('1992-93', '1993-10-08', sides, '1:0')),
      '2 the day 1993-10-08 is not in the season 1992-93',
    );
    assert.match(
      await fault(game('1992-93', '1992-10-08', 'Boston Bruins - Buffalo Sabers', '1:0')),
      /^2 the team "Buffalo Sabers" is not known/u,
    );
    assert.equal(
      await fault(game('1992-93', '1992-10-08', 'Boston Bruins - Boston Bruins', '1:0')),
      '2 Boston Bruins cannot play itself',
    );
    assert.equal(await fault(game('1992-93', '1992-10-08', sides, '1:x')), '2 "1:x" is not a score');
    assert.equal(await fault(game('1992-93', '1992-10-08', sides, '1:0', 'tie')), '2 1:0 is not a tie');
    assert.equal(
      await fault(game('2005-06', '2005-10-08', sides, '1:1', 'ot')),
      '2 1:1 is level, but there have been no ties since 2005/06',
    );
    assert.equal(
      await fault(game('2005-06', '2005-10-08', sides, '3:1', 'ot', 'so')),
      '2 3:1 cannot be the score after a shoot-out',
    );
    assert.equal(
      await fault(game('2003-04', '2003-10-08', sides, '2:1', 'ot', 'so')),
      '2 there were no shoot-outs before 2005/06',
    );
    assert.equal(
      await fault(`${game('1992-93', '1992-10-08', sides, '1:0').slice(0, -1)}?`),
      '2 the columns ot, so, tie and playoff must be Y or N',
    );
    const first = game('1992-93', '1992-10-08', sides, '1:0');
    assert.match(
      await fault(first, game('1992-93', '1992-10-08', sides, '2:0')),
      /^3 contradicts the result in .*:2$/u,
    );
    assert.match(
      await fault(first, game('1992-93', '1992-10-08', 'Buffalo Sabres - Boston Bruins', '0:1')),
      /^3 a side already plays in .*:2 on this day$/u,
    );
    assert.equal((await read(first, first)).matches.length, 2, 'an equal row is read again, and changes nothing');
  });

  it('names the round of each of the 4,163 play-off games', async function () {
    this.timeout(60_000);
    if (!existsSync(DATA)) {
      console.error(`      SKIPPED: there is no open data in ${DATA}`);
      this.skip();
    }
    const { matches } = await readAll(nhlData, DATA);
    const playOffs = matches.filter(({ round_name }) => round_name);
    assert.equal(playOffs.length, 4_163);
    assert.deepEqual(
      playOffs.filter(({ round_name }) => round_name === 'Play-offs'),
      [],
    );
    // Each final has one pair of sides.
    const finals = new Map<string, Set<string>>();
    for (const { season, home, away, round_name } of playOffs)
      if (round_name!.startsWith('Final'))
        finals.set(season.label, (finals.get(season.label) ?? new Set()).add([home.name, away.name].sort().join('|')));
    assert.equal(finals.size, 97, 'all seasons but 1919/20');
    assert.ok([...finals.values()].every(({ size }) => size === 1));
    assert.deepEqual([...finals.get('1992/93')!], ['Los Angeles Kings|Montreal Canadiens']);
    assert.deepEqual([...finals.get('1927/28')!], ['Montreal Maroons|New York Rangers']);
  });
});
