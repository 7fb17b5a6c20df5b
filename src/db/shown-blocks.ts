/**
 * SQL that returns card blocks as they are shown. Line-ups are ordered by position, shoot-out kicks are in the order
 * in which they were taken, linked players have their full names, and names of coaches and players have ids. A line-up stored by this release is already in
 * that order and has a `source`. Earlier releases stored it as the source lists it. Kicks and names are stored as the
 * source writes them, so that unchanged updates compare equal. Postgres does the sorting, since it also concatenates
 * most cards (see matches/card-sql.ts). Measured: 0.17 ms for a line-up with 36 players, nothing for other blocks.
 */

/** Abbreviations and names of positions, for each line of the team. */
const LINES = [
  'g gk goalkeeper keeper',
  'd df def defender cb lb rb lcb rcb wb lwb rwb sw sweeper',
  'm mf md mid midfielder cm dm am lm rm cdm cam lcm rcm',
  'f fw fwd forward att attacker striker st cf ss lf rf lw rw',
];
/** The line for each position, in lower case. */
export const LINE_OF_POSITION: ReadonlyMap<string, number> = new Map(
  LINES.flatMap((positions, line) => positions.split(' ').map((position) => [position, line] as const)),
);
const LINES_JSON = JSON.stringify(Object.fromEntries(LINE_OF_POSITION));

/**
 * Sorts line-ups, home before away and starters before substitutes. Within each group, players are ordered by line and
 * shirt number if every player's position is known. Otherwise they stay in the source's order, which may follow the
 * formation.
 */
const lineups = (json: string) => `SELECT '[' || string_agg(o.entry, ',') || ']' FROM (
  SELECT l.entry FROM (
    SELECT e.entry::text, e.nth, r.side, r.is_substitute, r.shirt_number, p.line,
      bool_and(p.line IS NOT NULL) OVER (PARTITION BY r.side, r.is_substitute) AS is_known
    FROM json_array_elements(${json}::json) WITH ORDINALITY e (entry, nth)
    CROSS JOIN LATERAL json_to_record(e.entry) r (side text, is_substitute boolean, position text, shirt_number text)
    CROSS JOIN LATERAL (SELECT ('${LINES_JSON}'::jsonb ->> lower(r.position))::int AS line OFFSET 0) p) l
  ORDER BY l.side DESC, l.is_substitute, CASE WHEN l.is_known THEN l.line END,
    CASE WHEN l.is_known THEN length(l.shirt_number) END, CASE WHEN l.is_known THEN l.shirt_number END, l.nth) o`;

/** Number of kicks that each side takes before sudden death. */
const KICKS = 5;

/**
 * SQL for a shoot-out in which both sides took equally many kicks. It is true if the shoot-out was still open before
 * the last kick, assuming that `first` began. It is open while neither side has a lead that the other cannot make up.
 * The columns are those in `sides` below.
 */
const isOpen = (first: 'home' | 'away') => {
  const second = first === 'home' ? 'away' : 'home';
  const lead = `(${first}_goals - ${second}_goals + ${second}_last)`;
  const left = `greatest(${KICKS}, home_kicks) - home_kicks`;
  return `(${lead} <= ${left} + 1 AND -${lead} <= ${left})`;
};

/**
 * Sorts a shoot-out's kicks by `order`, and puts them into the places that kicks have among the incidents. If `order`
 * counts each side's kicks separately, the sides alternate. The side with more kicks began. If both took equally many,
 * the shoot-out must have been open before the last kick, which shows which side began. If that fits both sides or
 * neither, the side that the source lists first began. Kicks without an `order` stay in the source's order.
 */
const incidents = (json: string) => `WITH incident AS MATERIALIZED (
    SELECT e.entry::text, e.nth, r.side, r.kind = 'penalty_shootout' AS is_kick, r.payload ->> 'order' AS own,
      (coalesce(r.payload ->> 'scored', '') = 'true')::int AS scored
    FROM json_array_elements(${json}::json) WITH ORDINALITY e (entry, nth)
    CROSS JOIN LATERAL json_to_record(e.entry) r (side text, kind text, payload json)
  ), kick AS (
    SELECT *, CASE WHEN own ~ '^[0-9]{1,3}$' THEN own::int END AS number, row_number() OVER (ORDER BY nth) AS place
    FROM incident WHERE is_kick
  ), turn AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY side ORDER BY number, nth) AS turn,
      row_number() OVER (PARTITION BY side ORDER BY number DESC, nth DESC) = 1 AS is_last FROM kick
  ), sides AS (
    SELECT count(*) FILTER (WHERE side = 'home') AS home_kicks, count(*) FILTER (WHERE side = 'away') AS away_kicks,
      coalesce(sum(scored) FILTER (WHERE side = 'home'), 0) AS home_goals,
      coalesce(sum(scored) FILTER (WHERE side = 'away'), 0) AS away_goals,
      coalesce(sum(scored) FILTER (WHERE side = 'home' AND is_last), 0) AS home_last,
      coalesce(sum(scored) FILTER (WHERE side = 'away' AND is_last), 0) AS away_last,
      (array_agg(side ORDER BY nth))[1] AS listed, bool_and(number IS NOT NULL AND side IS NOT NULL) AS is_numbered,
      count(DISTINCT number) = count(*) AS is_running
    FROM turn
  ), began AS (
    SELECT *, CASE WHEN home_kicks > away_kicks THEN 'home' WHEN away_kicks > home_kicks THEN 'away'
      WHEN ${isOpen('home')} = ${isOpen('away')} THEN listed WHEN ${isOpen('home')} THEN 'home' ELSE 'away' END AS first
    FROM sides
  ), taken AS (
    SELECT t.entry, row_number() OVER (ORDER BY CASE WHEN NOT b.is_numbered THEN 0 WHEN b.is_running THEN t.number
      ELSE 2 * t.turn + (t.side <> b.first)::int END, t.nth) AS place
    FROM turn t CROSS JOIN began b
  )
  SELECT '[' || string_agg(o.entry, ',') || ']' FROM (
    SELECT coalesce(t.entry, i.entry) AS entry FROM incident i
    LEFT JOIN kick k ON k.nth = i.nth LEFT JOIN taken t ON t.place = k.place
    ORDER BY i.nth) o`;

/** Adds a member to an entry of a list. */
const withMember = (name: string, id: string) =>
  `left(e.entry::text, -1) || ',"${name}":' || coalesce(${id}::text, 'null') || '}'`;

/** Adds the coaches' ids. If a coach has been joined to another person, the id is that person's. */
const coaches = (
  row: string,
) => `SELECT '[' || string_agg(${withMember('coach_id', 'coalesce(p.person_id, p.id)')}, ',' ORDER BY e.nth) || ']'
  FROM json_array_elements(${row}.json::json) WITH ORDINALITY e (entry, nth)
  LEFT JOIN match_staff s ON s.match_id = ${row}.match_id AND s.role = 'coach' AND s.position = e.nth - 1
  LEFT JOIN participant p ON p.id = s.participant_id`;

/**
 * Adds the ids of players to entries that have only names. A name means a player of the match if a list with ids has exactly
 * that name for the side, and no second player has it.
 * @param list SQL for the entries
 * @param side SQL for an entry's side
 */
const named = (
  list: string,
  side: string,
) => `SELECT coalesce('[' || string_agg(${withMember('player_participant_id', 'k.id')}, ',' ORDER BY e.nth) || ']', '[]')
  FROM json_array_elements(${list}) WITH ORDINALITY e (entry, nth)
  LEFT JOIN LATERAL (
    SELECT min(n.id) AS id FROM known n WHERE n.name = e.entry ->> 'player_name' AND n.side = ${side} HAVING count(DISTINCT n.id) = 1) k ON true`;
const known = (row: string) => `WITH known AS MATERIALIZED (
    SELECT side, player_name AS name, participant_id AS id FROM match_player WHERE match_id = ${row}.match_id AND participant_id IS NOT NULL
    UNION SELECT r.side, r.name, coalesce(p.person_id, p.id) FROM player_mention r JOIN participant p ON p.id = r.participant_id
      WHERE r.match_id = ${row}.match_id)`;
const namedList = (row: string) => `${known(row)} ${named(`${row}.json::json`, "e.entry ->> 'side'")}`;
const namedPositions = (row: string) =>
  `${known(row)} SELECT ${(['home', 'away'] as const)
    .map(
      (side, index) =>
        `'${index === 0 ? '{' : ','}"${side}":' || (${named(`${row}.json::json -> '${side}'`, `'${side}'`)})`,
    )
    .join(' || ')} || '}'`;

const shown = (row: string) => `CASE
  WHEN ${row}.block IN ('best_players', 'missing_players', 'commentary') THEN (${namedList(row)})
  WHEN ${row}.block = 'average_positions' THEN (${namedPositions(row)})
  WHEN ${row}.block = 'coaches' AND ${row}.json <> '[]' THEN (${coaches(row)})
  WHEN ${row}.block = 'lineups' AND ${row}.source IS NULL AND strpos(${row}.json, '"position":"') > 0 THEN (${lineups(`${row}.json`)})
  WHEN ${row}.block = 'incidents' AND strpos(${row}.json, '"kind":"penalty_shootout"') > 0 THEN (${incidents(`${row}.json`)})
  ELSE ${row}.json END`;

/**
 * SQL for whether a block may contain an abbreviated name, that is, a word that ends with a full stop. The texts are searched
 * only if the match has names without an id, because nothing else is replaced. The search of a full card, which has to be
 * decompressed, takes 30 µs, and the look-up 2.
 */
const mayAbbreviate = (row: string) => `${row}.block IN ('incidents', 'lineups', 'player_stats', 'shotmap')
  AND coalesce((SELECT true FROM player_mention r WHERE r.match_id = ${row}.match_id LIMIT 1), false)
  AND (strpos(${row}.json, '."') > 0 OR strpos(${row}.json, '. ') > 0)`;

/**
 * OFFSET 0 keeps Postgres from planning the sorting twice. Sync plans each page, which takes as long as reading half of it.
 * @param row alias of match_block
 */
export const shownBlockSql = (row: string): string => `(
  SELECT CASE WHEN ${mayAbbreviate(row)} THEN shown_names(${row}.match_id, shown.json) ELSE shown.json END
  FROM (SELECT ${shown(row)} AS json OFFSET 0) shown)`;
