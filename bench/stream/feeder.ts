/** A provider that sends live updates over a few connections, as fast as it can. Each update has one block of a match. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { PassThrough } from 'node:stream';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

type Match = MatchUpdateInput['match'];
/** Blocks that a provider with live figures sends again in each update. */
const BLOCKS = ['statistics', 'incidents', 'momentum', 'player_stats'] as const;

export interface Feeding {
  url: string;
  token: string;
  connections: number;
  updates: number;
}

/** Placeholder in the templates, to be replaced by the changing value. */
const VALUE = 123_454_321;
const OBSERVED_AT = '2000-01-01T00:00:00Z';

/**
 * An update as text, split at the time and the values. It is rendered in advance, because rendering would take CPU time from the stores.
 */
interface Template {
  before: string;
  after: string[];
}

let templates: Record<(typeof BLOCKS)[number], Template>[] = [];
/** Counter that makes each update different. */
let fed = 0;

/** Returns the members that identify a match. */
const named = ({ id, sport, tournament, season, home, away, scheduled_start }: Match): Match => ({
  id,
  sport,
  tournament,
  season,
  home,
  away,
  ...(scheduled_start && { scheduled_start }),
});

/** Returns the block with one value set. */
function changed(match: Match, block: (typeof BLOCKS)[number], value: number): Partial<Match> {
  switch (block) {
    case 'statistics':
      return {
        statistics: match.statistics!.map((row, index) =>
          index === 0 ? { ...row, home_value: value, home_text: `${value}` } : row,
        ),
      };
    case 'incidents':
      return {
        incidents: match.incidents!.map((incident, index, all) =>
          index === all.length - 1 ? { ...incident, payload: { ...incident.payload, round: value } } : incident,
        ),
      };
    case 'momentum':
      return {
        momentum: {
          ...match.momentum!,
          graphPoints: match.momentum!.graphPoints.map((point, index) => (index === 0 ? { ...point, value } : point)),
        },
      };
    case 'player_stats':
      return {
        player_stats: match.player_stats!.map((row, index) =>
          index === 0 ? { ...row, stats: { ...row.stats, passes: value } } : row,
        ),
      };
  }
}

function templateOf(match: Match, block: (typeof BLOCKS)[number]): Template {
  const update = {
    schema: 1,
    kind: 'match',
    provider: 'live',
    observed_at: OBSERVED_AT,
    match: { ...named(match), ...changed(match, block, VALUE) },
  } satisfies MatchUpdateInput;
  const [before, after] = `${JSON.stringify(update)}\n`.split(OBSERVED_AT);
  return { before: before!, after: after!.split(`${VALUE}`) };
}

function lineOf(number: number): string {
  const round = Math.floor(number / templates.length);
  const block = BLOCKS[round % BLOCKS.length]!;
  const { before, after } = templates[number % templates.length]![block];
  const value = block === 'momentum' ? (round % 200) - 100 : round + 1;
  return before + new Date().toISOString() + after.join(`${value}`);
}

interface Tally {
  accepted: number;
  unchanged: number;
  rejected: unknown[];
}

/** Sends every n-th update in one request over one of n connections, so that each match's updates stay in order. */
async function feed({ url, token, connections, updates }: Feeding, first: number): Promise<Tally> {
  const agent = new Agent();
  const post = request(`${url}/feed/v1/updates`, {
    agent,
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson', 'X-Request-Id': randomUUID() },
  });
  const answered = once(post, 'response');
  const body = new PassThrough();
  body.pipe(post);
  for (let number = first; number < updates; number += connections) {
    if (!body.write(lineOf(fed + number))) await once(body, 'drain');
  }
  body.end();
  const [response] = await answered;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  agent.destroy();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text}`);
  return JSON.parse(text);
}

const api = {
  matches(given: Match[]): void {
    templates = given.map((match) => ({
      statistics: templateOf(match, 'statistics'),
      incidents: templateOf(match, 'incidents'),
      momentum: templateOf(match, 'momentum'),
      player_stats: templateOf(match, 'player_stats'),
    }));
  },
  /** @returns the duration in milliseconds, and how many updates the service has accepted */
  async feed(feeding: Feeding): Promise<{ ms: number; tally: Tally; loopBusy: number }> {
    usage();
    const begun = performance.now();
    const tallies = await Promise.all(Array.from({ length: feeding.connections }, (_, first) => feed(feeding, first)));
    const ms = performance.now() - begun;
    fed += feeding.updates;
    const tally: Tally = { accepted: 0, unchanged: 0, rejected: [] };
    for (const one of tallies) {
      tally.accepted += one.accepted;
      tally.unchanged += one.unchanged;
      tally.rejected.push(...one.rejected);
    }
    return { ms, tally, loopBusy: usage().loopBusy };
  },
};
export type FeederApi = typeof api;
answer(api);
