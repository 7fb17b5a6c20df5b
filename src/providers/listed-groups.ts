/** Groups listed in data/tournaments.yaml, for files that say "group stage" without the group. */
import { foldName } from '../db/fold-name.ts';
import type { KnownTournament } from '../identity/canonical-tournaments.ts';
import { identifyParticipant } from '../identity/entity-keys.ts';
import { teamKey } from '../identity/merges.ts';

interface Side {
  name: string;
  country?: string;
}

/**
 * Finds the groups for one file. Remembers the teams that were asked for, so that listed teams without a match can be
 * reported.
 */
export class ListedGroups {
  /** Team keys by tournament and season. */
  #seen = new Map<KnownTournament, Map<string, Map<string, string>>>();

  /**
   * Returns the group. Null if the round is not part of a group stage, or if the two teams are not listed in one group.
   */
  groupOf(tournament: KnownTournament, season: string, round: string, home: Side, away: Side): string | null {
    const listed = tournament.groups[season];
    if (!listed || !/^group/iu.test(round)) return null;
    const group = this.#group(tournament, season, listed, home);
    return group !== undefined && group === this.#group(tournament, season, listed, away) ? `Group ${group}` : null;
  }

  #group(tournament: KnownTournament, season: string, listed: Record<string, string[]>, side: Side) {
    const { key } = identifyParticipant({ type: 'team', sport: 'football', ...side });
    const seasons = this.#seen.get(tournament) ?? new Map<string, Map<string, string>>();
    this.#seen.set(tournament, seasons);
    const playing = seasons.get(season) ?? new Map<string, string>();
    seasons.set(season, playing.set(key, side.name));
    return Object.entries(listed).find(([, teams]) => teams.some((name) => teamKey(foldName(name)) === key))?.[0];
  }

  /**
   * Yields a fault for each unlisted team with matches, and for a listed team that is the only one in its group without
   * a match. Such faults mean that the list is for the wrong season. If several teams in a group have no match, the
   * file may simply end before that group begins.
   */
  *faults(): Generator<{ kind: 'fault'; position: string; detail: string }> {
    for (const [tournament, seasons] of this.#seen) {
      for (const [season, playing] of seasons) {
        const position = `tournaments.yaml: ${tournament.name} ${season}`;
        const groups = Object.entries(tournament.groups[season] ?? {});
        for (const [group, teams] of groups) {
          const absent = teams.filter((name) => !playing.has(teamKey(foldName(name))));
          if (absent.length !== 1) continue;
          const detail = `group ${group}: ${absent[0]} has no match in the groups of this season`;
          yield { kind: 'fault', position, detail };
        }
        const listed = new Set(groups.flatMap(([, teams]) => teams.map((name) => teamKey(foldName(name)))));
        for (const [key, name] of playing)
          if (!listed.has(key)) yield { kind: 'fault', position, detail: `${name} is in none of the groups` };
      }
    }
  }
}
