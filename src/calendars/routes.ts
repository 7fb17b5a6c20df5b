/** Match calendars for calendar programs. */
import { z } from 'zod';
import { findCalendarMember } from '../accounts/credentials/index.ts';
import { chosenByMember } from '../accounts/members/index.ts';
import { type Deps, type Route, route } from '../deps.ts';
import { idParams, type Lang, lang, type Reply, type RouteInput } from '../http/index.ts';
import { type Chosen, calendarMatches, formerFixtures } from '../matches/index.ts';
import { fill, TEXTS } from '../site/texts/index.ts';
import { findViewer, nameOf } from '../web/index.ts';
import { CALENDAR_KINDS, type CalendarKind } from '../wire/calendar.ts';
import { calendarSubject } from './subject.ts';

const MAX_AGE_SECONDS = 300;
/** Longer than any token. */
const MAX_TOKEN_LENGTH = 200;
/**
 * Limit for one address. A program with a calendar for each of its owner's teams requests them all at once, and several people may share an
 * address.
 */
const PER_ADDRESS = { requests: 600, seconds: 60 };
/** Limit for all addresses together. */
const IN_TOTAL = { requests: 1_000, seconds: 10 };

const token = z.string().max(MAX_TOKEN_LENGTH).optional();
const shared = {
  method: 'GET',
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  cache: { maxAge: MAX_AGE_SECONDS },
  perAddress: PER_ADDRESS,
  inTotal: IN_TOTAL,
  response: { contentType: 'text/calendar; charset=utf-8' },
  query: z.object({ lang, token }),
} as const;

interface Wanted extends Chosen {
  title: string;
}
type Asked = Pick<RouteInput<unknown, unknown, unknown>, 'lang' | 'baseUrl'>;

/**
 * Returns a calendar from the cache. Requests with the same key share it, so that it is written only once.
 * @param find returns the title, and the teams or tournaments for `key`
 */
async function calendar(
  deps: Deps,
  { lang: language, baseUrl }: Asked,
  { key, filename }: { key: string; filename: string },
  find: () => Promise<Wanted>,
): Promise<Reply> {
  const { caches, clock, pool } = deps;
  const reply = await caches.pages.get({
    key: `calendar ${language} ${baseUrl} ${key}`,
    match: null,
    make: async () => {
      const { title, ...chosen } = await find();
      const now = clock.now();
      // In this order, a match that is deleted between the two queries is in both lists, so it cannot be missing.
      const matches = await calendarMatches(pool, chosen, now);
      const former = await formerFixtures(pool, chosen, now);
      // Imported here, so that the module and the library are loaded only when the first calendar is requested.
      const { calendarText } = await import('./calendar-text.ts');
      return { body: calendarText({ name: title, lang: language, baseUrl, matches, former }) };
    },
  });
  return { ...reply, headers: { 'Content-Disposition': `inline; filename="${filename}.ics"` } };
}

/** @throws {Problem} not_found */
async function subjectCalendar({ pool, clock }: Deps, kind: CalendarKind, id: number, language: Lang): Promise<Wanted> {
  const subject = await calendarSubject(pool, { kind, id }, clock.now());
  const title = fill(TEXTS[language].calendars.title, { name: nameOf(subject, language) });
  const ids = [subject.id];
  return { title, teams: kind === 'team' ? ids : [], tournaments: kind === 'tournament' ? ids : [] };
}

const bySubject = CALENDAR_KINDS.map((kind) =>
  route({
    ...shared,
    path: `/calendar/${kind}/{id}.ics`,
    summary: `The matches of a ${kind}, as a calendar`,
    params: idParams,
    handler: async ({ params: { id }, query, ...input }, deps) => {
      if (findViewer(deps.config, input) === undefined) await findCalendarMember(deps.pool, query.token);
      const names = { key: `${kind} ${id}`, filename: `${kind}-${id}` };
      return calendar(deps, input, names, () => subjectCalendar(deps, kind, id, input.lang));
    },
  }),
);

const mine = route({
  ...shared,
  path: '/calendar/mine.ics',
  summary: 'The matches of the favourites of a member, as a calendar',
  handler: async ({ query, ...input }, deps) => {
    const memberId = await findCalendarMember(deps.pool, query.token);
    const chosen = await chosenByMember(deps.pool, memberId);
    const title = TEXTS[input.lang].calendars.mine;
    const names = { key: `mine ${chosen.teams} ${chosen.tournaments}`, filename: 'mine' };
    return calendar(deps, input, names, async () => ({ title, ...chosen }));
  },
});

export const routes: Route[] = [...bySubject, mine];
