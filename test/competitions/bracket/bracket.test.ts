import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildBracket } from '../../../src/competitions/bracket/bracket.ts';
import { played, RULES, read, scheduled } from './fixtures.ts';

describe('brackets', () => {
  it('a cup is drawn as a tree, with a match for third place, extra time and penalties', () => {
    const cup = [
      played('Quarter-finals', 'A', 'B', [1, 0]),
      played('Quarter-finals', 'C', 'D', [2, 2], { ET: [0, 0], PEN: [3, 4] }),
      played('Quarter-finals', 'E', 'F', [1, 2], { ET: [0, 1] }),
      played('Quarter-finals', 'G', 'H', [0, 3]),
      played('Semi-finals', 'F', 'A', [0, 1]),
      played('Semi-finals', 'H', 'D', [2, 1]),
      played('Final', 'A', 'H', [1, 1], { status_detail: 'after_penalties', PEN: [5, 4] }),
      played('Third place', 'F', 'D', [2, 0]),
    ];
    assert.deepEqual(read(cup), [
      'Quarter-finals: E-F 1:2 F (1:2 after extra time) | A-B 1:0 A (1:0) | G-H 0:3 H (0:3) | C-D 2:2 D (2:2 after extra time, 3:4 on penalties)',
      'Semi-finals: F-A 0:1 A (0:1) | H-D 2:1 H (2:1)',
      'Third place: F-D 2:0 F (2:0)',
      'Final: A-H 1:1 A (1:1, 5:4 on penalties)',
    ]);
  });

  describe('ties with two legs', () => {
    const others = [played('Semi-finals', 'C', 'D', [1, 0]), played('Semi-finals', 'D', 'C', [1, 1])];
    const tie = (...matches: Parameters<typeof read>[0]) =>
      read([...others, ...matches])[0]!
        .split(' | ')
        .at(-1);

    it('have the sum of both legs, from the first host’s point of view', () => {
      assert.equal(
        tie(played('Semi-finals', 'A', 'B', [1, 2]), played('Semi-finals', 'B', 'A', [0, 3])),
        'A-B 4:2 A (4:2 on aggregate)',
      );
    });
    it('have extra time and penalties in the second leg', () => {
      assert.equal(
        tie(
          played('Semi-finals', 'A', 'B', [0, 1]),
          played('Semi-finals', 'B', 'A', [0, 1], { ET: [0, 0], PEN: [4, 2] }),
        ),
        'A-B 1:1 B (1:1 on aggregate after extra time, 2:4 on penalties)',
      );
      assert.equal(
        tie(played('Semi-finals', 'A', 'B', [0, 1]), played('Semi-finals', 'B', 'A', [1, 3], { ET: [0, 1] })),
        'A-B 3:2 A (3:2 on aggregate after extra time)',
      );
      assert.equal(
        tie(
          played('Semi-finals', 'A', 'B', [0, 1]),
          played('Semi-finals', 'B', 'A', [0, 1], { status_detail: 'after_penalties' }),
        ),
        'A-B 1:1 - (1:1 on aggregate, on penalties)',
      );
    });
    it('have no winner if they end level, unless the rules or the next round’s sides decide', () => {
      const level = [played('Semi-finals', 'A', 'B', [1, 1]), played('Semi-finals', 'B', 'A', [0, 0])];
      assert.equal(tie(...level), 'A-B 1:1 - (1:1 on aggregate)');
      assert.equal(
        read([...others, ...level], { awayGoals: true })[0]!
          .split(' | ')
          .at(-1),
        'A-B 1:1 B (1:1 on aggregate on away goals)',
      );
      const [semis] = read([...others, ...level, played('Final', 'C', 'A', [1, 0])]);
      assert.match(semis!, /A-B 1:1 A \(1:1 on aggregate\)/);
    });
    it('have an unknown result and winner if a leg is missing', () => {
      assert.equal(tie(played('Semi-finals', 'A', 'B', [3, 0])), 'A-B 3:0 - … 1 missing');
      const [semis] = read([...others, played('Semi-finals', 'A', 'B', [3, 0]), played('Final', 'B', 'C', [1, 0])]);
      assert.match(semis!, /A-B 3:0 B \(-\) 1 missing/, 'who plays the final has won');
    });
    it('have a third leg only if that leg decides the tie', () => {
      const two = [played('Semi-finals', 'A', 'B', [1, 0]), played('Semi-finals', 'B', 'A', [1, 0])];
      assert.equal(
        tie(...two, played('Semi-finals', 'A', 'B', [2, 1])),
        'A-B 2:1 A (1:1 on aggregate; 2:1 in the play-off)',
      );
      const uneven = [played('Semi-finals', 'A', 'B', [2, 0]), played('Semi-finals', 'B', 'A', [1, 0])];
      assert.equal(tie(...uneven, played('Semi-finals', 'A', 'B', [0, 1])), 'A-B - - (2:0; 0:1; 0:1)');
    });
    it('show the replay’s result in place of an abandoned leg, which decides nothing by itself', () => {
      const abandoned = played('Semi-finals', 'A', 'B', [2, 0], { status_detail: 'abandoned' });
      const again = [abandoned, played('Semi-finals', 'A', 'B', [0, 1]), played('Semi-finals', 'B', 'A', [0, 0])];
      assert.equal(tie(...again), 'A-B 0:1 B (0:1 on aggregate)');
      assert.equal(tie(abandoned), 'A-B - - … 2 missing');
      const [semis] = buildBracket([...others, ...again], RULES, true);
      assert.equal(semis!.matchups.at(-1)!.legs.length, 3, 'all matches are listed');
    });
    it('say that a leg was awarded', () => {
      assert.equal(
        tie(
          played('Semi-finals', 'A', 'B', [0, 3], { status_detail: 'awarded' }),
          played('Semi-finals', 'B', 'A', [1, 2]),
        ),
        'A-B 2:4 B (2:4 on aggregate, a leg was awarded)',
      );
    });
    it('are expected to have a second leg if the previous round had two legs, until the season is over', () => {
      const before = [
        played('Quarter-finals', 'A', 'B', [1, 0]),
        played('Quarter-finals', 'B', 'A', [0, 0]),
        played('Quarter-finals', 'C', 'D', [1, 0]),
        played('Quarter-finals', 'D', 'C', [0, 0]),
      ];
      assert.match(
        read([...before, played('Semi-finals', 'A', 'C', [1, 0])], {}, false)[1]!,
        /^Semi-finals: A-C 1:0 - … 1 missing/,
      );
      assert.match(
        read([...before, played('Semi-finals', 'A', 'C', [1, 0])], {}, true)[1]!,
        /^Semi-finals: A-C 1:0 A \(1:0\)/,
      );
    });
  });

  describe('single matches', () => {
    it('are replayed after a draw', () => {
      const cup = [
        played('Round of 16', 'C', 'D', [1, 0]),
        played('Round of 16', 'A', 'B', [1, 1], { ET: [0, 0] }),
        played('Round of 16', 'B', 'A', [2, 1]),
      ];
      assert.equal(read(cup)[0], 'Round of 16: C-D 1:0 C (1:0) | A-B 1:2 B (1:1 after extra time; 1:2 in the replay)');
      const many = [
        ...['C', 'E', 'G', 'I'].map((side) => played('Round 2', side, `${side}2`, [1, 0])),
        played('Round 2', 'A', 'B', [1, 1]),
        played('Round 2', 'B', 'A', [2, 2]),
        played('Round 2 replay', 'A', 'B', [0, 3]),
        played('Final', 'C', 'B', [0, 3]),
      ];
      assert.match(read(many)[0]!, /A-B 0:3 B \(1:1; 2:2; 0:3 in the replay\)/);
    });
    it('have no winner after a draw unless one side plays in the next round', () => {
      const drawn = played('Semi-finals', 'A', 'B', [1, 1]);
      assert.equal(read([drawn])[0], 'Semi-finals: A-B 1:1 - (1:1)');
      assert.equal(read([drawn, played('Final', 'B', 'C', [1, 0])])[0], 'Semi-finals: A-B 1:1 B (1:1)');
    });
    it('may be walkovers, awarded or abandoned', () => {
      const final = played('Final', 'A', 'C', [1, 0]);
      assert.equal(
        read([played('Semi-finals', 'A', 'B', null, { status_detail: 'walkover' }), final])[0],
        'Semi-finals: A-B - A (walkover)',
      );
      assert.equal(
        read([played('Semi-finals', 'A', 'B', null, { status_detail: 'walkover' })])[0],
        'Semi-finals: A-B - - (walkover)',
      );
      assert.equal(
        read([played('Semi-finals', 'A', 'B', [3, 0], { status_detail: 'awarded' })])[0],
        'Semi-finals: A-B 3:0 A (3:0, awarded)',
      );
      assert.equal(
        read([played('Semi-finals', 'A', 'B', [2, 0], { status_detail: 'abandoned' })])[0],
        'Semi-finals: A-B - - …',
      );
    });
    it('are left out if they are cancelled, and the side that advances has a bye', () => {
      const cup = [
        played('Quarter-finals', 'A', 'B', null, { status_detail: 'cancelled' }),
        played('Quarter-finals', 'C', 'D', [1, 0]),
        played('Semi-finals', 'A', 'C', [1, 0]),
      ];
      assert.deepEqual(read(cup), ['Quarter-finals: C-D 1:0 C (1:0)', 'Semi-finals: A°-C 1:0 A (1:0)']);
      assert.deepEqual(read(cup.slice(0, 1)), []);
    });
  });

  it('sides that did not need the play-in have no bye', () => {
    const cup = [
      played('Play-in round 1', 'A', 'B', [1, 0]),
      played('Play-in round 1', 'C', 'D', [1, 0]),
      played('Play-in round 2', 'B', 'C', [1, 0]),
      played('Semi-finals', 'A', 'E', [1, 0]),
      played('Semi-finals', 'B', 'F', [1, 0]),
      played('Final', 'A', 'B', [1, 0]),
    ];
    assert.ok(!read(cup).join().includes('°'), read(cup).join('\n'));
    const cupWithByes = cup.map((one) => ({ ...one, round_name: one.round_name!.replace('Play-in', 'Preliminary') }));
    assert.ok(read(cupWithByes).join().includes('°'), 'other rounds before the first one give byes');
  });

  describe('series', () => {
    const game = (home: string, away: string, won: boolean, over = {}) =>
      played('Play-offs', home, away, won ? [80, 70] : [70, 80], over);
    const basketball = { sport: 'basketball' };

    it("count games up to the number of wins that the round's winners have", () => {
      const rounds = [
        game('A', 'B', true),
        game('A', 'B', false),
        game('B', 'A', false, { OT: [5, 15] }),
        game('B', 'A', true),
        game('A', 'B', true),
        game('C', 'D', true),
        game('D', 'C', false),
        game('C', 'D', true),
        game('E', 'F', true),
        game('E', 'F', true),
        played('Semi-finals', 'A', 'C', [90, 80]),
      ];
      assert.deepEqual(read(rounds, basketball, false).slice(0, 2), [
        'Play-offs: A-B 3:2 A (3:2 in the series) | C-D 3:0 C (3:0 in the series) | E-F 2:0 - …',
        'Semi-finals: A-C 90:80 A (90:80) | ?-? - - …',
      ]);
    });
    it('have no winner yet if the number of wins is unknown', () => {
      assert.equal(read([game('A', 'B', true), game('A', 'B', true)], basketball, false)[0], 'Play-offs: A-B 2:0 - …');
      assert.equal(
        read([game('A', 'B', true), game('A', 'B', true)], { ...basketball, bestOf: 3 }, false)[0],
        'Play-offs: A-B 2:0 A (2:0 in the series)',
      );
      assert.equal(
        read([game('A', 'B', true), game('A', 'B', true)], basketball, true)[0],
        'Play-offs: A-B 2:0 A (2:0 in the series)',
      );
    });
    it('with two games and one win each count as ties with two legs', () => {
      const legs = [played('Quarter-finals', 'A', 'B', [80, 70]), played('Quarter-finals', 'B', 'A', [85, 80])];
      assert.equal(read(legs, basketball)[0], 'Quarter-finals: A-B 160:155 A (160:155 on aggregate)');
    });
    it('show a single game’s overtime', () => {
      assert.equal(
        read([played('Final', 'A', 'B', [90, 88], { OT: [10, 8] })], basketball)[0],
        'Final: A-B 90:88 A (90:88 after overtime)',
      );
    });
    it('the Final Four is recognized by its results, whatever the source calls it', () => {
      for (const round of ['Final', 'Final Four']) {
        const four = [
          played(round, 'A', 'B', [70, 80]),
          played(round, 'C', 'D', [70, 60]),
          played(round, 'A', 'D', [90, 80]),
          played(round, 'C', 'B', [60, 61]),
        ];
        assert.deepEqual(read(four, basketball), [
          'Semi-finals: C-D 70:60 C (70:60) | A-B 70:80 B (70:80)',
          'Third place: A-D 90:80 A (90:80)',
          'Final: C-B 60:61 B (60:61)',
        ]);
      }
    });
  });

  it('two finals with the same name are both shown', () => {
    assert.deepEqual(read([played('Final', 'A', 'B', [1, 0]), played('Final', 'C', 'D', [0, 1])]), [
      'Final: A-B 1:0 A (1:0) | C-D 0:1 D (0:1)',
    ]);
    const paths = [played('Path B, Final', 'C', 'D', [0, 1]), played('Path A, Final', 'A', 'B', [1, 0])];
    assert.deepEqual(read(paths, {}, false), ['Path A, Final: A-B 1:0 A (1:0)', 'Path B, Final: C-D 0:1 D (0:1)']);
  });

  it('a side that appears in two ties of a round is shown twice', () => {
    const drawn = [played('Quarter-finals', 'A', 'B', [1, 0]), played('Quarter-finals', 'A', 'C', [0, 1])];
    assert.deepEqual(read(drawn), ['Quarter-finals: A-B 1:0 A (1:0) | A-C 0:1 C (0:1)']);
  });

  it('unknown sides, matches and rounds are shown as unknown', () => {
    const cup = [
      played('Quarter-finals', 'A', 'B', [1, 0]),
      played('Quarter-finals', 'C', 'D', [1, 1], { status: 'live', status_detail: 'in_play' }),
      scheduled('Quarter-finals', 'E', 'F'),
      scheduled('Semi-finals', 'A', 'G'),
    ];
    assert.deepEqual(read(cup, {}, false), [
      'Quarter-finals: A-B 1:0 A (1:0) | C-D 1:1 - … | E-F - - …',
      'Semi-finals: A-G° - - … | ?-? - - …',
      'Final: ?-? - - …',
    ]);
    assert.equal(read(cup).length, 2, 'a season that is over gets no more rounds');
    const one = [played('Semi-finals', 'A', 'B', [1, 0])];
    assert.deepEqual(
      read(one, {}, false),
      ['Semi-finals: A-B 1:0 A (1:0)', 'Final: ?-? - - …'],
      'the others may have a bye',
    );
    assert.equal(read([played('Final', 'A', 'B', [1, 0])], {}, false).length, 1);
  });

  it('numbered rounds count as cup rounds only if no loser plays again', () => {
    const cup = [
      played('Round 1', 'A', 'B', [1, 0]),
      played('Round 1', 'C', 'D', [1, 0]),
      played('Round 2', 'A', 'C', [1, 0]),
    ];
    assert.deepEqual(
      read(cup).map((line) => line.split(':')[0]),
      ['Round 1', 'Round 2'],
    );
    assert.deepEqual(read(cup, { isLeague: true }), []);
    assert.deepEqual(read([...cup, played('Round 2', 'B', 'D', [1, 0])]), []);
    assert.deepEqual(read(cup.slice(0, 2)), [], 'one round may be a matchday');
    assert.equal(read(cup.slice(0, 2), { isCup: true }).length, 1);
  });

  it('each match is shown once, and only sides that played can advance, whatever matches are given', () => {
    const score = fc.tuple(fc.nat(3), fc.nat(3));
    const match = fc.record({
      round: fc.constantFrom(
        'Round of 16',
        'Quarter-finals',
        'Semi-finals, 1st leg',
        'Semi-finals',
        'Third place',
        'Final',
        'Path A, Final',
        'Round 1',
        'Play-offs',
      ),
      home: fc.constantFrom(...'ABCDEF'),
      away: fc.constantFrom(...'GHIJAB'),
      score: fc.option(score),
      detail: fc.constantFrom(
        'ended',
        'abandoned',
        'walkover',
        'cancelled',
        'after_penalties',
        'not_started',
        'in_play',
      ),
      kicks: fc.option(score),
    });
    fc.assert(
      fc.property(
        fc.array(match, { maxLength: 14 }),
        fc.boolean(),
        fc.constantFrom('football', 'basketball'),
        (written, over, sport) => {
          const matches = written
            .filter(({ home, away }) => home !== away)
            .map(({ round, home, away, score, detail, kicks }) =>
              played(round, home, away, score, {
                status_detail: detail,
                status: detail === 'not_started' ? 'scheduled' : detail === 'in_play' ? 'live' : 'finished',
                ...(kicks && { PEN: kicks }),
              }),
            );
          const rounds = buildBracket(matches, { ...RULES, sport, isCup: true }, over);
          const shown = rounds
            .flatMap(({ matchups }) => matchups)
            .flatMap(({ legs }) => legs.flatMap(({ event_id }) => event_id ?? []));
          assert.equal(new Set(shown).size, shown.length);
          const kept = matches.filter(({ status_detail }) => status_detail !== 'cancelled').map(({ id }) => id);
          assert.deepEqual(
            [...shown].sort((a, b) => a - b),
            kept,
          );
          for (const { winner, sides, finished, result } of rounds.flatMap(({ matchups }) => matchups)) {
            assert.ok(winner === null || sides.includes(winner));
            assert.ok(finished || (winner === null && result === null));
          }
        },
      ),
    );
  });
});
