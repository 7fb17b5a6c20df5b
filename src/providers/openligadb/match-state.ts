/**
 * Reads a match's status, score, periods and goals. The source does not say that a match is live, postponed or
 * cancelled, and gives no minute, so these are inferred. A value that may be a user's slip has to appear in two
 * replies. Pure.
 */
import type { MatchInput } from '../../wire/feed-update.ts';
import { DAY_MS } from '../../wire/time.ts';
import type { Score } from '../side.ts';
import { type Goals, readGoals, scoreKey, total } from './goals.ts';
import { type KnownMatch, mayBeLive } from './known-matches.ts';
import { type MatchReply, readGoalReplies, readResults } from './replies.ts';

/** The source's numbers for result types. */
const HALF_TIME = 1;
const FULL_TIME = 2;
const EXTRA_TIME = 3;
const SHOOT_OUT = 4;

/**
 * A value that may be a slip has to be the same in two replies that are at least this far apart, that is, in two polls.
 */
const STABLE_MS = 15_000;
/** If a match began longer ago than this, its final result is believed at once, because nobody is still entering it. */
const LONG_OVER_MS = DAY_MS;

export interface MatchRead {
  state: Partial<MatchInput>;
  known: KnownMatch;
}

/** Results that may be believed. */
interface Results {
  halfTime: Score | undefined;
  fullTime: Score | undefined;
  extraTime: Score | undefined;
  shootOut: Score | undefined;
}

export interface Now {
  /** When the reply arrived, ms. */
  receivedAt: number;
  /** Our time or the source's, whichever is earlier. A match has begun when both clocks have passed the start. */
  surely: number;
}

/**
 * @param before what is known about the match
 * @param isCup whether there may be extra time
 */
export function readMatchState(reply: MatchReply, before: KnownMatch, isCup: boolean, now: Now): MatchRead {
  const results = believedResults(readResults(reply), isCup);
  const { goals: goalReplies } = readGoalReplies(reply);
  const isLate = goalReplies.some(({ matchMinute }) => (matchMinute ?? 0) > 105);
  const goals = readGoals(
    goalReplies,
    results.extraTime !== undefined || (isCup && isLate),
    results.shootOut && (results.extraTime ?? results.fullTime),
  );
  const hasEvidence = goals.score !== null || results.fullTime !== undefined || results.halfTime !== undefined;
  const known: KnownMatch = { ...before, hasEvidence: before.hasEvidence || hasEvidence };
  if (before.state === 'finished') return correct(reply, known, results, goals);
  if (reply.matchIsFinished && results.fullTime !== undefined) {
    const ended = endIfStable(known, results, goals, now);
    if (ended !== null) return ended;
  } else delete known.ending;
  if (isUnderWay(known, now, hasEvidence)) return readLive(known, results, goals, now, reply.matchID);
  // The match was believed to be under way, and now has a later start, so it is postponed.
  if (before.state === 'live' && before.start !== null && before.start > now.receivedAt)
    return { state: { status: 'scheduled', status_detail: 'postponed' }, known: { ...known, state: 'scheduled' } };
  return { state: before.state === 'scheduled' && isAhead(known, now) ? { status: 'scheduled' } : {}, known };
}

/** How slow our clock may be. A goal before the start by our clock shows that the clock is slow. */
const CLOCK_ERROR_MS = 15 * 60_000;

const isUnderWay = (match: KnownMatch, { receivedAt, surely }: Now, hasEvidence: boolean): boolean =>
  mayBeLive(match, surely) || (hasEvidence && mayBeLive(match, receivedAt + CLOCK_ERROR_MS));

const isAhead = ({ start }: KnownMatch, { receivedAt }: Now) => start !== null && start > receivedAt;

/** Leaves out results that contradict each other. Users enter type 3 even for matches without extra time. */
function believedResults(results: ReadonlyMap<number, Score>, isCup: boolean): Results {
  const fullTime = results.get(FULL_TIME);
  const isLevel = (score: Score | undefined) => score !== undefined && score.home === score.away;
  const afterExtraTime = results.get(EXTRA_TIME);
  const extraTime = isCup && isLevel(fullTime) && contains(afterExtraTime, fullTime) ? afterExtraTime : undefined;
  const kicks = results.get(SHOOT_OUT);
  const played = extraTime ?? fullTime;
  const shootOut = isCup && kicks && isLevel(played) && contains(kicks, played) && !isLevel(kicks) ? kicks : undefined;
  const halfTime = results.get(HALF_TIME);
  return {
    halfTime: fullTime === undefined || contains(fullTime, halfTime) ? halfTime : undefined,
    fullTime,
    extraTime,
    shootOut,
  };
}

const contains = (later: Score | undefined, earlier: Score | undefined): boolean =>
  later !== undefined && earlier !== undefined && later.home >= earlier.home && later.away >= earlier.away;

const minus = (later: Score, earlier: Score): Score => ({
  home: later.home - earlier.home,
  away: later.away - earlier.away,
});

/** Returns the goals, or nothing if the reply has none and none were known. A result may be entered without goals. */
const goalsBlock = ({ incidents }: Goals, before: KnownMatch): Partial<MatchInput> =>
  incidents.length > 0 || before.goals?.length ? { incidents } : {};

function finalState(results: Results, goals: Goals, before: KnownMatch): Partial<MatchInput> {
  const { halfTime, fullTime, extraTime, shootOut } = results;
  const periods: NonNullable<MatchInput['period_scores']> = [];
  if (halfTime) periods.push({ period: '1H', ...halfTime }, { period: '2H', ...minus(fullTime!, halfTime) });
  if (halfTime && extraTime) periods.push({ period: 'ET', ...minus(extraTime, fullTime!) });
  if (shootOut) periods.push({ period: 'PEN', ...minus(shootOut, extraTime ?? fullTime!) });
  const score = extraTime ?? fullTime!;
  return {
    status: 'finished',
    status_detail: shootOut ? 'after_penalties' : extraTime ? 'after_extra_time' : 'ended',
    score,
    ...(periods.length > 0 && { period_scores: periods }),
    // The goals need not add up to the result. If the reply has no goals, the block is given only for a 0:0. Otherwise
    // users have not entered the goals.
    ...((goals.incidents.length > 0 || total(score) === 0) && goalsBlock(goals, before)),
  };
}

const resultKey = (results: Results): string =>
  [results.fullTime, results.extraTime, results.shootOut].map((score) => (score ? scoreKey(score) : '')).join('/');

/** @returns null if a second reply has to repeat the result */
function endIfStable(known: KnownMatch, results: Results, goals: Goals, { receivedAt }: Now): MatchRead | null {
  const result = resultKey(results);
  const { ending } = known;
  const isOld = known.start === null || receivedAt - known.start > LONG_OVER_MS;
  const isStable = ending?.result === result && receivedAt - ending.at >= STABLE_MS;
  if (!isOld && !isStable) {
    if (ending?.result !== result) known.ending = { result, at: receivedAt };
    return null;
  }
  const { id, start, group, updated } = known;
  return {
    state: finalState(results, goals, known),
    known: { id, start, group, updated, state: 'finished', goals: goals.keys },
  };
}

/**
 * Reads a reply about a finished match. A result that differs is a correction. If the reply has no result, nothing
 * changes.
 */
function correct(reply: MatchReply, known: KnownMatch, results: Results, goals: Goals): MatchRead {
  if (!reply.matchIsFinished || results.fullTime === undefined) return { state: {}, known };
  return { state: finalState(results, goals, known), known: { ...known, goals: goals.keys } };
}

function readLive(known: KnownMatch, results: Results, goals: Goals, { receivedAt }: Now, matchId: number): MatchRead {
  const isBefore = known.start !== null && known.start > receivedAt;
  // Before the start by our clock, a result without goals is a slip, and is ignored. A goal shows that our clock is
  // slow.
  if (isBefore && goals.score === null && total(results.fullTime ?? { home: 0, away: 0 }) === 0)
    return { state: {}, known };
  const next = { ...known };
  const score = liveScore(next, results, goals, matchId, receivedAt);
  if (score === null) return { state: { status: 'live' }, known: { ...next, state: 'live' } };
  const isShootOut = results.shootOut !== undefined || (results.extraTime !== undefined && goals.hasKicks);
  const isExtra = results.extraTime !== undefined;
  return {
    state: {
      status: 'live',
      ...(isExtra && { status_detail: isShootOut ? ('penalties' as const) : ('extra_time' as const) }),
      score,
      ...livePeriods(results, score, known, receivedAt),
      ...goalsBlock(goals, known),
    },
    known: { ...next, state: 'live', score: scoreKey(score), goals: goals.keys },
  };
}

/** This long after the start, the second half has certainly begun. */
const SECOND_HALF_MS = 65 * 60_000;

/** Returns the periods in a live match. Users enter the half-time score when the first half is over. */
function livePeriods({ halfTime }: Results, score: Score, { start }: KnownMatch, now: number): Partial<MatchInput> {
  if (!halfTime || !contains(score, halfTime)) return {};
  const first = { period: '1H', ...halfTime };
  const hasSecond = total(score) > total(halfTime) || (start !== null && now >= start + SECOND_HALF_MS);
  return { period_scores: hasSecond ? [first, { period: '2H', ...minus(score, halfTime) }] : [first] };
}

/** A match that a user has entered again is empty at first, so a lower score is believed only after this time. */
const ENTRY_MS = 10 * 60_000;

/**
 * Returns the goals' score or the result, whichever is higher, because either may lag behind. A score that is lower
 * than before is believed if a goal was deleted, or if the score appears again later. Changes `known`.
 * @returns null while a lower score is not certain
 */
function liveScore(known: KnownMatch, results: Results, goals: Goals, matchId: number, now: number): Score | null {
  const byGoals = goals.score ?? { home: 0, away: 0 };
  const byResult = results.extraTime ?? results.fullTime;
  const isRecreated = known.id !== matchId;
  const isDeleted = !isRecreated && (known.goals?.some((key) => !goals.keys.includes(key)) ?? false);
  if (byResult && isDeleted && total(byResult) > total(byGoals)) known.lagging = scoreKey(byResult);
  else if (byResult && known.lagging !== scoreKey(byResult)) delete known.lagging;
  const isResultUsed = byResult && known.lagging !== scoreKey(byResult) && total(byResult) > total(byGoals);
  const score = isResultUsed ? byResult : byGoals;
  const key = scoreKey(score);
  const isLower = known.score !== undefined && total(score) < totalKey(known.score);
  if (isLower && !isDeleted) {
    const wait = isRecreated ? ENTRY_MS : STABLE_MS;
    if (known.fallen?.score !== key) known.fallen = { score: key, at: now };
    if (now - known.fallen.at < wait) return null;
  }
  delete known.fallen;
  return score;
}

const totalKey = (key: string): number => key.split(':').reduce((sum, part) => sum + Number(part), 0);
