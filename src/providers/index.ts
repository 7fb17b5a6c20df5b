/**
 * Public exports: sides, rounds, meetings, statistics and local times, which importers share with live
 * sources.
 */
export { BASEBALL_ROUNDS, type BaseballPhase, isBaseballPhase } from './baseball-rounds.ts';
export { groupLetter, readRound, roundName } from './common-round-names.ts';
export type { GameRead } from './game-updates.ts';
export { ListedGroups } from './listed-groups.ts';
export { dateOnly, findZone, isDay, localToUtc } from './local-time.ts';
export { Meetings } from './meetings.ts';
export { turnToOfficialSides } from './neutral-sides.ts';
export { isRecord } from './reader.ts';
export { countGoals, isSameScore, type Side, totalScore } from './side.ts';
export { count, present, type Statistic, type StatisticName, statisticRow } from './statistic.ts';
export type { CodedTeam } from './team-codes.ts';
