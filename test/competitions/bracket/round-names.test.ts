import assert from 'node:assert/strict';
import fc from 'fast-check';
import { knockoutRound } from '../../../src/competitions/bracket/round-names.ts';

const nameOf = (written: string, group: string | null = null) => knockoutRound(written, group)?.name ?? null;

describe('knock-out round names', () => {
  it('every round spelling is recognized', () => {
    const spellings: Record<string, string[]> = {
      Final: [
        'Final',
        'final',
        'FINAL',
        'Finals',

        'Finale',
        'Финал',
        'Gold medal match',
        'Final Four',
        'F',
      ],
      'Third place': [
        'Third place',
        'Match for third place',
        'third-place match',
        '3rd Place Final',
        'Bronze medal game',
        'Матч за 3-е место',
      ],
      'Semi-finals': [
        'Semi-finals',
        'Semifinal',
        'semi finals',
        'Semi‑finals',
        'Halbfinale',
        '1/2 finals',
        'Полуфинал',
        'Semi-final 1',
        'Semi-finals, 2nd leg',
        'Semifinals - Game 3',
        'Round of 4',
        'Final Four, Semifinal',
      ],
      'Quarter-finals': [
        'Quarter-finals',
        'Quarterfinals',
        'QF',
        '1/4-finals',
        '1/4 финала',
        'Viertelfinale',
        'Cuartos de final',
        'Last 8',
        'Quarter-final (replay)',
        'Knockout stage - Quarter-finals',
      ],
      'Round of 16': [
        'Round of 16',
        'Last 16',
        '1/8 Finals',
        '1/8 финала',
        'Achtelfinale',
        'Octavos de final',
        'eighth-finals',
        'R16',
        'Finals, Round of 16',
      ],
      'Round of 32': ['Round of 32', '1/16-finals', '16es de finale', 'Sechzehntelfinale'],
      'Round of 64': ['Round of 64', '1/32 finals', '32es de finale', 'Last 64'],
      'Play-offs': [
        'Play-offs',
        'Playoffs',
        'Knockout round play-offs',
        'Knockout phase play-offs',
        'Game 1',
        'Play-offs, Game 4',
      ],
      'Round 3': ['Round 3', 'Third round', '3rd round', '3. Runde', 'Third Round Proper', 'Third round replay'],
      'Grand Final': ['Grand Final', 'Grand final replay', 'Гранд-финал'],
      'Pre-play-offs': ['Pre-play-offs', 'Pre-Playoff'],
      'Play-downs': ['Play-downs', 'Playdown'],
      'Qualifying round 2': ['Qualifying round 2', 'Second qualifying round', 'Qualification, round 2'],
      'Path A, Semi-finals': ['Path A, Semi-finals', 'Path A - Semi-final 2'],
      'Eastern Conference, Final': ['Eastern Conference, Finals', 'Eastern Conference - Final, Game 7'],
    };
    for (const [name, written] of Object.entries(spellings)) {
      for (const one of written) assert.equal(nameOf(one), name, one);
    }
  });

  it('league and group rounds are not recognized as knock-out rounds', () => {
    for (const name of [
      'Matchday 5',
      'Group stage',
      'Second group stage',
      'Final round',
      'Championship round',
      'Regular season',
      'League phase',
      'Group A',
      'Group play-off',
      'Finalissima 2',
      '',
    ])
      assert.equal(nameOf(name), null, name);
    assert.equal(nameOf('Round 3', 'Group B'), null);
  });

  it('a group name that is not a phase becomes the name of a separate bracket', () => {
    assert.equal(nameOf('Final', 'Playout'), 'Playout, Final');
    assert.equal(nameOf('Final', 'Playoff'), 'Final');
    assert.equal(nameOf('Semifinal', 'Final Four'), 'Semi-finals');
    assert.equal(nameOf('Path A, Final', 'UEFA Second Round Play-offs'), 'Path A, Final');
  });

  it('rounds are sorted in the order in which they are played', () => {
    const written = [
      'Preliminary round',
      'First qualifying round',
      'Second qualifying round',
      'Round 1',
      'Round 2',
      'Play-offs',
      'Round of 64',
      'Round of 32',
      'Round of 16',
      'Quarter-finals',
      'Semi-finals',
      'Third place',
      'Final',
    ];
    const orders = written.map((name) => knockoutRound(name, null)!.order);
    for (const [index, [first, second]] of orders.slice(1).entries()) {
      const [before, then] = orders[index]!;
      assert.ok(before < first || (before === first && then < second), written[index + 1]);
    }
  });

  it('any text is accepted, at any length', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^([a-z]+[ ,:-]{1,2}){0,6}(final|round 2|game 3|replay)?$/));
    fc.assert(
      fc.property(text, fc.option(text), (written, group) => {
        const found = knockoutRound(written, group);
        assert.ok(found === null || (found.name.length > 0 && found.order.every(Number.isFinite)));
      }),
    );
    for (const piece of [', - ', 'a ', 'final ', '1/']) assert.equal(nameOf(`${piece.repeat(100_000)}x`), null);
  });
});
