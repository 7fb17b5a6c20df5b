/** Replies from OpenLigaDB (api.openligadb.de). */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Score } from '../side.ts';

/** Time zone for the source's times without an offset. */
const ZONE = 'Europe/Berlin';

const count = z.int().min(0).max(99);
const text = z.string().trim();
const optionalText = text.nullish().catch(null);

const result = z.looseObject({
  resultID: z.int().nullish().catch(null),
  resultTypeID: z.int(),
  pointsTeam1: count,
  pointsTeam2: count,
});
const goal = z.looseObject({
  goalID: z.int().nullish().catch(null),
  scoreTeam1: count,
  scoreTeam2: count,
  matchMinute: z.int().min(0).max(200).nullish().catch(null),
  goalGetterName: optionalText,
  isPenalty: z.boolean().nullish().catch(null),
  isOwnGoal: z.boolean().nullish().catch(null),
  isOvertime: z.boolean().nullish().catch(null),
  comment: optionalText,
});
export type GoalReply = z.infer<typeof goal>;

const groupNumber = z.int().min(0).max(200);
/** The present matchday. */
export const currentGroupReply = z.looseObject({ groupOrderID: groupNumber });

const team = z.looseObject({ teamId: z.int().min(1), teamName: text.min(1).max(200) });
export const matchReply = z.looseObject({
  matchID: z.int().min(1),
  matchDateTime: optionalText,
  matchDateTimeUTC: optionalText,
  lastUpdateDateTime: optionalText,
  leagueName: optionalText,
  leagueSeason: z.coerce.number().int().nullish().catch(null),
  leagueShortcut: optionalText,
  group: z.looseObject({ groupName: optionalText, groupOrderID: groupNumber }),
  team1: team,
  team2: team,
  matchIsFinished: z.boolean(),
  matchResults: z.array(z.unknown()).nullish().catch(null),
  goals: z.array(z.unknown()).nullish().catch(null),
  location: z.looseObject({ locationCity: optionalText, locationStadium: optionalText }).nullish().catch(null),
  numberOfViewers: z.int().min(1).max(1_000_000).nullish().catch(null),
});
export type MatchReply = z.infer<typeof matchReply>;

/** Returns a match's results by type. If a type occurs twice, the higher id is the correction. */
export function readResults(reply: MatchReply): Map<number, Score> {
  const results = (reply.matchResults ?? []).flatMap((entry) => result.safeParse(entry).data ?? []);
  results.sort((a, b) => (a.resultID ?? 0) - (b.resultID ?? 0));
  return new Map(
    results.map(({ resultTypeID, pointsTeam1, pointsTeam2 }) => [
      resultTypeID,
      { home: pointsTeam1, away: pointsTeam2 },
    ]),
  );
}

/** Returns the readable goals, and the values of the unreadable ones. */
export function readGoalReplies(reply: MatchReply): { goals: GoalReply[]; unread: unknown[] } {
  const entries = (reply.goals ?? []).map((entry) => ({ entry, parsed: goal.safeParse(entry) }));
  return {
    goals: entries.flatMap(({ parsed }) => parsed.data ?? []),
    unread: entries.flatMap(({ entry, parsed }) => (parsed.success ? [] : [entry])),
  };
}

/** @returns ms; null if there is no time */
export function readStart({ matchDateTimeUTC, matchDateTime }: MatchReply): number | null {
  // `matchDateTimeUTC` should be in UTC. But without an offset, the text could just as well be local time.
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/u.test(matchDateTimeUTC ?? '');
  const start = hasZone
    ? DateTime.fromISO(matchDateTimeUTC!, { zone: 'utc' })
    : DateTime.fromISO(matchDateTime ?? '', { zone: ZONE });
  return start.isValid ? start.toMillis() : null;
}
