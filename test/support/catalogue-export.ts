/**
 * Writes the whole catalogue as sorted lines, with entities' names instead of our ids. Equal catalogues give equal
 * lines.
 */
import type pg from 'pg';
import { cardSql } from '../../src/matches/card-sql.ts';

export async function exportCatalogue(pool: pg.Pool): Promise<string[]> {
  const lines = async (sql: string) => (await pool.query<{ line: string }>(sql)).rows.map((row) => row.line);
  const names = new Map<string, string>();
  const { rows } = await pool.query<{ entity: string; id: number; name: string }>(
    `SELECT 'participant' AS entity, id, type || ' ' || sport || ' ' || gender || ' ' || key AS name FROM participant
     UNION ALL SELECT 'venue', id, name || ' ' || coalesce(city, '') FROM venue
     UNION ALL SELECT 'tournament', id, sport || ' ' || country || ' ' || gender || ' ' || key FROM tournament
     UNION ALL SELECT 'season', s.id, t.key || ' ' || t.country || ' ' || t.gender || ' ' || s.season_label FROM season s JOIN tournament t ON t.id = s.tournament_id
     UNION ALL SELECT 'match', m.id, s.season_label || ' ' || t.key || ' ' || h.key || ' ' || a.key || ' ' || to_char(m.scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM match m
       JOIN season s ON s.id = m.season_id JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id`,
  );
  for (const { entity, id, name } of rows) names.set(`${entity} ${id}`, name);
  const worldly = (entity: string, id: number | null) =>
    id === null ? null : (names.get(`${entity} ${id}`) ?? `unknown ${entity} ${id}`);

  const cards = await pool.query<{ card: string }>(
    `SELECT ${cardSql('m.id', 'c')} AS card FROM match m JOIN match_card c ON c.match_id = m.id`,
  );
  const cardLines = cards.rows.map(({ card }) => `card ${JSON.stringify(anonymous(JSON.parse(card), worldly))}`);
  const refs = await pool.query<{ entity: string; provider: string; external_id: string; entity_id: number }>(
    "SELECT entity, provider, external_id, entity_id FROM external_ref WHERE entity <> 'venue'",
  );
  return [
    ...(await lines("SELECT 'tournament ' || (to_jsonb(t) - 'id' - 'provenance')::text AS line FROM tournament t")),
    ...(await lines("SELECT 'participant ' || (to_jsonb(p) - 'id' - 'provenance')::text AS line FROM participant p")),
    ...(await lines("SELECT 'venue ' || (to_jsonb(v) - 'id' - 'provenance')::text AS line FROM venue v")),
    ...(await lines(
      "SELECT 'alias ' || p.key || ' ' || a.locale || ' ' || a.name AS line FROM participant_alias a JOIN participant p ON p.id = a.participant_id",
    )),
    ...(await lines(
      "SELECT 'former name ' || p.key || ' ' || n.valid_from || ' ' || n.valid_to || ' ' || n.name || ' ' || coalesce(n.name_ru, '') AS line FROM participant_name n JOIN participant p ON p.id = n.participant_id",
    )),
    ...(await lines(
      "SELECT 'adjustment ' || s.season_label || ' ' || p.key || ' ' || a.decided_on || ' ' || a.points || coalesce(' place ' || a.position, '') AS line FROM points_decision a JOIN participant p ON p.id = a.participant_id JOIN season s ON s.id = a.season_id",
    )),
    ...(await lines(
      "SELECT 'squad ' || s.season_label || ' ' || t.key || ' ' || p.key || ' ' || coalesce(l.shirt_number, '') || ' ' || coalesce(l.position, '') AS line FROM squad_member l JOIN participant t ON t.id = l.team_id JOIN participant p ON p.id = l.player_id JOIN season s ON s.id = l.season_id",
    )),
    ...refs.rows.map(
      (ref) =>
        `ref ${ref.entity} ${ref.provider} ${ref.external_id} ${worldly(ref.entity === 'player' || ref.entity === 'team' ? 'participant' : ref.entity, ref.entity_id)}`,
    ),
    ...cardLines,
  ].sort();
}

const ENTITY_OF: Record<string, string> = {
  participant_id: 'participant',
  player_participant_id: 'participant',
  assist_participant_id: 'participant',
  referee_id: 'participant',
  referee_ids: 'participant',
  coach_id: 'participant',
  venue_id: 'venue',
  tournament_id: 'tournament',
  season_id: 'season',
};
/** Fields that are not part of the catalogue, such as write times and image URLs. */
const DROPPED = new Set(['updated_at', 'last_detail_at', 'image_url']);

/** Replaces ids by names at any depth. */
function anonymous(
  value: unknown,
  worldly: (entity: string, id: number | null) => string | null,
  within = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => anonymous(item, worldly, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, member]) => {
        const entity = ENTITY_OF[key];
        if (Array.isArray(member) && entity !== undefined)
          return [key, member.map((id: number) => worldly(entity, id))];
        if (entity !== undefined) return [key, worldly(entity, member as number | null)];
        if (key === 'id')
          return within === ''
            ? [key, worldly('match', member as number)]
            : within === 'player'
              ? [key, worldly('participant', member as number | null)]
              : [key, null];
        return [key, anonymous(member, worldly, key)];
      }),
  );
}
