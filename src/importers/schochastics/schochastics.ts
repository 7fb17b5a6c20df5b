/**
 * schochastics/football-data: goals, cards and substitutions in five leagues (JSON, a file per league and season named
 * like "england_premier-league-2022-2023"), and formations with line-ups in two Premier League seasons (CSV pairs). It
 * has these traps. A penalty is scored only if its entry has a score. Team names are slugs made from German names.
 * Bundesliga and Ligue 1 files end with the relegation play-off against a second-division club.
 */
import { type KnownTournament, tournamentBySource, tournamentNamed } from '../../identity/canonical-tournaments.ts';
import { countGoals, dateOnly, isDay, isRecord, isSameScore } from '../../providers/index.ts';
import { periodAt } from '../../providers/openfootball/index.ts';
import type { IncidentInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import { type InputFile, textDamage } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { readMatchList } from '../json.ts';
import { readFormations, SCHOCHASTICS } from './formations.ts';

export const schochastics = fileImporter({
  format: 'schochastics',
  provider: SCHOCHASTICS,
  description: 'schochastics/football-data: incidents (JSON) and Premier League formations (CSV)',
  expected: 'files like england_premier-league-2022-2023.json',
  accepts: ({ name }) =>
    /^(?:[a-z]+_[a-z0-9-]+-\d{4}-\d{4}\.json|(?:formations|lineups)_\d{4}_premier_league\.csv)$/u.test(name),
  async *readFiles(files) {
    for (const file of files) if (file.name.endsWith('.json')) yield* readIncidentFile(file);
    yield* readFormations(files);
  },
});

interface RawIncident {
  team?: string;
  minute?: string;
  incident_type?: string;
  player_name?: string;
  assist_player_name?: string;
  player_in?: string;
  player_out?: string;
  card_reason?: string;
  home_score?: string;
  away_score?: string;
}
interface RawMatch {
  home: string;
  away: string;
  GH: number;
  GA: number;
  date: string;
  incident?: { incidents?: RawIncident[] };
}

/** A club with fewer matches than this in a season's file does not belong to the league. */
const FEWEST_LEAGUE_MATCHES = 10;

async function* readIncidentFile(file: InputFile): AsyncGenerator<ImportItem> {
  const [, code = '', first, second] = /^(.*)-(\d{4})-(\d{4})\.json$/u.exec(file.name) ?? [];
  const league = tournamentBySource(SCHOCHASTICS, code);
  const list = await readMatchList(file);
  if (list.fault) {
    yield list.fault;
    return;
  }
  const matches = list.value;
  const season = `${first}/${second?.slice(2)}`;
  const members = collectMembers(matches);
  const met = new Set<string>();
  const readOne = (match: unknown) => {
    if (!league) return `the league ${code} is not known; add it to tournaments.yaml`;
    if (!isMatch(match)) return 'home, away, date or score is missing';
    return textDamage(JSON.stringify(match)) ?? readMatch(match, { league, season, members, met, file });
  };
  for (const [index, match] of inOrder(matches)) {
    yield toItem(`${file.path}#${index + 1}`, readOne(match));
  }
}

const isMatch = (value: unknown): value is RawMatch =>
  isRecord(value) &&
  typeof value.home === 'string' &&
  typeof value.away === 'string' &&
  typeof value.date === 'string' &&
  isDay(value.date) &&
  Number.isInteger(value.GH) &&
  Number.isInteger(value.GA);

/** Sorts matches by date. If two teams meet twice at a venue, the second meeting is the later match. */
function inOrder(matches: readonly unknown[]): [number, unknown][] {
  const day = (match: unknown) => (isRecord(match) && typeof match.date === 'string' ? match.date : '');
  return [...matches.entries()].sort(([, a], [, b]) => (day(a) < day(b) ? -1 : day(a) > day(b) ? 1 : 0));
}

function collectMembers(matches: readonly unknown[]): Set<string> {
  const played = new Map<string, number>();
  for (const match of matches) {
    if (!isMatch(match)) continue;
    for (const club of [match.home, match.away]) played.set(club, (played.get(club) ?? 0) + 1);
  }
  return new Set([...played].filter(([, number]) => number >= FEWEST_LEAGUE_MATCHES).map(([club]) => club));
}

interface Context {
  league: KnownTournament;
  season: string;
  members: Set<string>;
  /** Pairs of sides that have already met. */
  met: Set<string>;
  file: InputFile;
}

function readMatch(match: RawMatch, { league, season, members, met, file }: Context): MatchUpdateInput {
  const pairing = `${match.home}/${match.away}`;
  const outsider = members.size > 0 && !(members.has(match.home) && members.has(match.away));
  const playOff = outsider ? league.outsiders : met.has(pairing) ? league.repeated : undefined;
  met.add(pairing);
  const tournament = playOff ? tournamentNamed(playOff, league) : league;
  const incidents = (match.incident?.incidents ?? []).map(readIncident).filter((incident) => incident !== undefined);
  const score = { home: match.GH, away: match.GA };
  const agrees = isSameScore(countGoals(incidents), score);
  return matchUpdate(SCHOCHASTICS, file, {
    id: `${file.name.replace(/\.json$/u, '')}/${pairing}${playOff ? '/play-off' : ''}`,
    sport: 'football',
    tournament: { name: tournament.name, country: tournament.country, gender: tournament.gender },
    season: { label: season },
    home: { name: clubName(match.home), country: tournament.country },
    away: { name: clubName(match.away), country: tournament.country },
    ...dateOnly(match.date),
    status: 'finished',
    status_detail: 'ended',
    score,
    // A goal list that contradicts the result is left out.
    ...(agrees && incidents.length > 0 && { incidents }),
  });
}

/** "1-fc-heidenheim-1846" -> "1 FC Heidenheim 1846". Short parts in the slug are abbreviations. */
const clubName = (slug: string) =>
  slug
    .split('-')
    .map((word) => (word.length <= 3 ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');

function readIncident(raw: RawIncident): IncidentInput | undefined {
  const minutes = /^(\d+)(?:\+(\d+))?'?$/u.exec(raw.minute ?? '');
  if (raw.team !== 'home' && raw.team !== 'away') return undefined;
  const minute = minutes ? Number(minutes[1]) : null;
  const base: Pick<IncidentInput, 'minute' | 'minute_plus' | 'period' | 'side' | 'player'> = {
    minute,
    minute_plus: minutes?.[2] ? Number(minutes[2]) : null,
    period: minute === null ? null : periodAt(minute),
    side: raw.team,
    ...(raw.player_name && { player: { name: raw.player_name } }),
  };
  const score =
    raw.home_score !== undefined && raw.away_score !== undefined
      ? { home: Number(raw.home_score), away: Number(raw.away_score) }
      : undefined;
  const reasonGiven = raw.card_reason ? { reason: raw.card_reason } : {};
  switch (raw.incident_type) {
    case 'Goal':
    case 'Own goal': {
      const goal_type = raw.incident_type === 'Goal' ? 'regular' : 'own_goal';
      return {
        ...base,
        kind: 'goal',
        ...(raw.assist_player_name && { assist: { name: raw.assist_player_name } }),
        payload: { goal_type, ...(score && { score }) },
      };
    }
    case 'Penalty Awarded':
      return score
        ? { ...base, kind: 'goal', payload: { goal_type: 'penalty', score } }
        : { ...base, kind: 'penalty', payload: { outcome: 'missed' } };
    case 'Yellow Card':
      return { ...base, kind: 'card', payload: { card_type: 'yellow', ...reasonGiven } };
    case 'Red Card':
      return { ...base, kind: 'card', payload: { card_type: 'red', ...reasonGiven } };
    case 'Substitution':
      return {
        ...base,
        kind: 'subst',
        ...(raw.player_in && { player: { name: raw.player_in } }),
        payload: { player_in: raw.player_in ?? null, player_out: raw.player_out ?? null },
      };
    case 'Goal Disallowed':
      return { ...base, kind: 'var', payload: { decision: 'goal_disallowed', confirmed: true, ...reasonGiven } };
    default:
      return { ...base, kind: 'other', payload: { raw_kind: raw.incident_type ?? 'unknown' } };
  }
}
