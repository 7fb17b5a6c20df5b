/** Converts a match in openfootball's JSON to a feed update. Pure. */

import { type KnownTournament, tournamentOfRound } from '../../identity/canonical-tournaments.ts';
import { nationTeam } from '../../identity/merges.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import { readRound } from '../common-round-names.ts';
import type { ListedGroups } from '../listed-groups.ts';
import { dateOnly, isDay, localToUtc, offsetToUtc } from '../local-time.ts';
import type { Meetings } from '../meetings.ts';
import { lookUp } from '../reader.ts';
import { readGoals } from './goals.ts';
import type { League } from './league.ts';
import { type OpenScore, readOpenScore } from './score.ts';

const STATUSES: Record<
  string,
  { status: 'scheduled' | 'finished'; status_detail: 'postponed' | 'cancelled' | 'abandoned' | 'awarded' }
> = {
  postponed: { status: 'scheduled', status_detail: 'postponed' },
  cancelled: { status: 'finished', status_detail: 'cancelled' },
  canceled: { status: 'finished', status_detail: 'cancelled' },
  abandoned: { status: 'finished', status_detail: 'abandoned' },
  awarded: { status: 'finished', status_detail: 'awarded' },
};

/** Matches the draw's placeholders for teams that are not known yet: "N.N.", "Sieger EF", "W74", "1A". */
const PLACEHOLDER = /^(?:N\.N\.|TB[AD]|(?:Sieger|Winner|Loser|Verlierer)\b.*|[WL]\d+|[1-3][A-L](?:\/[A-L])*)$/u;

/** The fault for a match whose sides are still to be decided. */
export const UNKNOWN_SIDES = 'who plays is not known yet';

interface Ground {
  venue: NonNullable<MatchInput['venue']>;
  zone: string | undefined;
}
interface Context {
  ground?: Ground | undefined;
  /** Shared by all matches in a file. */
  meetings: Meetings;
  groups: ListedGroups;
}

/** @returns an error text if the match cannot be read */
export function readMatch(
  match: Record<string, unknown>,
  league: League,
  { ground, meetings, groups }: Context,
): MatchInput | string {
  const { team1, team2, date, round } = match;
  if (typeof team1 !== 'string' || typeof team2 !== 'string' || !team1.trim() || !team2.trim())
    return 'team1 or team2 is missing';
  if ([team1, team2].some((name) => PLACEHOLDER.test(name))) return UNKNOWN_SIDES;
  if (typeof date !== 'string' || !isDay(date)) return `${JSON.stringify(date)} is not a date`;
  const written = typeof round === 'string' ? round : '';
  const tournament = tournamentOfRound(league.tournament, written);
  const rounds = {
    ...readRound(written, tournament),
    ...(typeof match.group === 'string' && { group_name: match.group }),
  };
  const score = readOpenScore(match.score);
  if (typeof score === 'string') return score;
  const [home, away] = [findTeam(team1, tournament), findTeam(team2, tournament)];
  rounds.group_name ??= groups.groupOf(tournament, league.season, written, home, away);
  const pairing = `${league.code}/${league.season}/${team1}/${team2}`;
  const incidents = readGoals(match);
  return {
    id: pairing + meetings.suffix(pairing, `${written}|${date}`),
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: league.season },
    home,
    away,
    ...parseStart(dayInSeason(date, league.season), match.time, ground?.zone ?? tournament.timezone),
    ...rounds,
    ...readState(score, match.status),
    ...(ground && { venue: ground.venue }),
    ...(incidents && { incidents }),
  };
}

/**
 * Returns the result that the file gives. A fixture that is not played yet has none, so another source's result is
 * kept.
 */
export function readState(score: OpenScore | undefined, status: unknown) {
  const special = typeof status === 'string' ? lookUp(STATUSES, status.toLowerCase()) : undefined;
  if (special?.status_detail === 'cancelled' || special?.status_detail === 'postponed') return special;
  if (score) return { ...score, ...(special && { status: special.status, status_detail: special.status_detail }) };
  return special?.status_detail === 'abandoned' ? special : {};
}

/**
 * Returns a team with its country. A name such as "Arsenal FC (ENG)" includes the country. Otherwise it is the league's
 * country.
 */
export function findTeam(
  written: string,
  tournament: Pick<KnownTournament, 'country'>,
): { name: string; country?: string } {
  const [, name, code] = /^(.*\S)\s*\(([A-Z]{3})\)$/u.exec(written) ?? [];
  if (name !== undefined && code !== undefined) {
    const country = nationTeam(code)?.country;
    return country ? { name, country } : { name: written };
  }
  if (tournament.country !== 'INT') return { name: written, country: tournament.country };
  return { name: written, country: nationTeam(written)?.country ?? 'INT' };
}

/**
 * Corrects a day's year. A season that spans two years begins in summer, so a spring day belongs to the second year.
 * Some files give it the first year (League One 2025/26).
 */
function dayInSeason(day: string, season: string): string {
  const year = season.slice(0, 4);
  const beforeSeason = season.includes('/') && day.startsWith(year) && day.slice(5, 7) < '06';
  return beforeSeason ? `${Number(year) + 1}${day.slice(4)}` : day;
}

const EUROPEAN_ZONES: Record<string, string> = { CET: 'Europe/Zurich', CEST: 'Europe/Zurich' };

/** Reads "19:00", "13:00 UTC-6", "20:45 CET" or an empty value. */
function parseStart(day: string, written: unknown, zone: string | undefined) {
  if (typeof written !== 'string' || written.trim() === '') return dateOnly(day);
  const [time, place] = written.trim().split(/\s+/u);
  const offset = /^UTC([+-]\d+(?:\.\d+)?)$/u.exec(place ?? '')?.[1];
  const inZone = lookUp(EUROPEAN_ZONES, place ?? '') ?? zone;
  const start =
    offset !== undefined ? offsetToUtc(day, time!, Number(offset)) : inZone && localToUtc(day, time!, inZone);
  return start ? { scheduled_start: start, time_tbd: false, start_time: written } : dateOnly(day);
}
