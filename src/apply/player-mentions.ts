/** Names of players without birth date and id: kept per match, so that they can be linked to a participant, and linked anew. */
import { prepared, type Queryable } from '../db/postgres.ts';
import { isIdentified } from '../identity/identity.ts';
import type { MatchApplyOptions, Prepared } from './match-plan.ts';
import { type NamedPlayer, namedPlayers } from './named-players.ts';
import type { StoredMatch } from './store.ts';
import type { PlayerId } from './wire-blocks.ts';

const INSERT_MENTIONS = prepared(
  'insert mentions',
  `INSERT INTO player_mention (match_id, block, side, name, goals, played, participant_id)
   SELECT match_id, block, side, name, goals, played, participant_id FROM json_populate_recordset(NULL::player_mention, $1)`,
);

/** The former ones have gone with their blocks. */
export async function storeMentions(
  client: Queryable,
  mentions: readonly (NamedPlayer & { match_id: number })[],
): Promise<void> {
  if (mentions.length > 0) await client.query(INSERT_MENTIONS([JSON.stringify(mentions)]));
}

const LINKS_OF_MATCHES = prepared(
  'links of matches',
  `SELECT DISTINCT ON (match_id, side, name) match_id, side, name, participant_id FROM player_mention
   WHERE match_id = ANY ($1) AND participant_id IS NOT NULL ORDER BY match_id, side, name, block`,
);

/** A name is taken for the player whom it meant for the same team within so many days. */
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

/**
 * The updates, with the participants to whom names without an id are linked: those of the stored match, and in live updates those
 * whom the names meant in recent matches of the team. Which participant a name means is settled later, when all names are linked.
 */
export async function withLinkedPlayers(
  client: Queryable,
  prepared: readonly Prepared[],
  stored: ReadonlyMap<number, StoredMatch>,
  { events, now }: MatchApplyOptions,
): Promise<readonly Prepared[]> {
  const named = prepared.map(({ update }) => namedPlayers(update, () => null));
  if (named.every((list) => list.length === 0)) return prepared;
  const links = prepared.map(() => new Map<string, number>());
  const positionsById = new Map([...stored].map(([position, { id }]) => [id, position]));
  const ids = [...stored].flatMap(([position, { id }]) => (named[position]!.length > 0 ? [id] : []));
  if (ids.length > 0) {
    const { rows } = await client.query<LinkRow & { match_id: number }>(LINKS_OF_MATCHES([ids]));
    for (const row of rows) links[positionsById.get(row.match_id)!]!.set(keyOf(row), row.participant_id);
  }
  if (events) {
    const wanted = named.flatMap((list, position) =>
      list
        .filter((one) => !links[position]!.has(keyOf(one)))
        .map(({ side, name }) => ({ position, side, name, team_id: prepared[position]!.refs[`${side}_id`] })),
    );
    if (wanted.length > 0) {
      const { rows } = await client.query<LinkRow & { position: number }>(
        LINKS_OF_TEAMS([JSON.stringify(wanted), now / 1000]),
      );
      for (const row of rows) links[row.position]!.set(keyOf(row), row.participant_id);
    }
  }
  return prepared.map((entry, position) => {
    const of = links[position]!;
    if (of.size === 0) return entry;
    const playerId: PlayerId = (ref, side) =>
      entry.playerId(ref, side) ?? (isIdentified(ref) ? null : (of.get(keyOf({ side, name: ref.name })) ?? null));
    return { ...entry, playerId };
  });
}

interface LinkRow {
  side: 'home' | 'away';
  name: string;
  participant_id: number;
}

const keyOf = ({ side, name }: { side: 'home' | 'away' | null; name: string }) => `${side}|${name}`;
