/** /docs/leagues.html: every tournament by sport and country, rendered on the server. */
import type { Queryable } from '../db/postgres.ts';
import { type Html, html } from '../http/html.ts';

interface LeagueRow {
  sport: string;
  country: string;
  id: number;
  name: string;
  name_ru: string | null;
  gender: string;
  tier: number | null;
  events: number;
}

/** In the order of the page. */
async function listLeagues(db: Queryable): Promise<LeagueRow[]> {
  const { rows } = await db.query<LeagueRow>(
    `SELECT s.name AS sport, c.name AS country, t.id, t.name, t.name_ru, t.gender, t.tier, coalesce(m.events, 0)::int AS events
     FROM tournament t
     JOIN sport s ON s.slug = t.sport
     JOIN country c ON c.iso = t.country
     LEFT JOIN (SELECT tournament_id, count(*) AS events FROM match GROUP BY tournament_id) m ON m.tournament_id = t.id
     ORDER BY s.id, (c.iso = 'INT') DESC, c.name, c.iso, t.tier NULLS LAST, t.importance DESC, t.name, t.id`,
  );
  return rows;
}

const row = ({ id, name, name_ru, gender, tier, events }: LeagueRow): Html =>
  html`<tr><td class="id">${id}</td><td>${name}${name_ru !== null && html` <span lang="ru">${name_ru}</span>`}</td><td>${gender}</td><td class="n">${tier}</td><td class="n">${events}</td></tr>`;

const HEAD = html`<thead><tr><th>Id</th><th>League</th><th>Gender</th><th>Tier</th><th>Matches</th></tr></thead>`;
const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Consecutive items with the same key. */
function* runs<T>(items: readonly T[], keyOf: (item: T) => string): Generator<[string, T[]]> {
  let run: T[] = [];
  for (const item of items) {
    if (run.length > 0 && keyOf(run[0]!) !== keyOf(item)) {
      yield [keyOf(run[0]!), run];
      run = [];
    }
    run.push(item);
  }
  if (run.length > 0) yield [keyOf(run[0]!), run];
}

function section(sport: string, leagues: readonly LeagueRow[]): Html {
  const countries = [...runs(leagues, ({ country }) => country)].map(
    ([country, list]) =>
      html`<details><summary>${country} <span>${list.length}</span></summary><table>${HEAD}<tbody>${list.map(row)}</tbody></table></details>`,
  );
  return html`<section><h2>${sport} <span>${plural(leagues.length, 'league')} in ${plural(countries.length, 'country', 'countries')}</span></h2>${countries}</section>
`;
}

export async function leaguesPage(db: Queryable): Promise<string> {
  const leagues = await listLeagues(db);
  const sections = [...runs(leagues, ({ sport }) => sport)].map(([sport, list]) => section(sport, list));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leagues · Touchline</title>
<link rel="icon" type="image/png" href="assets/favicon-32x32.png">
<link rel="stylesheet" href="leagues.css">
</head>
<body>
<main>
<h1>Leagues</h1>
<p>${plural(leagues.length, 'league')} by sport and country, as listed by <a href="../docs">GET /v1/tournaments</a>. Filters take the id.</p>
${sections.length > 0 ? sections : html`<p>The catalogue is empty.</p>`}
</main>
</body>
</html>
`.text;
}

export const LEAGUES_CSS = `:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent)}
body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h2{margin:2rem 0 .5rem}
h2 span,summary span,td span{font-weight:400;font-size:.85em;opacity:.65}
details{border-top:1px solid var(--line)}
summary{padding:.5rem 0;cursor:pointer}
table{border-collapse:collapse;width:100%;margin-bottom:1rem;font-size:.95em}
th,td{text-align:left;padding:.25rem .5rem;border-top:1px solid var(--line)}
.n,.id{text-align:right;font-variant-numeric:tabular-nums}
.id{opacity:.65}
`;
