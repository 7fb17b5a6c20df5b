/** The route for the Model Context Protocol, and the files that agents read first. */
import { z } from 'zod';
import {
  type AnyRoute,
  Problem,
  parseOrigin,
  type RouteInput,
  type RouteValue,
  readJson,
  toProblem,
} from '../http/index.ts';
import { trimJson } from '../wire/json-text.ts';
import { Allowance, ownTurn } from './allowance.ts';
import { type AgentDeps, route } from './deps.ts';
import { createMcp, parseError } from './mcp.ts';
import { type AdmitPost, createPostLimits } from './post-limits.ts';
import { MCP_METADATA, wellKnown } from './well-known.ts';

/** Maximum size of a POST, since questions are short. */
const MAX_BODY_BYTES = 262_144;
/**
 * Maximum number of members in any list or object of the body. Valid messages have fewer. Members above this number are
 * removed before the body is parsed.
 */
const MOST_MEMBERS = 200;
const MOST_OF_ALL = 5_000;

type Client = Pick<RouteInput<unknown, unknown, unknown>, 'headers' | 'baseUrl' | 'principal'>;

/**
 * Refuses a browser page on another site, as the protocol demands, because that site's name may resolve to this machine
 * (DNS rebinding). Pages with a publishable key are allowed, because authentication has already checked their origin.
 * @throws {Problem} origin_not_allowed
 */
function checkOrigin({ headers: { origin }, baseUrl, principal }: Client): void {
  if (origin === undefined || parseOrigin(origin) === parseOrigin(baseUrl)) return;
  if (principal?.kind === 'pk') return;
  throw new Problem('origin_not_allowed', `A secret key may not be used from a page of ${origin}.`);
}

async function begin(text: string): Promise<string> {
  await ownTurn();
  return trimJson(text, MOST_MEMBERS, MOST_OF_ALL);
}

/** @param routes the role's routes; the data routes among them become tools */
function mcpRoute(routes: readonly AnyRoute[]): RouteValue<AgentDeps> {
  const answer = createMcp(routes);
  let limits: AdmitPost | undefined;
  return route({
    method: 'POST',
    path: '/mcp',
    summary: 'Model Context Protocol',
    tag: 'Service',
    undocumented: true,
    access: 'key',
    keyInBearer: MCP_METADATA,
    // Free, because each tool call is charged like a request to the tool's route.
    cost: 0,
    cache: 'no-store',
    perAddress: { requests: 1_200, seconds: 60 },
    rawBody: { 'application/json': z.unknown() },
    response: { contentType: 'application/json' },
    async handler({ rawBody, ...input }, { logger, clock }) {
      checkOrigin(input);
      limits ??= createPostLimits(() => clock.now());
      const post = limits(input.principal!, input.address);
      try {
        const { headers, baseUrl, ask, charge } = input;
        const { socket } = rawBody!;
        const allowance = new Allowance({ charge, clock, isGone: () => socket.destroyed });
        await post.begin(allowance.wait);
        const { value: body } = await readJson(rawBody!, MAX_BODY_BYTES, begin);
        return await answer(
          { body, url: `${baseUrl}/mcp`, headers, ask, allowance, list: () => post.list(allowance.wait) },
          logger,
        );
      } catch (error) {
        const problem = toProblem(error);
        if (problem.code !== 'bad_request') throw error;
        return parseError(problem.status, problem.message);
      } finally {
        post.leave();
      }
    },
  });
}

/** @param data the role's other routes */
export const agentRoutes = (data: readonly AnyRoute[]): RouteValue<AgentDeps>[] => [mcpRoute(data), ...wellKnown];
