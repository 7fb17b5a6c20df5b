/** Shared parts for page routes. */
import { z } from 'zod';
import {
  cursor,
  idParam,
  type Lang,
  PROBLEMS,
  type Problem,
  type RefusedPage,
  type Reply,
  type RouteInput,
} from '../http/index.ts';
import { notice } from '../site/layout.ts';
import { TEXTS } from '../site/texts/index.ts';
import { tryAgain } from '../site/try-again.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';

const PICTURE_MAX_AGE_SECONDS = 3_600;
/** While a store is slow, this many pictures count as one request, because a page may need dozens of them. */
const PICTURES_OF_A_PAGE = 64;
/** Maximum length of a form field, in characters. Longer values are cut. */
const MAX_FIELD = 80;

export const shared = {
  method: 'GET',
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  /**
   * The burst is large because every page with a stream refreshes after a goal. Serving requests at the refill rate takes a tenth of a
   * core.
   */
  inTotal: { requests: 1_000, seconds: 10 },
} as const;

export const page = {
  ...shared,
  cache: 'no-store',
  /** Enough for thirty readers behind one address whose pages refresh after each event in a busy match. */
  perAddress: { requests: 600, seconds: 60 },
  response: { contentType: 'text/html; charset=utf-8' },
  problemPage,
} as const;

/** Parts of the route that all pictures on pages share. Visitors who may not see the page get 404. */
export const picture = {
  ...shared,
  cache: { maxAge: PICTURE_MAX_AGE_SECONDS },
  weight: 1 / PICTURES_OF_A_PAGE,
  /** A front page with 200 live matches has 400 pictures. This limit is below the total limit, so one address cannot use up the total. */
  perAddress: { requests: 10_000, seconds: 60 },
  inTotal: { requests: 15_000, seconds: 60 },
} as const;

/** Renders a problem for readers. */
function problemPage(problem: Problem, refused: RefusedPage): Pick<Reply, 'body' | 'headers'> {
  const { lang: language, baseUrl } = refused;
  const text = TEXTS[language].pages;
  const root = baseUrl === '' ? '/' : `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
  const again = tryAgain(problem, refused);
  if (again !== null) {
    const title = problem.status === 429 ? text.tooManyTitle : text.busyTitle;
    return { body: notice(language, root, title, again.body), headers: again.headers };
  }
  if (problem.status === 429) return { body: notice(language, root, text.tooManyTitle, text.tooMany) };
  if (problem.status === 404) return { body: notice(language, root, text.notFoundTitle, text.notFound) };
  return { body: notice(language, root, PROBLEMS[problem.code].title, problem.message) };
}

/** The name in an address is only for readers. Any text leads to the page, whose canonical address has the right name. */
export const slugParams = z.object({ id: idParam, slug: z.string().max(400) });

/**
 * The cursor of the last event that the page's script has received. It changes nothing on the page, but a cache in front
 * cannot answer with a page from before the event.
 */
export const after = cursor.optional();

/** Input for a page's handler. */
export type Asked<P, Q = unknown> = Pick<
  RouteInput<P, Q, unknown>,
  'params' | 'query' | 'lang' | 'principal' | 'headers' | 'baseUrl'
>;

export const notFound = (language: Lang, root: string) => {
  const text = TEXTS[language].pages;
  return { status: 404, body: notice(language, root, text.notFoundTitle, text.notFound) };
};

/**
 * A text field in a form. It accepts any text and is empty by default. The page shows the text again, so anything that looks like a secret
 * is hidden, in case it was pasted by mistake.
 */
export const field = (description: string) =>
  z
    .string()
    .transform((value) => withoutSecrets(value).trim().slice(0, MAX_FIELD))
    .pipe(z.string())
    .default('')
    .meta({ description });
