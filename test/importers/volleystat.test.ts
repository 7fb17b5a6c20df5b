import { strict as assert } from 'node:assert';
import { volleystat } from '../../src/importers/volleystat/volleystat.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER =
  'league,season,stage,match_id,match_day,date_time,home_id,home,away_id,away,home_sets,away_sets,home_s1,away_s1,home_s2,away_s2,home_s3,away_s3,home_s4,away_s4,home_s5,away_s5,spectators,duration_min';
interface Over {
  league?: string;
  season?: string;
  stage?: string;
  id?: number | string;
  matchday?: number | string;
  date?: string;
  clubs?: string;
  spectators?: number;
}
/** A row in the source's format. @param sets such as `25:20 20:25` */
const match = (score: string, sets: string, over: Over = {}) => {
  const { league = 'Men', season = '2016-17', stage = 'Main round', id = 1004, matchday = 1 } = over;
  const { date = '2016-10-15 18:00', clubs = '1002,Berlin,1016,Friedrichshafen', spectators = 6621 } = over;
  const points = [...sets.split(' '), ':', ':', ':', ':', ':'].slice(0, 5).join(',').replaceAll(':', ',');
  return [league, season, stage, id, matchday, date, clubs, score.replace(':', ','), points, spectators, 109].join(',');
};
const read = (...rows: string[]) =>
  readAll(volleystat, filesOf({ 'volleyball_bundesliga_2013-2019.csv': `${[HEADER, ...rows].join('\n')}\n` }));
const STRAIGHT = '25:20 25:18 25:23';

describe('importer volleystat', () => {
  after(removeFiles);

  it('reads the points of every set, the local kick-off and the spectators', async () => {
    const { matches, faults } = await read(
      match('3:1', '25:22 20:25 25:17 25:19'),
      match('3:0', STRAIGHT, { id: 1005, date: '2017-04-01 20:00', spectators: 0 }),
    );
    assert.deepEqual(faults, []);
    const [first, second] = matches;
    assert.deepEqual(
      [first!.score, first!.period_scores, first!.scheduled_start, first!.attendance],
      [
        { home: 3, away: 1 },
        [
          { period: 'S1', home: 25, away: 22 },
          { period: 'S2', home: 20, away: 25 },
          { period: 'S3', home: 25, away: 17 },
          { period: 'S4', home: 25, away: 19 },
        ],
        '2016-10-15T16:00:00Z',
        6621,
      ],
    );
    assert.deepEqual([first!.round_num, first!.round_name, first!.season.label], [1, 'Matchday 1', '2016/17']);
    assert.deepEqual(first!.home, {
      id: '1002',
      name: 'Berlin Recycling Volleys',
      name_ru: 'Берлин Рисайклинг Воллейс',
      country: 'DE',
      type: 'team',
    });
    assert.deepEqual([second!.scheduled_start, second!.attendance], ['2017-04-01T18:00:00Z', undefined]);
  });

  it('keeps matches with the same number in two leagues or seasons apart, and VCO Berlin’s two teams', async () => {
    const { updates, matches } = await read(
      match('3:0', STRAIGHT, { clubs: '1015,VCO Berlin,1016,Friedrichshafen' }),
      match('3:0', STRAIGHT, { league: 'Women', clubs: '2012,VCO Berlin,2008,USC Münster' }),
      match('3:0', STRAIGHT, { season: '2017-18', date: '2017-10-15 18:00' }),
    );
    assert.equal(new Set(matches.map(({ id }) => id)).size, 3);
    assert.deepEqual(
      updates.map((update) => update.kind === 'match' && [update.match.tournament.gender, update.match.home.name]),
      [
        ['men', 'VCO Berlin'],
        ['women', 'VCO Berlin'],
        ['men', 'Berlin Recycling Volleys'],
      ],
    );
  });

  it('names the stages after the main round', async () => {
    const stages = ['Pre-Playoff', 'Quarterfinal', 'Semifinal', 'Finale', 'Playdown'];
    const { matches } = await read(
      ...stages.map((stage, index) => match('3:0', STRAIGHT, { stage, id: index + 1, matchday: '' })),
    );
    assert.deepEqual(
      matches.map(({ round_name, round_num }) => [round_name, round_num]),
      ['Pre-play-offs', 'Quarter-finals', 'Semi-finals', 'Final', 'Play-downs'].map((name) => [name, undefined]),
    );
  });

  it('takes sets of any length, and refuses sets that the rules do not allow', async () => {
    const long = await read(
      match('2:3', '41:39 25:0 20:25 23:25 28:30'),
      match('3:2', '25:20 25:20 20:25 20:25 15:13', { id: 2 }),
    );
    assert.deepEqual(long.faults, []);
    assert.deepEqual(long.matches[0]!.period_scores!.at(-1), { period: 'S5', home: 28, away: 30 });
    const { matches, faults } = await read(
      match('3:0', '25:20 25:24 25:23'),
      match('3:0', '25:20 24:20 25:23'),
      match('3:0', '25:20 27:20 25:23'),
      match('3:2', '25:20 25:20 20:25 20:25 16:13'),
      match('3:2', '25:20 25:20 20:25 20:25 14:12'),
      match('3:2', '25:20 25:20 20:25 20:25'),
      match('3:0', '25:20 25:18 25:23 25:20'),
      match('3:1', STRAIGHT.replace(' ', ' 25:20 ')),
      match('2:1', '25:20 25:18 20:25'),
      match('3:3', '25:20 25:18 20:25 20:25 15:13'),
      match('3:x', STRAIGHT),
      match('3:0', '25:20 25:-3 25:23'),
    );
    assert.deepEqual(matches, []);
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'set 2 cannot end "25:24"',
        'set 2 cannot end "24:20"',
        'set 2 cannot end "27:20"',
        'set 5 cannot end "16:13"',
        'set 5 cannot end "14:12"',
        'set 5 cannot end ":"',
        'set 4 cannot end "25:20"',
        'the sets were won 4:0, not 3:1',
        'a match cannot end 2:1',
        'a match cannot end 3:3',
        '"3:x" is not a score',
        'set 2 cannot end "25:-3"',
      ],
    );
  });

  it('reports each bad row with the reason, and reads the rest', async () => {
    const { matches, faults } = await read(
      match('3:0', STRAIGHT, { league: 'Mixed' }),
      match('3:0', STRAIGHT, { season: '2016-18' }),
      match('3:0', STRAIGHT, { season: '2016' }),
      match('3:0', STRAIGHT, { id: '' }),
      match('3:0', STRAIGHT, { date: '2016-02-30 18:00' }),
      match('3:0', STRAIGHT, { date: '2016-10-15' }),
      match('3:0', STRAIGHT, { date: '2017-10-15 18:00' }),
      match('3:0', STRAIGHT, { stage: 'Supercup' }),
      match('3:0', STRAIGHT, { matchday: '' }),
      match('3:0', STRAIGHT, { clubs: '9999,Nobody,1016,Friedrichshafen' }),
      match('3:0', STRAIGHT, { clubs: '2001,Stuttgart,1016,Friedrichshafen' }),
      match('3:0', STRAIGHT, { clubs: '1016,Friedrichshafen,1016,Friedrichshafen' }),
      match('3:0', STRAIGHT),
    );
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ position, detail }) => `${position.replace(/^.*:/, '')} ${detail}`),
      [
        '2 the league "Mixed" is not known',
        '3 "2016-18" is not a season',
        '4 "2016" is not a season',
        '5 "" is not a match\'s number',
        '6 "2016-02-30 18:00" is not a date',
        '7 "2016-10-15" is not a date',
        '8 the day 2017-10-15 is not in the season 2016-17',
        '9 the stage "Supercup" is not known',
        '10 "" is not a matchday',
        '11 the club "9999" (Nobody) is not known; add it to data/identity/volleystat-clubs.csv',
        '12 the club 2001 (Stuttgart) does not play in the league Men',
        '13 VfB Friedrichshafen cannot play itself',
      ],
    );
  });
});
