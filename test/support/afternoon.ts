/** An afternoon of nine matches as OpenLigaDB's users enter it, with their mistakes and corrections. */
import {
  type EnteredGoal,
  type EnteredMatch,
  enterGoal as enterAnyGoal,
  enterMatch,
  enterResult,
  type OpenLigaDbServer,
} from './openligadb.ts';

export interface Afternoon {
  /** What users enter, and when, in minutes since the first kick-off. The entries are in order. */
  entries: [minute: number, enter: () => void][];
}

export interface AfternoonOptions {
  /** Milliseconds since 1970. */
  kickOff: number;
  /** Milliseconds since 1970. */
  evening: number;
  /** Values for members of all matches. */
  over?: Partial<EnteredMatch>;
  /** Replacements for scorers' names. */
  scorers?: Record<string, string>;
}

/** Enters nine matches into the source. The last one begins in the evening. */
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
    // One goal is deleted, and the scorer of another is corrected.
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
    // The result is entered before the goal. An own goal counts for the other side.
    at(20, dortmund, () => enterResult(dortmund, 2, '1:0')),
    at(25, dortmund, () => enterGoal(dortmund, '1:0', 19, 'S. Guirassy', { isPenalty: true })),
    at(75, dortmund, () => enterGoal(dortmund, '1:1', 74, 'N. Schlotterbeck', { isOwnGoal: true })),
    at(76, dortmund, () => enterResult(dortmund, 2, '1:1')),
    ...end(113, dortmund, '1:0', '1:1'),
    // The goal is deleted and entered again. At first only the result is entered, without the goal.
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
    // The match is flagged as finished before the final result is entered.
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
    // The score falls in one reply although no goal was deleted.
    at(35, augsburg, () => enterResult(augsburg, 2, '0:1')),
    at(37, augsburg, () => enterResult(augsburg, 2, '0:0')),
    at(37.3, augsburg, () => enterResult(augsburg, 2, '0:1')),
    ...end(112, augsburg, '0:1', '0:1'),
    // Two goals are entered in the ten minutes in which the source is down.
    at(64, union, () => enterGoal(union, '1:0', 63, 'A. Ilić')),
    at(66, union, () => enterGoal(union, '1:1', 65, 'A. Kramarić')),
    ...end(112, union, '0:0', '1:1'),
    ...end(112, frankfurt, '0:0', '0:0'),
    // The scorer is corrected late.
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
