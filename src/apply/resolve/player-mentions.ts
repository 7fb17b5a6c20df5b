/**
 * Mentions are player names without birth date and id. They are stored for each match, so that they can be linked to a
 * participant later, more than once if necessary.
 */
import { prepared, type Queryable } from '../../db/postgres.ts';
import { isIdentified } from '../../identity/entity-keys.ts';
import type { PlayerRef, ResolvedRefs } from '../../identity/index.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { type NamedPlayer, namedPlayers, type PlayerSide } from './given-players.ts';

const INSERT_MENTIONS = prepared(
  'insert mentions',
  `INSERT INTO player_mention (match_id, block, side, name, goals, played, participant_id)
   SELECT match_id, block, side, name, goals, played, participant_id FROM json_populate_recordset(NULL::player_mention, $1)`,
);

/** Stores the mentions in blocks. The former mentions were deleted with the blocks. */
export async function storeMentions(
  client: Queryable,
  mentions: readonly (NamedPlayer & { match_id: number })[],
): Promise<void> {
  if (mentions.length > 0) await client.query(INSERT_MENTIONS([JSON.stringify(mentions)]));
}

/** Deletes the mentions of a coach's name. */
export async function deleteMentions(
  client: Queryable,
  mentions: readonly (Pick<NamedPlayer, 'block' | 'side' | 'name'> & { match_id: number })[],
): Promise<void> {
  if (mentions.length === 0) return;
  await client.query(
    `DELETE FROM player_mention p USING json_to_recordset($1) AS r (match_id bigint, block text, side text, name text)
     WHERE p.match_id = r.match_id AND p.block = r.block AND p.side = r.side AND p.name = r.name`,
    [JSON.stringify(mentions)],
  );
}

const LINKS_OF_MATCHES = prepared(
  'links of matches',
  `SELECT DISTINCT ON (match_id, side, name) match_id, side, name, participant_id FROM player_mention
   WHERE match_id = ANY ($1) AND participant_id IS NOT NULL ORDER BY match_id, side, name, block`,
);

/** Within a team, a name means the same player if the matches are at most this many days apart. */
const SAME_PLAYER_DAYS = 400;
const LINKS_OF_TEAMS = prepared(
  'links of teams',
  `SELECT DISTINCT ON (w.position, w.side, w.name) w.position, w.side, w.name, r.participant_id
   FROM json_to_recordset($1) AS w (position int, side text, name text, team_id bigint)
   JOIN player_mention r ON r.name = w.name AND r.participant_id IS NOT NULL
   JOIN match m ON m.id = r.match_id AND w.team_id = CASE r.side WHEN 'home' THEN m.home_id ELSE m.away_id END
   WHERE m.scheduled_start > to_timestamp($2) - make_interval(days => ${SAME_PLAYER_DAYS})
   ORDER BY w.position, w.side, w.name, m.scheduled_start DESC, m.id DESC`,
);

/** An update with the stored data about its match. */
interface Named {
  readonly update: MatchUpdate;
  readonly refs: Pick<ResolvedRefs, 'home_id' | 'away_id'>;
  readonly before: Pick<StoredMatch, 'id'> | null;
}

/** Returns our id for a player who is given only by name. */
export type Links = (ref: PlayerRef, side: PlayerSide) => number | null;

const noLinks: Links = () => null;

/**
 * Links names without an id to participants. A name gets the link that it has in the stored match or, for live updates, in
 * the team's recent matches. A later run links all names and makes the final decision.
 * @returns each update's links
 */
export async function linkNames(
  client: Queryable,
  updates: readonly Named[],
  { events, now }: Pick<MatchApplyOptions, 'events' | 'now'>,
): Promise<Links[]> {
  const named = updates.map(({ update, refs, before }) => ({
    refs,
    before,
    players: namedPlayers(update, noLinks),
    links: new Map<string, number>(),
  }));
  const stored = new Map(
    named.flatMap((one) =>
      one.before === null || one.players.length === 0 ? [] : [[one.before.id, one.links] as const],
    ),
  );
  if (stored.size > 0) {
    const { rows } = await client.query<LinkRow & { match_id: number }>(LINKS_OF_MATCHES([[...stored.keys()]]));
    for (const row of rows) stored.get(row.match_id)?.set(keyOf(row), row.participant_id);
  }
  const unlinked = events
    ? named.flatMap(({ refs, players, links }, position) =>
        players
          .filter((one) => !links.has(keyOf(one)))
          .map(({ side, name }) => ({ position, side, name, team_id: refs[`${side}_id`] })),
      )
    : [];
  if (unlinked.length > 0) {
    const { rows } = await client.query<LinkRow & { position: number }>(
      LINKS_OF_TEAMS([JSON.stringify(unlinked), now / 1000]),
    );
    for (const row of rows) named[row.position]?.links.set(keyOf(row), row.participant_id);
  }
  return named.map(
    ({ links }): Links =>
      links.size === 0
        ? noLinks
        : (ref, side) => (isIdentified(ref) ? null : (links.get(keyOf({ side, name: ref.name })) ?? null)),
  );
}

interface LinkRow {
  side: 'home' | 'away';
  name: string;
  participant_id: number;
}

const keyOf = ({ side, name }: { side: 'home' | 'away' | null; name: string }) => `${side}|${name}`;
