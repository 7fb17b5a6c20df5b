/** An afternoon of nine matches as the users of OpenLigaDB enter it, with their slips and corrections. */
import {
  type EnteredGoal,
  type EnteredMatch,
  enterGoal as enterAnyGoal,
  enterMatch,
  enterResult,
  type OpenLigaDbServer,
} from './openligadb.ts';

export interface Afternoon {
  /** Minutes since the first kick-off, and what users enter then; in their order. */
  entries: [minute: number, enter: () => void][];
}

export interface AfternoonOptions {
  /** ms */
  kickOff: number;
  /** ms */
  evening: number;
  /** Members of all matches. */
  over?: Partial<EnteredMatch>;
  /** Other names of the scorers. */
  scorers?: Record<string, string>;
}

/**
 * Enters nine matches into the source, the last of which begins in the evening. */
export function enterAfternoon(
  source: OpenLigaDbServer,
  teams: readonly [string, string][],
  { kickOff, evening, over = {}, scorers = {} }: AfternoonOptions,
): Afternoon {
  const matches = teams.map((sides, index) => enterMatch(sides, index === 8 ? evening : kickOff, over));
  source.matches = matches;
  const enterGoal = (
    match: EnteredMatch,
    score: string,
    minute: number,
    scorer: string | null,
    given?: Partial<EnteredGoal>,
  ) => enterAnyGoal(match, score, minute, scorer && (scorers[scorer] ?? scorer), given);
  const [munich, dortmund, cologne, bremen, augsburg, union, frankfurt, heidenheim, leverkusen] = matches as [
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
    EnteredMatch,
  ];
  const at = (minute: number, match: EnteredMatch, enter: () => void): [number, () => void] => [
    minute,
    () => {
      enter();
      source.touch(match);
    },
  ];
  const end = (minute: number, match: EnteredMatch, halfTime: string, fullTime: string): [number, () => void][] => [
    at(minute, match, () => {
      match.matchIsFinished = true;
      enterResult(match, 1, halfTime);
      enterResult(match, 2, fullTime);
    }),
  ];
  const entries: Afternoon['entries'] = [
    // A goal that is deleted, and one whose scorer is corrected.
    at(12, munich, () => enterGoal(munich, '1:0', 11, 'H. Kane')),
    at(30, munich, () => enterGoal(munich, '2:0', 29, 'S. Gnabry')),
    at(33, munich, () => {
      munich.goals.pop();
    }),
    at(70, munich, () => enterGoal(munich, '2:0', 69, 'H. Kane')),
    at(80, munich, () => {
      munich.goals.at(-1)!.goalGetterName = 'J. Musiala';
    }),
    ...end(112, munich, '1:0', '2:0'),
    // The result comes before its goal; an own goal counts for the other side.
    at(20, dortmund, () => enterResult(dortmund, 2, '1:0')),
    at(25, dortmund, () => enterGoal(dortmund, '1:0', 19, 'S. Guirassy', { isPenalty: true })),
    at(75, dortmund, () => enterGoal(dortmund, '1:1', 74, 'N. Schlotterbeck', { isOwnGoal: true })),
    at(76, dortmund, () => enterResult(dortmund, 2, '1:1')),
    ...end(113, dortmund, '1:0', '1:1'),
    // It is deleted and entered again, at first without its goal.
    at(40, cologne, () => enterGoal(cologne, '0:1', 39, 'R. Glatzel')),
    [
      50,
      () => {
        const again = enterMatch(teams[2]!, kickOff, over);
        source.matches = source.matches.map((match) => (match === cologne ? again : match));
        matches[2] = again;
        source.touch(again);
      },
    ],
    [
      53,
      () => {
        enterGoal(matches[2]!, '0:1', 39, 'R. Glatzel');
        source.touch(matches[2]!);
      },
    ],
    [
      111,
      () => {
        matches[2]!.matchIsFinished = true;
        enterResult(matches[2]!, 1, '0:1');
        enterResult(matches[2]!, 2, '0:1');
        source.touch(matches[2]!);
      },
    ],
    // It is flagged as finished before the final result is in.
    at(61, bremen, () => enterResult(bremen, 2, '0:0')),
    at(105, bremen, () => {
      bremen.matchIsFinished = true;
    }),
    [
      105.2,
      () => {
        enterResult(bremen, 2, '1:0');
        enterResult(bremen, 1, '0:0');
        enterGoal(bremen, '1:0', 93, 'J. Njinmah', { isOvertime: true });
        source.touch(bremen);
      },
    ],
    // A score that falls for one reply without a deleted goal.
    at(35, augsburg, () => enterResult(augsburg, 2, '0:1')),
    at(37, augsburg, () => enterResult(augsburg, 2, '0:0')),
    at(37.3, augsburg, () => enterResult(augsburg, 2, '0:1')),
    ...end(112, augsburg, '0:1', '0:1'),
    // Two goals within the ten minutes in which the source is down.
    at(64, union, () => enterGoal(union, '1:0', 63, 'A. Ilić')),
    at(66, union, () => enterGoal(union, '1:1', 65, 'A. Kramarić')),
    ...end(112, union, '0:0', '1:1'),
    ...end(112, frankfurt, '0:0', '0:0'),
    // A late correction of the scorer.
    at(15, heidenheim, () => enterGoal(heidenheim, '0:1', 14, null)),
    ...end(114, heidenheim, '0:1', '0:1'),
    at(170, heidenheim, () => {
      heidenheim.goals[0]!.goalGetterName = 'M. Kaars';
    }),
    at(185, leverkusen, () => enterGoal(leverkusen, '1:0', 4, 'P. Schick')),
    ...end(295, leverkusen, '1:0', '1:0'),
  ];
  return { entries: entries.sort(([a], [b]) => a - b) };
}
