/** Finds the venue and the scorer that an operator names. */
import type { IncidentPlayers } from '../apply/index.ts';
import { foldName } from '../db/fold-name.ts';
import type { Queryable } from '../db/postgres.ts';
import { invalidParameter } from '../http/index.ts';
import type { Incident } from '../wire/match.ts';
import { goalText } from './describe-correction.ts';

const ID = /^[1-9]\d{0,14}$/;
const NO_VENUE = 'none';
/** Maximum number of names in an error message. */
const LISTED = 30;

/** Returns a venue's id. Null if the text is `none`. @throws {Problem} invalid_parameter */
export async function findVenue(client: Queryable, text: string): Promise<number | null> {
  if (text.toLowerCase() === NO_VENUE) return null;
  const [condition, value] = ID.test(text) ? ['id = $1', Number(text)] : ['key = $1', foldName(text)];
  const { rows } = await client.query<{ id: number; name: string; city: string | null; country: string }>(
    `SELECT id, name, city, country FROM venue WHERE ${condition} ORDER BY id LIMIT ${LISTED}`,
    [value],
  );
  const [venue, ...others] = rows;
  if (venue === undefined) throw invalidParameter('venue', 'unknown', `there is no venue ${JSON.stringify(text)}`);
  if (others.length === 0) return venue.id;
  const found = rows.map(
    ({ id, name, city, country }) => `${id} (${[name, city, country].filter(Boolean).join(', ')})`,
  );
  throw invalidParameter(
    'venue',
    'ambiguous',
    `several venues have this name, give the id of one: ${found.join('; ')}`,
  );
}

interface Named {
  side: 'home' | 'away' | null;
  name: string;
  id: number | null;
}

const SCORING = ['goal', 'point'];

/**
 * Returns the player who scored a goal. If the match has line-ups, the player must be in the scoring side's line-up, or in the
 * opponent's line-up for an own goal. Otherwise any name is accepted.
 * @throws {Problem} invalid_parameter
 */
export function findScorer(
  incidents: readonly Incident[],
  lineups: readonly { side: 'home' | 'away'; player_name: string; player_participant_id: number | null }[],
  { goal, player }: { goal: number; player: string },
  playsFor: (incident: Incident) => 'home' | 'away' | null,
): IncidentPlayers {
  const goals = incidents.filter(({ kind }) => SCORING.includes(kind));
  const incident = goals.find(({ id }) => id === goal);
  if (incident === undefined) {
    const known =
      goals.length === 0
        ? 'it has none'
        : `its goals: ${goals
            .slice(0, LISTED)
            .map((one) => goalText(one))
            .join(', ')}`;
    throw invalidParameter('goal', 'unknown', `the match has no goal ${goal}; ${known}`);
  }
  const side = playsFor(incident);
  const known: Named[] = [
    ...lineups.map((one) => ({ side: one.side, name: one.player_name, id: one.player_participant_id })),
    ...incidents.flatMap((one) =>
      one.player_name === null ? [] : [{ side: playsFor(one), name: one.player_name, id: one.player_participant_id }],
    ),
  ];
  const isMeant = ({ name, id }: Named) =>
    ID.test(player) ? id === Number(player) : foldName(name) === foldName(player);
  const meant = known.filter(isMeant);
  const own = meant.find((one) => one.side === side && one.id !== null) ?? meant.find((one) => one.side === side);
  if (own !== undefined) return { [goal]: { player_name: own.name, player_participant_id: own.id } };
  const [first] = meant;
  if (first !== undefined)
    throw invalidParameter(
      'scorer',
      'other_side',
      `${first.name} does not play for the side of the scorer of goal ${goal}`,
    );
  if (lineups.length > 0 || ID.test(player)) {
    const names = lineups.filter((one) => one.side === side).map(({ player_name }) => player_name);
    const players = names.length === 0 ? '' : `; players of that side: ${names.slice(0, LISTED).join(', ')}`;
    throw invalidParameter('scorer', 'not_in_match', `${player} does not play in this match${players}`);
  }
  return { [goal]: { player_name: player, player_participant_id: null } };
}
