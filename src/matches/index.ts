/** Public exports: reading matches, for pages, widgets and calendars. */
export {
  type CalendarMatch,
  type Chosen,
  calendarMatches,
  type FormerFixture,
  formerFixtures,
} from './calendar-matches.ts';
export { itemWithBlocksSql } from './card-sql.ts';
export {
  type DayMatch,
  dayMatches,
  dayMatchesRead,
  type NearestDays,
  nearestDays,
  sportsOfDayRead,
} from './day-matches.ts';
export {
  type FixtureScope,
  listFixtures,
  type NextMatch,
  nextMatches,
  type SeasonPart,
  seasonMonthsRead,
  seasonPartRead,
} from './fixtures.ts';
export { findMeetingSides, listMeetings, type MeetingSide, type Meetings } from './head-to-head.ts';
export { liveMatches, liveMatchIds, matchesInProgress, SHOWN_LIVE, tournamentOfLiveMatch } from './live-matches.ts';
export {
  findMatchVersion,
  findMomentum,
  findStoredMatch,
  type MatchColours,
  type MatchDetail,
  type MatchMomentum,
  type StoredMatch,
} from './stored-match.ts';
export { type ListedBlocks, listBlocksQuery, listCost, listedBlocks } from './wanted-blocks.ts';
