/** Our tournament list as feed updates, which are added to the updates from files and polled sources. */
import { type FeedUpdate, type FeedUpdateInput, feedUpdate } from '../wire/feed-update.ts';
import { findTournament, type KnownTournament } from './canonical-tournaments.ts';
import { identifyParticipant } from './entity-keys.ts';
import { LIST_PROVIDER } from './participant-names.ts';

export interface Item {
  position: string;
  update: FeedUpdate;
  /** True if the update comes from our tournament list. False if it comes from the file. */
  own?: boolean;
}

/**
 * Adds updates from our tournament list to the updates from files and polled sources. A tournament's update comes before its
 * first match or squad, because the tournament decides how two sources' matches are recognized as the same. That must not
 * depend on an earlier import of the list. A match whose result the organiser set is followed by an update with that result.
 */
export class KnownTournaments {
  #added = new Set<KnownTournament>();

  before(update: FeedUpdateInput): Item[] {
    const fresh = new Set(mentioned(update).filter((known) => !this.#added.has(known)));
    return [...fresh].map((known) => {
      this.#added.add(known);
      return own(known, toTournamentUpdate(known, update.observed_at));
    });
  }

  after(update: FeedUpdateInput): Item[] {
    const [known] = mentioned(update);
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
      // If the sides may meet twice at the same venue, the day distinguishes the matches.
      ...(known.single_home_fixture ? {} : { scheduled_start, time_tbd }),
      status_detail: 'awarded' as const,
      score: { home: scored, away: conceded },
      period_scores: [],
    };
    return [own(known, { ...update, provider: LIST_PROVIDER, match })];
  }
}

/** Returns the listed tournaments whose match or squads an update gives. */
function mentioned(update: FeedUpdateInput): KnownTournament[] {
  const find = (sport: string, { country, gender, name }: MentionedTournament) =>
    findTournament(sport, country, gender ?? 'men', name) ?? [];
  if (update.kind === 'match') return [find(update.match.sport, update.match.tournament)].flat();
  if (update.kind !== 'participant') return [];
  const { sport, squads = [] } = update.participant;
  return squads.flatMap(({ tournament }) => find(sport, tournament));
}

type MentionedTournament = Extract<FeedUpdateInput, { kind: 'match' }>['match']['tournament'];

const own = (known: KnownTournament, update: FeedUpdateInput): Item => ({
  position: `tournaments.yaml: ${known.name}`,
  update: feedUpdate.parse(update),
  own: true,
});

/** Returns a tournament's entry as an update. */
export function toTournamentUpdate(entry: KnownTournament, observedAt: string): FeedUpdateInput {
  const { sport, country, gender, name, name_ru, tier, importance, amateur, youth, timezone, single_home_fixture } =
    entry;
  const seasons = listSeasons(entry);
  return {
    schema: 1,
    provider: LIST_PROVIDER,
    observed_at: observedAt,
    kind: 'tournament',
    tournament: {
      sport,
      country,
      gender,
      name,
      ...(name_ru && { name_ru }),
      tier: tier ?? null,
      importance,
      amateur,
      youth,
      ...(timezone && { timezone }),
      single_home_fixture,
      ...(entry.rules && { rules: entry.rules }),
      ...(seasons.length > 0 && { seasons }),
    },
  };
}

type Decision = KnownTournament['adjustments'][string][string][number];

const toAdjustment = ({ points, position, reason, source, date }: Decision) => ({
  points,
  ...(position && { position }),
  reason: source === undefined ? reason : `${reason} (${source})`,
  ...(date && { decided_on: date }),
});

/** Returns the seasons that have rules of their own, or adjustments. */
function listSeasons(entry: KnownTournament) {
  const labels = new Set([...Object.keys(entry.season_rules), ...Object.keys(entry.adjustments)]);
  return [...labels].sort().map((label) => ({
    label,
    ...(entry.season_rules[label] && { rules: entry.season_rules[label] }),
    ...(entry.adjustments[label] && {
      points_adjustments: Object.entries(entry.adjustments[label]).flatMap(([name, decisions]) =>
        decisions.map((decision) => ({
          participant: { name, country: entry.country },
          ...toAdjustment(decision),
        })),
      ),
    }),
  }));
}
