/** Additions from our own list of tournaments to the updates of files. */
import { identifyParticipant } from '../identity/identity.ts';
import { findTournament, type KnownTournament } from '../identity/tournaments.ts';
import { type FeedUpdate, type FeedUpdateInput, feedUpdate } from '../wire/feed-update.ts';
import { LIST_PROVIDER, toTournamentUpdate } from './tournaments/tournaments.ts';

export interface Item {
  position: string;
  update: FeedUpdate;
  /** Not a record of the file: comes from our list of tournaments. */
  own?: boolean;
}

/**
 * Updates from our own list of tournaments, added to the files' updates. A tournament comes before its first match,
 * since matching the matches of two sources depends on it and must not depend on whether the list was imported before.
 * Matches whose result the organiser set follow.
 */
export class KnownTournaments {
  #added = new Set<KnownTournament>();

  before(update: FeedUpdateInput): Item[] {
    const known = this.#of(update);
    if (!known || this.#added.has(known)) return [];
    this.#added.add(known);
    return [own(known, toTournamentUpdate(known, update.observed_at))];
  }

  after(update: FeedUpdateInput): Item[] {
    const known = this.#of(update);
    if (update.kind !== 'match' || !known) return [];
    const { season, home, away, sport, scheduled_start, time_tbd } = update.match;
    const name = (side: typeof home) => identifyParticipant({ ...side, type: 'team', sport }).name;
    const found = known.awarded[season.label]?.find(([first, second]) => first === name(home) && second === name(away));
    if (!found) return [];
    const [first, second, scored, conceded] = found;
    const { country } = known;
    const match = {
      id: `awarded/${country}/${known.name}/${season.label}/${first}/${second}`,
      sport,
      tournament: { name: known.name, country, gender: known.gender },
      season,
      home: { name: first, country },
      away: { name: second, country },
      // The day distinguishes the matches of sides that may meet twice at one of them.
      ...(known.single_home_fixture ? {} : { scheduled_start, time_tbd }),
      status_detail: 'awarded' as const,
      score: { home: scored, away: conceded },
      period_scores: [],
    };
    return [own(known, { ...update, provider: LIST_PROVIDER, match })];
  }

  #of(update: FeedUpdateInput): KnownTournament | undefined {
    if (update.kind !== 'match') return undefined;
    const { sport, tournament } = update.match;
    return findTournament(sport, tournament.country, tournament.gender ?? 'men', tournament.name);
  }
}

const own = (known: KnownTournament, update: FeedUpdateInput): Item => ({
  position: `tournaments.yaml: ${known.name}`,
  update: feedUpdate.parse(update),
  own: true,
});
