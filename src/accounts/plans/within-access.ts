/** Answers 404 for matches and tournaments that an account's plan does not include, and for every path below them. */
import type { Queryable } from '../../db/postgres.ts';
import { Problem, type RouteInput, type RouteValue } from '../../http/index.ts';
import { isWithin, type MatchAccess } from '../../wire/access.ts';

type Subject = 'event' | 'tournament';

const PATH = /^\/v1\/(event|tournament)\/\{id\}/;
const SQL: Readonly<Record<Subject, string>> = {
  event: 'SELECT sport, tournament_id FROM match WHERE id = $1',
  tournament: 'SELECT sport, id AS tournament_id FROM tournament WHERE id = $1',
};
const NAMES: Readonly<Record<Subject, string>> = { event: 'match', tournament: 'tournament' };

/** Does nothing for an unknown id, which the route itself handles. */
async function check(db: Queryable, access: MatchAccess, subject: Subject, id: number): Promise<void> {
  const { rows } = await db.query<{ sport: string; tournament_id: number }>({
    name: `access ${subject}`,
    text: SQL[subject],
    values: [id],
  });
  const found = rows[0];
  if (found === undefined || isWithin(access, found.sport, found.tournament_id)) return;
  throw new Problem('not_found', `There is no ${NAMES[subject]} ${id}.`);
}

/** Restricts routes to what the account's plan includes. Accounts whose plan includes everything are not restricted. */
export const withinAccess = <D extends { pool: Queryable }>(routes: readonly RouteValue<D>[]): RouteValue<D>[] =>
  routes.map((route) => {
    const subject = PATH.exec(route.path)?.[1] as Subject | undefined;
    if (subject === undefined) return route;
    const handler = (input: RouteInput<unknown, unknown, unknown>, deps: D) => {
      const { access } = input;
      if (access === null) return route.handler(input, deps);
      const { id } = input.params as { id: number };
      return check(deps.pool, access, subject, id).then(() => route.handler(input, deps));
    };
    return { ...route, handler };
  });
