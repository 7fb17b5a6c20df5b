import { strict as assert } from 'node:assert';
import { countSets, readScore } from '../../src/importers/tennis/score.ts';
import { tennisAtp, tennisWta } from '../../src/importers/tennis/tennis.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const HEADER =
  'tourney_id,tourney_name,surface,tourney_date,match_num,winner_id,winner_name,winner_ioc,loser_id,loser_name,loser_ioc,score,best_of,round,w_ace,l_ace';
const row = (over: Record<string, string> = {}) => {
  const cells: Record<string, string> = {
    ...{
      tourney_id: '2024-540',
      tourney_name: 'Wimbledon',
      surface: 'Grass',
      tourney_date: '20240701',
      match_num: '701',
    },
    ...{
      winner_id: '207989',
      winner_name: 'Ann Winner',
      winner_ioc: 'ESP',
      loser_id: '104925',
      loser_name: 'Bo Loser',
    },
    ...{ loser_ioc: 'SRB', score: '6-2 6-2 7-6(4)', best_of: '5', round: 'F', w_ace: '5', l_ace: '8' },
    ...over,
  };
  return HEADER.split(',')
    .map((column) => cells[column] ?? '')
    .join(',');
};
const read = (...rows: string[]) =>
  readAll(tennisAtp, filesOf({ 'atp_matches_2024.csv': `${[HEADER, ...rows].join('\n')}\n` }));

describe('tennis match importer', () => {
  after(removeFiles);

  it('reads sets, tie-breaks and statistics for the two players, whoever won', async () => {
    const { matches, faults } = await read(row());
    assert.deepEqual(faults, []);
    const [match] = matches;
    assert.deepEqual(
      [match!.id, match!.tournament.name, match!.tournament.country, match!.season.label],
      ['2024-540/701', 'Wimbledon', 'GB-ENG', '2024'],
    );
    assert.deepEqual(
      [match!.home.name, match!.away.name, match!.home.type, match!.away.country],
      ['Bo Loser', 'Ann Winner', 'player', 'ES'],
    );
    assert.deepEqual(match!.score, { home: 0, away: 3 });
    assert.deepEqual(match!.period_scores, [
      { period: 'S1', home: 2, away: 6 },
      { period: 'S2', home: 2, away: 6 },
      { period: 'S3', home: 6, away: 7 },
    ]);
    assert.deepEqual(match!.incidents?.at(-1)?.payload, {
      games: { home: 6, away: 7 },
      tie_break: { home: 4, away: 7 },
      score: { home: 0, away: 3 },
    });
    assert.deepEqual(
      match!.statistics?.map(({ stat_name, home_value, away_value }) => [stat_name, home_value, away_value]),
      [['Aces', 8, 5]],
    );
  });

  it('decides who won after a retirement and a walkover, by awarding the remaining sets', async () => {
    const { matches, faults } = await read(
      row({ score: '4-6 6-4 2-1 RET', best_of: '3', match_num: '1' }),
      row({ score: '4-6 2-1 RET', best_of: '3', match_num: '2' }),
      row({ score: 'W/O', best_of: '3', match_num: '3' }),
      row({ score: '6-4 4-6 [10-8]', best_of: '3', match_num: '4' }),
      row({ score: '6-4 2-2 ABN', best_of: '3', match_num: '5' }),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      matches.map(({ status_detail, score, period_scores, incidents }) => [
        status_detail,
        score && `${score.away}:${score.home}`,
        period_scores?.map(({ home, away }) => `${away}-${home}`).join(' '),
        incidents?.length,
      ]),
      [
        ['retired', '2:1', '4-6 6-4 2-1', undefined],
        ['retired', '2:1', '4-6 2-1', undefined],
        ['walkover', '2:0', '', undefined],
        ['ended', '2:1', '6-4 4-6 10-8', 3],
        ['abandoned', undefined, undefined, undefined],
      ],
    );
  });

  it('recognizes a doubles pair in either order, and a women’s tournament', async () => {
    const header = HEADER.replace(
      'winner_id,winner_name,winner_ioc',
      'winner1_id,winner1_name,winner2_id,winner2_name',
    ).replace('loser_id,loser_name,loser_ioc', 'loser1_id,loser1_name,loser2_id,loser2_name');
    const line = (number: number, pair: string) =>
      `2020-0301,Auckland,Hard,20200113,${number},${pair},30,Third,40,Fourth,6-4 6-4,3,SF,,`;
    const doubles = await readAll(
      tennisAtp,
      filesOf({
        'atp_matches_doubles_2020.csv': `${[header, line(1, '10,First,20,Second'), line(2, '20,Second,10,First')].join('\n')}\n`,
      }),
    );
    assert.deepEqual(doubles.faults, []);
    assert.deepEqual(
      doubles.matches.map(({ home, tournament }) => [home.id, home.name, tournament.name]),
      [
        ['10/20', 'First / Second', 'Auckland (doubles)'],
        ['10/20', 'First / Second', 'Auckland (doubles)'],
      ],
    );
    const women = await readAll(
      tennisWta,
      filesOf({ 'wta_matches_2024.csv': `${[HEADER, row({ best_of: '3', score: '6-2 6-2' })].join('\n')}\n` }),
    );
    assert.deepEqual([women.matches[0]!.tournament.gender, women.matches[0]!.tournament.name], ['women', 'Wimbledon']);
  });

  it('reports invalid scores, and sets that do not add up to a win', async () => {
    const { matches, faults } = await read(
      row({ score: '6-2 6-2' }),
      row({ score: '6-2 6-2 6-2 6-2' }),
      row({ score: '2-6 2-6 2-6' }),
      row({ score: 'six-two' }),
      row({ score: '' }),
      row({ loser_id: '207989' }),
      row({ winner_name: '' }),
      row({ tourney_date: '20240732' }),
      row({ tourney_id: 'x' }),
      row(),
    );
    assert.equal(matches.length, 1);
    assert.deepEqual(
      faults.map(({ detail }) => detail),
      [
        'no side has won the match by the sets 6-2 6-2',
        'no side has won the match by the sets 6-2 6-2 6-2 6-2',
        'no side has won the match by the sets 2-6 2-6 2-6',
        '"six-two" is not a score',
        '"" is not a score',
        'the winner and the loser are the same player',
        'the id or the name of a player is missing',
        'the tourney_date "20240732" is not a day such as 20240610',
        'the tourney_id, the tourney_name or the match_num is missing',
      ],
    );
  });

  it('counts an unfinished set for neither player', () => {
    const counted = (text: string, best: number) => countSets(readScore(text)!, best);
    assert.deepEqual(counted('6-4 5-4 RET', 3), { winner: 2, loser: 0 });
    assert.deepEqual(counted('4-6 4-5 RET', 5), { winner: 3, loser: 1 });
    assert.deepEqual(counted('7-6(10) 6-7(8) DEF', 3), { winner: 2, loser: 1 });
    assert.equal(counted('4-6 4-6 1-0 RET', 3), undefined, 'the match was over');
    assert.deepEqual(readScore('7-6(10)')!.sets, [{ winner: 7, loser: 6, tieBreak: { winner: 12, loser: 10 } }]);
  });
});
