// node results.ts Argentina
const { TOUCHLINE_URL, TOUCHLINE_KEY = '' } = process.env;

async function get<T>(path: string, query: Record<string, string>): Promise<T> {
  const url = `${TOUCHLINE_URL}${path}?${new URLSearchParams(query)}`;
  const response = await fetch(url, { headers: { 'X-API-Key': TOUCHLINE_KEY } });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

interface Participants {
  participants: { id: number; name_i18n: { en: string; ru: string | null } }[];
}
interface Matches {
  events: {
    id: number;
    scheduled_start: string;
    participants: { side: 'home' | 'away'; name: string; score: number | null }[];
  }[];
}

const q = process.argv[2] ?? 'Argentina';
const found = await get<Participants>('/v1/participants/search', { q, limit: '1' });
const team = found.participants[0];
if (team === undefined) throw new Error(`Nobody is called ${q}.`);
const past = { when: 'past', limit: '5' };
const { events } = await get<Matches>(`/v1/participant/${team.id}/events`, past);
for (const { scheduled_start, participants } of events) {
  const sides = participants.map(({ name, score }) => `${name} ${score ?? '-'}`);
  console.log(scheduled_start.slice(0, 10), ...sides);
}
