/**
 * Applies corrections by hand to a stored match, and withdraws them. The match is written and events are sent, just as for an
 * update.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../db/postgres.ts';
import type { Fault } from '../../wire/fault.ts';
import type { Incident } from '../../wire/match.ts';
import { scoreFaults } from '../../wire/score-faults.ts';
import { wireTime } from '../../wire/time.ts';
import { editedIncidents } from '../merge/incidents.ts';
import { type BlockChanges, noBlockChanges, scorerMentions } from '../merge/match-blocks.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { correctionEvents } from '../merge/match-events.ts';
import { changedPlayers, type LineupPlayer, listPlayers } from '../merge/players.ts';
import { withWinProbabilities } from '../merge/win-probability.ts';
import { playerSide } from '../resolve/given-players.ts';
import { isAwaitingData } from '../stored/awaiting-data.ts';
import { loadBlocks, parseList, type StoredBlocks } from '../stored/blocks.ts';
import {
  cover,
  playersBelow,
  readCovered,
  uncorrected,
  withCorrection,
  withPlayers,
} from '../stored/correction-overlay.ts';
import { type FieldGroup, type MatchState, statusFaults } from '../stored/match-state.ts';
import { type Correction, shownProviders } from '../stored/provenance.ts';
import { type StoredMatch, toState } from '../stored/stored-match.ts';
import { commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

export interface CorrectedMatch {
  before: MatchState;
  after: MatchState;
  /** The match's id if clients see a difference, otherwise empty. */
  changed: number[];
}

/**
 * Applies a correction to a locked match, within the caller's transaction.
 * @param correction all corrections that stand from now on, combined
 * @param given the fields that are corrected now, to check the result; null for a withdrawal, which is not checked
 * @param now ms
 * @returns faults if nothing is written
 */
export async function applyCorrection(
  client: Queryable,
  match: StoredMatch,
  correction: Correction,
  given: FieldGroup | null,
  now: number,
): Promise<CorrectedMatch | { faults: Fault[] }> {
  const before = toState(match);
  const { state, below } = cover(toState(uncorrected(match)), before, correction);
  const faults = given === null ? [] : correctionFaults(before, state, given);
  if (faults.length > 0) return { faults };
  const stored = (await loadBlocks(client, [match.id], ['incidents', 'lineups'])).get(match.id) ?? new Map();
  const former = readCovered(match.provenance);
  const incidents = parseList<Incident>(stored.get('incidents'));
  const incidentsBelow = withPlayers(incidents, former?.playersBelow ?? {});
  const covered = { ...correction, below, playersBelow: playersBelow(incidentsBelow, correction) };
  const provenance = withCorrection(match.provenance, covered, now);
  const blocks = correctedBlocks(match, stored, withPlayers(incidentsBelow, correction.players));
  const isSame = isDeepStrictEqual(withoutMarks(before), withoutMarks(state));
  if (!isSame) state.finalized = false;
  state.awaiting_data = match.awaiting_data && isAwaitingData(state, provenance, now);
  const fields = {
    ...state,
    provenance,
    ...(state.status !== match.status && { status_changed_at: wireTime(now) }),
  };
  const events = correctionEvents({ before, after: state, incidents: blocks.incidents, blocks: blocks.changed });
  const isShown =
    !isDeepStrictEqual(before, state) ||
    blocks.incidents !== null ||
    shownProviders(match.provenance) !== shownProviders(provenance);
  const change = storedMatchChange(match, fields, { blocks, events });
  const changes = await withWinProbabilities(client, [isShown ? change : { ...change, effect: 'hidden' as const }]);
  return { before, after: state, changed: shownMatches(await commitMatchChanges(client, changes, now)) };
}

/** Returns a state without `finalized` and `awaiting_data`, which follow from the rest of the state and from the time. */
const withoutMarks = ({ finalized: _f, awaiting_data: _a, ...state }: MatchState) => state;

function correctionFaults(before: MatchState, after: MatchState, given: FieldGroup): Fault[] {
  const { sport, status, status_detail, home_score, away_score, period_scores } = after;
  const score = home_score === null ? null : { home: home_score, away: away_score! };
  const concernsScore = ['home_score', 'period_scores', 'status', 'status_detail'].some((field) => field in given);
  const faults = statusFaults(before, after, given, given.status);
  if (given.home_score !== undefined && home_score !== given.home_score && faults.length === 0) {
    const detail =
      status_detail === 'cancelled' ? 'a cancelled match has no score' : 'a match has no score before its start';
    faults.push({ path: 'match.score', code: 'not_started', detail });
  }
  if (!concernsScore) return faults;
  return [...faults, ...scoreFaults({ match: { sport, score, period_scores, status, status_detail } })];
}

/** Returns the block changes that replace the stored incidents with `after`. */
function correctedBlocks({ sport, incident_seq }: StoredMatch, stored: StoredBlocks, after: Incident[]): BlockChanges {
  const blocks = noBlockChanges();
  const row = stored.get('incidents');
  const before = parseList<Incident>(row);
  const edited = editedIncidents(before, after);
  if (row === undefined || edited.length === 0) return blocks;
  const lineups = parseList<LineupPlayer>(stored.get('lineups'));
  blocks.changed.add('incidents');
  blocks.incidents = {
    incidents: after,
    source: row.source ?? {},
    added: [],
    edited,
    removed: [],
    lastId: incident_seq,
  };
  blocks.relinked = [{ block: 'incidents', json: JSON.stringify(after) }];
  blocks.players = changedPlayers(listPlayers(before, lineups, sport), listPlayers(after, lineups, sport));
  return { ...blocks, ...mentionChanges(before, after) };
}

/** Returns the player names without an id that the incidents have now, and those that they have lost. */
function mentionChanges(
  before: readonly Incident[],
  after: readonly Incident[],
): Pick<BlockChanges, 'mentions' | 'removedMentions'> {
  const keyFor = ({ side, name }: { side: string; name: string }) => `${side}|${name}`;
  const namesIn = (incidents: readonly Incident[]) =>
    new Set(incidents.flatMap((one) => [`${playerSide(one)}|${one.player_name}`, `${one.side}|${one.assist_name}`]));
  const [known, shown] = [namesIn(before), namesIn(after)];
  const named = scorerMentions(after.filter(({ player_participant_id }) => player_participant_id === null));
  return {
    mentions: named.filter((one) => !known.has(keyFor(one))),
    removedMentions: scorerMentions(before).filter((one) => !shown.has(keyFor(one))),
  };
}
