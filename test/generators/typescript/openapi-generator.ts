/** Prints what the service answers to the TypeScript client that openapi-generator has made. */
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

console.log(
  JSON.stringify({
    ids: list.events.map((match) => match.id),
    home: detail.participants[0]!.name,
    score: detail.participants[0]!.score,
    incidents: detail.incidents!.length,
    leader: standings.table[0]!.name,
    points: standings.table[0]!.points,
    missing: problem.code,
  }),
);
