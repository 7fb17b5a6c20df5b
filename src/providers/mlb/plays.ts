/** Reads runs, substitutions and ends of innings from a game's plays, and innings from the line score. Pure. */
import type { IncidentInput, MatchInput } from '../../wire/feed-update.ts';
import { lookUp } from '../reader.ts';
import type { Score, Side } from '../side.ts';
import type { LineScore, Play } from './replies.ts';

/**
 * Returns the innings that have begun. A half that was not played has no `runs`, which differs from 0 runs. An inning
 * without a played half is left out.
 */
export const inningScores = ({ innings }: LineScore): NonNullable<MatchInput['period_scores']> =>
  [...innings]
    .sort((a, b) => a.num - b.num)
    .filter(({ home, away }) => typeof home?.runs === 'number' || typeof away?.runs === 'number')
    .map(({ num, home, away }) => ({ period: `I${num}`, home: home?.runs ?? 0, away: away?.runs ?? 0 }));

const SUBSTITUTIONS: Record<string, 'batting' | 'fielding'> = {
  pitching_substitution: 'fielding',
  defensive_substitution: 'fielding',
  offensive_substitution: 'batting',
};
/**
 * Matches substitutions: "Pitching Change: Ann Able replaces Bea Bold, batting 9th.", "Offensive Substitution:
 * Pinch-hitter Ann Able replaces Bea Bold."
 */
const REPLACES =
  /^[^:]+: (?:[Pp]inch-(?:hitter|runner) )?(.+?) replaces (?:[a-z ]+ )?(\S.*?)(?:, (?:batting|playing)\b.*)?\.?$/u;

/** One side's runs in a play. */
interface Runs {
  side: Side;
  points: number;
}

/** Counts both sides' runs from the running score after each play. */
class Running {
  readonly score: Score = { home: 0, away: 0 };
  /** True if the running score has fallen somewhere. In that case nothing shows which run is wrong. */
  isWrong = false;

  /** @returns each side's runs since the last call */
  advance({ homeScore, awayScore }: { homeScore?: number | null | undefined; awayScore?: number | null | undefined }) {
    const made: Runs[] = [];
    for (const [side, score] of [
      ['home', homeScore],
      ['away', awayScore],
    ] as const) {
      if (typeof score !== 'number' || score === this.score[side]) continue;
      if (score < this.score[side]) this.isWrong = true;
      else made.push({ side, points: score - this.score[side] });
      this.score[side] = score;
    }
    return made;
  }
}

export interface Incidents {
  incidents: IncidentInput[];
  /** Both sides' runs according to the plays. */
  score: Score;
  /** True if the plays contradict themselves. */
  isWrong: boolean;
}

/**
 * Returns runs (each with the score after it), substitutions and ends of innings, in game order. The last play may
 * still be under way. Its events so far are included.
 * @param isOver whether the last inning has ended
 */
export function readIncidents(plays: readonly Play[], isOver: boolean): Incidents {
  const running = new Running();
  const incidents: IncidentInput[] = [];
  const inOrder = [...plays].sort((a, b) => a.about.atBatIndex - b.about.atBatIndex);
  const endInning = (number: number) =>
    incidents.push({
      id: `end-${number}`,
      minute: null,
      period: `I${number}`,
      kind: 'period_end',
      side: null,
      payload: { score: { ...running.score } },
    });
  for (const [index, play] of inOrder.entries()) {
    const before = inOrder[index - 1]?.about.inning ?? play.about.inning;
    if (play.about.inning > before) endInning(before);
    incidents.push(...actions(play, running), ...outcome(play, running));
  }
  const last = inOrder.at(-1);
  if (isOver && last) endInning(last.about.inning);
  return { incidents, score: { ...running.score }, isWrong: running.isWrong };
}

/** @param type kind of play @param score after the play */
const toPoint = (id: string, { about }: Play, { side, points }: Runs, type: string, score: Score): IncidentInput => ({
  id,
  minute: null,
  period: `I${about.inning}`,
  kind: 'point',
  side,
  payload: { points, point_type: type, score: { ...score } },
});

/**
 * Reads the events during a batter's turn: substitutions, and whatever brings in a run, such as steals and wild
 * pitches.
 */
function actions(play: Play, running: Running): IncidentInput[] {
  const { about, playEvents } = play;
  return playEvents.flatMap(({ index, type, details, player }): IncidentInput[] => {
    if (type !== 'action' || !details) return [];
    const id = `${about.atBatIndex}.${index}`;
    const kind = details.eventType ?? 'other';
    const role = lookUp(SUBSTITUTIONS, kind);
    if (role === undefined) return running.advance(details).map((runs) => toPoint(id, play, runs, kind, running.score));
    const [, comes, leaves] = REPLACES.exec(details.description ?? '') ?? [];
    if (comes === undefined) return [];
    const batting: Side = about.halfInning === 'top' ? 'away' : 'home';
    const side = (role === 'batting') === (batting === 'home') ? 'home' : 'away';
    const named = { ...(player && { id: String(player.id) }), name: comes };
    const payload = { player_in: comes, player_out: leaves };
    return [{ id, minute: null, period: `I${about.inning}`, kind: 'subst', side, player: named, payload }];
  });
}

function outcome(play: Play, running: Running): IncidentInput[] {
  const { about, result, matchup } = play;
  if (!about.isComplete) return [];
  const batter = matchup?.batter;
  return running.advance(result).map((runs) => ({
    ...toPoint(String(about.atBatIndex), play, runs, result.eventType ?? 'other', running.score),
    ...(batter && { player: { id: String(batter.id), name: batter.fullName } }),
  }));
}

type Commentary = NonNullable<MatchInput['commentary']>;

/** Returns a line for each completed turn at bat. Lines for events during the turn, such as steals, come before it. */
export function readCommentary(plays: readonly Play[]): Commentary {
  const inOrder = [...plays].sort((a, b) => a.about.atBatIndex - b.about.atBatIndex);
  return inOrder.flatMap(({ about, result, matchup, playEvents }): Commentary => {
    const side: Side = about.halfInning === 'top' ? 'away' : 'home';
    const toLine = (text: string | null | undefined, type: string | null | undefined, player: string | null) =>
      text ? [{ minute: null, text, text_en: text, type: type ?? null, side, player_name: player }] : [];
    return [
      ...playEvents.flatMap(({ type, details }) =>
        type === 'action' ? toLine(details?.description, details?.eventType, null) : [],
      ),
      ...(about.isComplete ? toLine(result.description, result.eventType, matchup?.batter?.fullName ?? null) : []),
    ];
  });
}
