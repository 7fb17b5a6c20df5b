/** Reads a day's schedule, which has all games with state and score. Pure. */
import type { MatchInput } from '../../wire/feed-update.ts';
import { GameUpdates } from '../game-updates.ts';
import { entryFault, withEntry } from '../listed-game.ts';
import type { ProviderReply, Reading } from '../provider.ts';
import type { Score } from '../side.ts';
import { gameReference, isOfSeason, readRound, readState, type State, toState } from './game.ts';
import type { Known, MlbGame } from './poll-schedule.ts';
import { type ScheduledGame, scheduledGame, scheduleReply } from './replies.ts';

/** Returns the mark: state and score, in the same form for both kinds of reply. */
export const toMark = ({ phase, status_detail }: State, score: Score | null): string =>
  phase === 'ahead' || score === null ? status_detail : `${status_detail} ${score.home}:${score.away}`;

/** @param day the requested date */
export function readSchedule(
  { body, receivedAt: at }: ProviderReply,
  day: string,
  known: Known,
): Reading<Known> | string {
  const parsed = scheduleReply.safeParse(body);
  if (!parsed.success) return 'the reply has no dates with games';
  const other = parsed.data.dates.find(({ date }) => date !== day);
  if (other) return `the reply is of ${other.date}, not of ${day}`;
  const into = new GameUpdates(known.games, at);
  for (const [index, { games }] of parsed.data.dates.entries()) {
    for (const [number, given] of games.entries()) {
      const path = `dates[${index}].games[${number}]`;
      const game = into.item(scheduledGame, given, path);
      if (game && isOfSeason(game.gameType)) addGame(game, day, path, into);
    }
  }
  return into.nearReading();
}

function addGame(game: ScheduledGame, day: string, path: string, into: GameUpdates<MlbGame>): void {
  const { gamePk, gameType, season, teams, status } = game;
  const [home, away] = [teams.home.team.id, teams.away.team.id];
  const named = { gamePk, gameType, season, home, away };
  const reference = gameReference(named);
  if (typeof reference === 'string') {
    into.report(path, reference);
    return;
  }
  const before = into.games[gamePk];
  const start = Date.parse(game.gameDate);
  const state = readState(status);
  if (!state) {
    // The state is unknown, so only the fixture is applied, and only if the game is new.
    into.report(`${path}.status.codedGameState`, status.codedGameState);
    if (!before) into.add({ ...reference, ...toFixture(game, reference) }, path);
    return;
  }
  // A postponed game stays listed on the day for which it was first planned. That entry is ignored.
  if (state.status_detail === 'postponed' && before && start < before.start) return;
  const [homeScore, awayScore] = [teams.home.score, teams.away.score];
  const score =
    typeof homeScore === 'number' && typeof awayScore === 'number' ? { home: homeScore, away: awayScore } : null;
  const phase = state.phase === 'over' && before?.phase === 'final' ? 'final' : state.phase;
  const claim = {
    said: {
      phase,
      mark: toMark(state, score),
      // The list has no innings, so the value that was applied last stays.
      played: before?.applied?.played ?? 0,
      home: score?.home ?? 0,
      away: score?.away ?? 0,
    },
    start,
    at: into.at,
    isStopped: state.isStopped,
    setBack: 0,
  };
  const fault = entryFault(before, claim);
  if (fault !== undefined) {
    into.report(`${path}.status.codedGameState`, fault);
    return;
  }
  const read = toState(state, score);
  if (typeof read === 'string') into.report(`${path}.teams`, read);
  const isFixture = phase === 'ahead' || state.isStopped || state.status_detail === 'cancelled';
  const isNews = isFixture && (claim.said.mark !== before?.listed.mark || start !== before.start);
  const { game: next, isApplied } = withEntry(before, claim, isNews, typeof read !== 'string');
  into.games[gamePk] = { ...before, ...next, ...named, day, isStopped: state.isStopped };
  if (!isApplied) return;
  // A resumed game keeps the start of its first day.
  const hasBegun = before?.phase === 'live' || typeof game.resumedFrom === 'string';
  const fixture = toFixture(game, reference);
  if (hasBegun) delete fixture.scheduled_start;
  into.add({ ...reference, ...fixture, ...(typeof read !== 'string' && read) }, path);
}

function toFixture(game: ScheduledGame, { home }: Pick<MatchInput, 'home'>): Partial<MatchInput> {
  const isUnsure = game.status.startTimeTBD === true;
  return {
    // `officialDate` is the local date at the park. `gameDate` is in UTC, where the date may differ.
    scheduled_start: isUnsure ? `${game.officialDate}T00:00:00Z` : game.gameDate.replace(/\.\d+/u, ''),
    time_tbd: isUnsure,
    ...readRound(game),
    ...(game.venue?.name && home.country && { venue: { name: game.venue.name, country: home.country } }),
  };
}
