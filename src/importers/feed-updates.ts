/** Creates feed updates from a file's content, with the envelope that all updates share. */
import type { FeedUpdateInput } from '../wire/feed-update.ts';

type Update<Kind extends FeedUpdateInput['kind']> = Extract<FeedUpdateInput, { kind: Kind }>;
/** A file or a part of one. The content is assumed to be true at `observedAt`. */
interface Observed {
  observedAt: string;
}

const envelope = (provider: string, { observedAt }: Observed) =>
  ({ schema: 1, provider, observed_at: observedAt }) as const;

export const matchUpdate = (provider: string, from: Observed, match: Update<'match'>['match']): Update<'match'> => ({
  ...envelope(provider, from),
  kind: 'match',
  match,
});

export const participantUpdate = (
  provider: string,
  from: Observed,
  participant: Update<'participant'>['participant'],
): Update<'participant'> => ({ ...envelope(provider, from), kind: 'participant', participant });

export const tournamentUpdate = (
  provider: string,
  from: Observed,
  tournament: Update<'tournament'>['tournament'],
): Update<'tournament'> => ({ ...envelope(provider, from), kind: 'tournament', tournament });

export const venueUpdate = (provider: string, from: Observed, venue: Update<'venue'>['venue']): Update<'venue'> => ({
  ...envelope(provider, from),
  kind: 'venue',
  venue,
});
