/** Prints what the service answers to the TypeScript client that openapi-generator has made. */
import { readFileSync } from 'node:fs';
import * as client from './client/index.js';
import { CompetitionsApi, Configuration, MatchesApi, ProblemFromJSON, ResponseError } from './client/index.js';

const settings = new Configuration({ basePath: process.env.TOUCHLINE_URL!, apiKey: process.env.TOUCHLINE_KEY! });
const tournament = Number(process.env.TOURNAMENT);
const id = Number(process.env.EVENT);
const matches = new MatchesApi(settings);

const list = await matches.getEvents({ tournament: [tournament], from: '2024-01-01', limit: 5 });
const detail = await matches.getEventById({ id });
const standings = await new CompetitionsApi(settings).getTournamentStandingsById({ id: tournament });
const failure: unknown = await matches.getEventById({ id: Number.MAX_SAFE_INTEGER }).catch((error) => error);
if (!(failure instanceof ResponseError)) throw failure;
const problem = ProblemFromJSON(await failure.response.json());

interface Operation {
  id: string;
  tag: string;
  inPath: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  headers: Record<string, string>;
}
type Call = (given: object) => Promise<{ raw: Response; value(): Promise<unknown> }>;
type Apis = Record<string, new (settings: Configuration) => Record<string, Call>>;

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** The client has names and dates of its own, so that a body is read by the client's function for its type. */
const bodyOf = ({ id, body }: Operation): Record<string, unknown> => {
  if (body === null) return {};
  const name = `${id[0]!.toUpperCase()}${id.slice(1)}Request`;
  const read = (client as unknown as Record<string, (json: unknown) => unknown>)[`${name}FromJSON`];
  const { FeedUpdateFromJSON } = client;
  return Array.isArray(body)
    ? { feedUpdate: body.map((one) => FeedUpdateFromJSON(one)) }
    : { [`${name[0]!.toLowerCase()}${name.slice(1)}`]: read!(body) };
};

const answers: Record<string, { status: number; reply: unknown }> = {};
for (const one of JSON.parse(readFileSync(process.env.OPERATIONS!, 'utf8')) as Operation[]) {
  const { id, tag, inPath, query, headers } = one;
  const Api = (client as unknown as Apis)[`${tag}Api`]!;
  const asking = new Api(new Configuration({ basePath: process.env.TOUCHLINE_URL!, headers }));
  const named = Object.entries({ ...inPath, ...query }).map(([name, value]) => [camel(name), value]);
  try {
    const answer = await asking[`${id}Raw`]!({ ...Object.fromEntries(named), ...bodyOf(one) });
    const isJson = answer.raw.headers.get('content-type')?.startsWith('application/json') ?? false;
    answers[id] = { status: answer.raw.status, reply: isJson ? await answer.value() : null };
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    answers[id] = { status: error.response.status, reply: null };
  }
}

console.log(
  JSON.stringify({
    ids: list.events.map((match) => match.id),
    home: detail.participants[0]!.name,
    score: detail.participants[0]!.score,
    incidents: detail.incidents!.length,
    leader: standings.table[0]!.name,
    points: standings.table[0]!.points,
    missing: problem.code,
    answers,
  }),
);
