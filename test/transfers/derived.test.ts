import assert from 'node:assert/strict';
import fc from 'fast-check';
import { derivedMoves, type ListedMove, type Stint } from '../../src/transfers/moves-from-lineups.ts';

const CLUBS: Record<number, string> = { 1: 'Ajax', 2: 'Barcelona', 3: 'Chelsea', 4: 'Dortmund', 5: 'Everton' };
const stint = (club_id: number, first: string, last: string, isDated = true): Stint => ({
  club_id,
  club: CLUBS[club_id]!,
  first,
  last,
  season: first.slice(0, 4),
  isDated,
});
const listed = (
  date: string,
  from_id: number | null,
  to_id: number | null,
  to_name: string | null = null,
): ListedMove => ({
  date,
  from_id,
  to_id,
  to_name,
});
const moves = (stints: Stint[], list: ListedMove[] = []) =>
  derivedMoves(stints, list).map(({ date, from_id, from_name, to_id }) => [date, from_id ?? from_name, to_id]);

const AJAX = stint(1, '2015-08-10', '2017-05-20');
const BARCELONA = stint(2, '2017-08-20', '2019-05-18');

describe('moves proved by line-ups', () => {
  it('begin with a second club, on the day of its first match, and do not exist for a player at one club', () => {
    assert.deepEqual(moves([]), []);
    assert.deepEqual(moves([AJAX]), []);
    assert.deepEqual(moves([AJAX, BARCELONA]), [['2017-08-20', 1, 2]]);
  });

  it('are not repeated if a listed move explains the change of club, by club id or name, even with a slightly late date', () => {
    for (const move of [
      listed('2017-07-01', 1, 2),
      listed('2017-07-01', null, null, 'F.C. Barcelona'.slice(5)),
      listed('2017-09-10', 1, 2),
    ])
      assert.deepEqual(moves([AJAX, BARCELONA], [move]), [], JSON.stringify(move));
    for (const move of [listed('2014-07-01', 1, 2), listed('2018-07-01', 1, 2)])
      assert.deepEqual(moves([AJAX, BARCELONA], [move]), [['2017-08-20', 1, 2]], JSON.stringify(move));
  });

  it('start at a third club if an earlier listed move led there', () => {
    assert.deepEqual(moves([AJAX, BARCELONA], [listed('2017-07-01', 1, 3)]), [['2017-08-20', 3, 2]]);
    assert.deepEqual(moves([AJAX, BARCELONA], [listed('2017-07-01', 1, null, 'Nowhere FC')]), [
      ['2017-08-20', 'Nowhere FC', 2],
    ]);
    // The player was released, and had no club before the new one.
    assert.deepEqual(moves([AJAX, BARCELONA], [listed('2017-07-01', 1, null)]), [['2017-08-20', null, 2]]);
    assert.deepEqual(moves([AJAX, BARCELONA], [listed('2017-06-01', 1, 3), listed('2017-08-01', 3, 2)]), []);
  });

  it('have no former club after an absence of more than a season', () => {
    assert.deepEqual(moves([AJAX, stint(2, '2018-06-20', '2019-05-18')]), [['2018-06-20', 1, 2]]);
    const late = stint(2, '2018-08-20', '2019-05-18');
    assert.deepEqual(moves([AJAX, late]), [['2018-08-20', null, 2]]);
    assert.deepEqual(derivedMoves([AJAX, late], [])[0]!.date_precision, 'unknown');
    // A listed move away from the new club, or to the former one, does not connect the two clubs.
    assert.deepEqual(moves([AJAX, late], [listed('2018-08-25', 2, 4)]), [['2018-08-20', null, 2]]);
    assert.deepEqual(moves([AJAX, BARCELONA], [listed('2017-08-25', 2, 4)]), [['2017-08-20', 1, 2]]);
    const back = stint(2, '2018-06-20', '2019-05-18');
    assert.deepEqual(moves([AJAX, back], [listed('2017-05-01', 4, 1)]), [['2018-06-20', 1, 2]]);
    // A listed move during the absence names the former club.
    assert.deepEqual(moves([AJAX, late], [listed('2018-01-10', 1, 3)]), [['2018-08-20', 3, 2]]);
  });

  it('have only the season if the first appearance was without a line-up', () => {
    const found = (isDated: boolean) =>
      derivedMoves([AJAX, stint(2, '2018-02-20', '2019-05-18', isDated)], []).map((move) => [
        move.date_precision,
        move.season,
      ]);
    assert.deepEqual(found(true), [['window', '2018']]);
    assert.deepEqual(found(false), [['season', '2018']]);
  });

  it('include both moves of a loan, but only the return if the outward move is listed', () => {
    const loan = [AJAX, stint(3, '2017-08-20', '2018-05-18'), stint(1, '2018-08-20', '2019-05-18')];
    assert.deepEqual(moves(loan), [
      ['2017-08-20', 1, 3],
      ['2018-08-20', 3, 1],
    ]);
    assert.deepEqual(moves(loan, [listed('2017-07-01', 1, 3)]), [['2018-08-20', 3, 1]]);
    assert.deepEqual(moves(loan, [listed('2017-07-01', 1, 3), listed('2018-06-30', 3, 1)]), []);
    // A loan from which the player has not returned.
    assert.deepEqual(moves(loan.slice(0, 2), [listed('2017-07-01', 1, 3)]), []);
  });

  it('leave out a stay of a few days between two spells at one club, because such a stay is an error in the source', () => {
    const mistaken = [
      stint(1, '2017-08-10', '2017-10-01'),
      stint(4, '2017-10-08', '2017-10-08'),
      stint(1, '2017-10-15', '2018-05-18'),
    ];
    assert.deepEqual(moves(mistaken), []);
    assert.deepEqual(moves([...mistaken, stint(2, '2018-08-20', '2019-05-18')]), [['2018-08-20', 1, 2]]);
    const two = Array.from({ length: 20 }, (_, week) => {
      const day = new Date(Date.parse('2017-08-12') + week * 7 * 86_400_000).toISOString().slice(0, 10);
      return stint(week % 2 === 0 ? 1 : 4, day, day);
    });
    // Two people share a name. There must at least not be a move every week.
    assert.ok(moves(two).length <= 1);
  });

  it('are left out if a player has more clubs in a year than the rules allow, because several people share the name', () => {
    const many = [1, 2, 3, 4].map((club, index) => stint(club, `2017-0${index + 1}-05`, `2017-0${index + 1}-25`));
    assert.deepEqual(moves(many), []);
    assert.equal(moves(many.slice(0, 3)).length, 2);
  });

  it('always lead to a new club, and start at the club to which the previous move led, except after an absence', () => {
    const stints = fc
      .array(
        fc.record({
          club: fc.integer({ min: 1, max: 5 }),
          pause: fc.integer({ min: 0, max: 200 }),
          length: fc.integer({ min: 0, max: 500 }),
        }),
      )
      .map((list) => {
        let day = Date.parse('2000-01-01');
        const at = () => new Date(day).toISOString().slice(0, 10);
        return list.flatMap(({ club, pause, length }, index) => {
          day += pause * 86_400_000;
          const first = at();
          day += length * 86_400_000;
          return index > 0 && list[index - 1]!.club === club ? [] : [stint(club, first, at())];
        });
      });
    fc.assert(
      fc.property(stints, (list) => {
        const found = derivedMoves(list, []);
        for (const [index, move] of found.entries()) {
          assert.notEqual(move.from_id, move.to_id);
          if (index === 0) continue;
          const absent = list.some(
            ({ first }, at) =>
              at > 0 && first <= move.date && Date.parse(first) - Date.parse(list[at - 1]!.last) > 400 * 86_400_000,
          );
          assert.ok(absent || move.from_id === found[index - 1]!.to_id);
          assert.ok(move.date >= found[index - 1]!.date);
        }
        // If all derived moves are listed, no derived move is left.
        const known = found.map(({ date, from_id, to_id }) => listed(date, from_id, to_id));
        assert.deepEqual(derivedMoves(list, known), []);
      }),
    );
  });
});
