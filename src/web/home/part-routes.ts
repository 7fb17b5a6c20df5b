/** Routes for the parts of the front page that the script fetches: the table beside the matches, a match's details, and favourites. */
import { z } from 'zod';
import { markedSubjects } from '../../catalogue/index.ts';
import { date, idList, idParam, lang, type Reply, type RouteValue, timeZone } from '../../http/index.ts';
import { MATCHES_TAG, matchTag } from '../../wire/cache-tags.ts';
import { cacheTags } from '../cache-tags.ts';
import { route, type WebDeps } from '../deps.ts';
import { notFound, page } from '../page-route.ts';
import { turnedAway } from '../site-access.ts';
import { favouritesList, tablePanel, WANTED_TABLES } from './league-panels.ts';
import { matchSummary } from './match-summary.ts';

const tableBeside = route({
  ...page,
  path: '/league-table',
  summary: 'A league table with leaders, which the front page shows beside the matches',
  query: z.object({
    wanted: z.string().regex(WANTED_TABLES, 'must be tournament.season, at most twice'),
    date: date.optional(),
    tz: timeZone.default('UTC'),
    lang,
  }),
  handler: ({ query: { wanted, date: day, tz }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/', () => notFound(language, ''));
    if (away !== null) return away;
    const wantedTable = { wanted, after: day === undefined ? undefined : { date: day, tz } };
    return deps.caches.pages.get({
      key: `league-table ${wanted} ${day === undefined ? '' : `${day} ${tz}`} ${language}`,
      match: null,
      make: async () => ({
        body: await tablePanel(deps, wantedTable, { lang: language, root: '' }),
        ...cacheTags(deps.config, MATCHES_TAG),
      }),
    });
  },
});

const summary = route({
  ...page,
  path: '/match-summary',
  summary: 'A match in short, which the front page shows beside or above its list',
  query: z.object({ match: idParam, lang }),
  handler: ({ query: { match: id }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/', () => notFound(language, ''));
    if (away !== null) return away;
    return deps.caches.pages.get({
      key: `match-summary ${id} ${language}`,
      match: id,
      make: async () => {
        const made = await matchSummary(deps, id, { lang: language, root: '', now: deps.clock.now() });
        return made === null ? notFound(language, '') : { body: made.text, ...cacheTags(deps.config, matchTag(id)) };
      },
    });
  },
});

const favourites = route({
  ...page,
  path: '/favourites',
  summary: 'Names of the teams and tournaments that a reader has marked, which the front page lists',
  query: z.object({ team: idList.optional(), tournament: idList.optional(), lang }),
  handler: async ({ query: { team = [], tournament = [] }, lang: language, ...input }, deps): Promise<Reply> => {
    const away = turnedAway(deps.config, input, '/', () => notFound(language, ''));
    if (away !== null) return away;
    const marked = await markedSubjects(
      deps.reads,
      { teams: team, tournaments: tournament },
      new Date(deps.clock.now()),
    );
    return { body: favouritesList(marked, { lang: language, root: '' }) };
  },
});

export const frontPageParts: RouteValue<WebDeps>[] = [tableBeside, summary, favourites];
