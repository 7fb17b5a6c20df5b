/** Turns a Cricsheet file into a feed update. */
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import type { Innings } from '../../wire/innings.ts';
import { matchUpdate } from '../feed-updates.ts';
import { competition, findCountry, ground, homeTeam, PROVIDER } from './competition.ts';
import { findFault, playerStats, readIncidents, readStatistics } from './incidents.ts';
import { isReplayed } from './listed-matches.ts';
import type { FileInnings, MatchFile } from './match-file.ts';
import { InningsReader, type ReadInnings } from './scorecard.ts';

type Side = 'home' | 'away';

/**
 * @param id the file's name, which is the match's number at ESPNcricinfo
 * @param observedAt when the file was true
 * @returns the update, or why the match is refused
 */
export function readMatch(id: string, { info, innings }: MatchFile, observedAt: string): MatchUpdateInput | string {
  const [first, second] = info.teams as [string, string];
  if (first === second) return `${first} cannot play itself`;
  const missing = info.teams.find((team) => info.players[team] === undefined);
  if (missing !== undefined) return `there are no players of ${missing}`;
  const players = new Set(info.teams.flatMap((team) => info.players[team]!));
  const fault = findFault(innings, { teams: new Set(info.teams), players });
  if (fault !== undefined) return fault;
  const played = competition(info);
  const venue = ground(info, played.tournament.country);
  const home = homeTeam(info, venue, played.tournament.country);
  const [host, guest] = home === second ? [second, first] : [first, second];
  const findSide = (team: string): Side | undefined => (team === host ? 'home' : team === guest ? 'away' : undefined);
  const cards = readInnings(innings, info, (team) => findSide(team)!);
  const result = readResult(info, cards, findSide);
  if (typeof result === 'string') return result;
  const side = (team: string) => ({
    id: team,
    name: team,
    country: findCountry(team, info, played.tournament.country),
  });
  const { umpires = [] } = info.officials ?? {};
  return matchUpdate(
    PROVIDER,
    { observedAt },
    {
      id,
      sport: 'cricket',
      ...played,
      home: side(host),
      away: side(guest),
      scheduled_start: `${info.dates[0]}T00:00:00Z`,
      time_tbd: true,
      ...(venue && { venue }),
      ...(home !== undefined && { neutral: home === null }),
      ...(umpires.length > 0 && { referee: umpires.join(', ') }),
      ...(isReplayed(id) ? CALLED_OFF : result),
      ...readBlocks(info, cards, findSide),
    },
  );
}

/** A match that was called off and played again has no result. */
const CALLED_OFF: Result = {
  status: 'finished',
  status_detail: 'cancelled',
  score: null,
  period_scores: [],
  winner: null,
};

/** Returns the innings in the order of play, each with its code and limit. */
function readInnings(
  innings: readonly FileInnings[],
  info: MatchFile['info'],
  findSide: (team: string) => Side,
): ReadInnings[] {
  const count = { I: 0, SO: 0 };
  const last = innings.filter((one) => !one.super_over).at(-1)?.target;
  return innings.map((one) => {
    const kind = one.super_over ? 'SO' : 'I';
    const period = `${kind}${++count[kind]}`;
    return new InningsReader(one, info.balls_per_over).read(period, findSide(one.team), toLimit(one, info, last));
  });
}

/**
 * Returns how many overs an innings may have, and its target. If the second innings has fewer overs without a revised target, the
 * match was shortened before it began, so that the first innings had as few.
 */
function toLimit(
  { super_over, target }: FileInnings,
  { overs, outcome }: MatchFile['info'],
  last: FileInnings['target'],
): Pick<Innings, 'max_overs' | 'target'> {
  if (super_over) return { max_overs: '1', target: null };
  const shortened = outcome.method === undefined ? last?.overs : undefined;
  const limit = target?.overs ?? shortened ?? overs;
  const method = outcome.method !== undefined && target !== undefined ? outcome.method.slice(0, 20) : null;
  return {
    max_overs: limit === undefined ? null : String(limit),
    target:
      target?.runs === undefined
        ? null
        : { runs: target.runs, overs: target.overs === undefined ? null : String(target.overs), method },
  };
}

type Result = Pick<MatchInput, 'status' | 'status_detail' | 'score' | 'period_scores' | 'winner'>;

/** Returns status, score and innings, and the winner if the score does not show it; or why the match is refused. */
function readResult(
  { outcome }: MatchFile['info'],
  innings: readonly ReadInnings[],
  findSide: (team: string) => Side | undefined,
): Result | string {
  const score = { home: 0, away: 0 };
  for (const { card } of innings) if (!card.period.startsWith('SO')) score[card.batting] += card.runs;
  const named = outcome.winner ?? outcome.eliminator ?? outcome.bowl_out;
  const winner = named === undefined ? undefined : findSide(named);
  if (named !== undefined && winner === undefined) return `the winner ${JSON.stringify(named)} is not one of the teams`;
  const byScore = score.home > score.away ? 'home' : score.home < score.away ? 'away' : 'draw';
  const result = winner ?? 'draw';
  const isNothing = outcome.result === 'no result';
  if (!isNothing && winner === undefined && outcome.result === undefined) return 'there is no outcome';
  return {
    status: 'finished',
    status_detail: isNothing
      ? 'abandoned'
      : outcome.eliminator !== undefined
        ? 'after_extra_time'
        : outcome.bowl_out !== undefined
          ? 'after_penalties'
          : outcome.method === 'Awarded'
            ? 'awarded'
            : 'ended',
    score,
    period_scores: [...periodScores(innings), ...superOver(innings)],
    winner: isNothing || result === byScore ? null : result,
  };
}

type Periods = NonNullable<MatchInput['period_scores']>;

const periodScores = (innings: readonly ReadInnings[]): Periods =>
  innings
    .filter(({ card }) => !card.period.startsWith('SO'))
    .map(({ card: { period, batting, runs, wickets, overs, declared } }) => ({
      period,
      home: batting === 'home' ? runs : 0,
      away: batting === 'away' ? runs : 0,
      innings: { batting, wickets, overs, ...(declared && { declared }) },
    }));

/** Returns the runs in the last super over, which decided the match. */
function superOver(innings: readonly ReadInnings[]): Periods {
  const [first, second] = innings.filter(({ card }) => card.period.startsWith('SO')).slice(-2);
  if (first === undefined || second === undefined) return [];
  const runs = { [first.card.batting]: first.card.runs, [second.card.batting]: second.card.runs };
  return [{ period: 'SO', home: runs.home ?? 0, away: runs.away ?? 0 }];
}

function readBlocks(
  { teams, players, registry, player_of_match = [] }: MatchFile['info'],
  innings: readonly ReadInnings[],
  findSide: (team: string) => Side | undefined,
): Partial<MatchInput> {
  const people = registry?.people ?? {};
  const findPlayer = (name: string) => ({ ...(people[name] && { id: people[name] }), name });
  const listed = teams
    .flatMap((team) => players[team]!.map((name) => ({ side: findSide(team)!, name })))
    .sort((a, b) => (a.side === b.side ? 0 : a.side === 'home' ? -1 : 1));
  const cameIn = new Set(
    innings.flatMap(({ balls }) =>
      balls.flatMap(({ delivery }) => (delivery.replacements?.match ?? []).map((one) => one.in)),
    ),
  );
  const best = player_of_match.flatMap((name) => {
    const found = listed.find((one) => one.name === name);
    return found === undefined ? [] : [{ side: found.side, rating: null, player_name: name, position: null }];
  });
  const incidents = readIncidents(innings, findPlayer, findSide);
  return {
    lineups: listed.map(({ side, name }) => ({ side, player: findPlayer(name), is_substitute: cameIn.has(name) })),
    lineup_confirmed: true,
    ...(best.length > 0 && { best_players: best }),
    ...(innings.length > 0 && {
      innings: innings.map(({ card }) => card),
      incidents,
      statistics: readStatistics(innings),
      player_stats: playerStats(innings, listed, findPlayer),
    }),
  };
}
