/** Layout of account and operator pages. They need no scripts, only forms and links. */
import { PROBLEMS, type Problem, type RefusedPage, type Reply } from '../http/index.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import { ACCOUNT, CALENDAR_PAGE, KEYS, SECURITY, USAGE, WEBHOOKS } from '../site/texts/index.ts';
import { tryAgain } from '../site/try-again.ts';

/** Group of pages with the same navigation. */
export interface Area {
  /** Path from the service's root, without slashes. */
  path: string;
  label: string;
  /** Titles in the order of the navigation, by section path inside the area. */
  sections: Readonly<Record<string, string>>;
}

const ACCOUNT_AREA: Area = {
  path: 'account',
  label: ACCOUNT.area,
  sections: {
    '': ACCOUNT.overview,
    keys: KEYS.title,
    usage: USAGE.title,
    webhooks: WEBHOOKS.title,
    calendar: CALENDAR_PAGE.title,
    plan: ACCOUNT.plan,
    audit: ACCOUNT.audit.title,
    security: SECURITY.title,
  },
};

/**
 * Keeps URLs from other sites, which would get them as referrers. Forms still send Origin, which the policy `no-referrer` would set to
 * null.
 */
export const PAGE_HEADERS = { 'Referrer-Policy': 'same-origin' } as const;

/** What is shown above a page's content. */
export interface Shown {
  /** Sentence that says what has been done. */
  done?: string | undefined;
  problem?: Problem | undefined;
}

export interface Content extends Shown {
  title: string;
  body: Html;
  /** By default, the section in the page's path. */
  section?: string;
}

interface PortalPage extends Content {
  /** See rootPath. */
  root: string;
  /** The signed-in member's email; null if nobody is signed in. */
  email: string | null;
  /** By default, the account area. */
  area?: Area;
}

/**
 * Returns the service's path, for example `/` or `/sports/`. The same page is shown at several paths, so its links are
 * not relative.
 */
export const rootPath = ({ baseUrl }: { baseUrl: string }): string =>
  `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;

export function portalPage(page: PortalPage): Reply {
  const { title, root, body, email, area = ACCOUNT_AREA, section, done, problem } = page;
  const text = document({
    lang: 'en',
    title: `${title} · Touchline`,
    root,
    styles: ['account.css'],
    body: html`<div class="${email === null ? 'portal narrow' : 'portal'}">
${email !== null && navigation(root, email, area, section)}
<div class="content">
<h1>${title}</h1>
${done !== undefined && html`<p class="done" role="status">${done}</p>`}
${problem && html`<p class="problem" role="alert">${problemText(problem)}</p>`}
${body}
</div>
</div>`,
  });
  return { status: problem?.status ?? 200, body: text, headers: { ...PAGE_HEADERS, ...problem?.options.headers } };
}

function navigation(root: string, email: string, { path, label, sections }: Area, current: string | undefined): Html {
  const links = Object.entries(sections).map(
    ([section, name]) =>
      html`<a href="${root}${path}${section && `/${section}`}"${section === current && html` aria-current="page"`}>${name}</a>`,
  );
  return html`<aside>
<nav aria-label="${label}">${links}</nav>
<form method="post" action="${root}account/sign-out"><p class="note">${email}</p><button class="plain">${ACCOUNT.signOut}</button></form>
</aside>`;
}

/** Like the form labels: `match_id` becomes `Match id`, and `url` becomes `URL`. */
const fieldName = (parameter: string): string =>
  parameter === 'url' ? ACCOUNT.url : `${parameter.charAt(0).toUpperCase()}${parameter.slice(1).replaceAll('_', ' ')}`;

/** Says which field is wrong and why. */
function problemText({ options, message, code }: Problem): string {
  if (options.errors !== undefined)
    return options.errors.map(({ parameter, detail }) => `${fieldName(parameter)}: ${detail}.`).join(' ');
  return message === PROBLEMS[code].title ? `${message}.` : message;
}

/** Renders an error in place of a page. */
export const problemPage = (problem: Problem, refused: RefusedPage): Pick<Reply, 'body' | 'headers'> => {
  const { baseUrl } = refused;
  const root = baseUrl === '' ? '/' : rootPath({ baseUrl });
  const again = tryAgain(problem, { ...refused, lang: 'en' });
  const { body } = portalPage({
    title: PROBLEMS[problem.code].title,
    root,
    email: null,
    body: html`<p class="panel">${problem.message}</p>${again?.body ?? html`<p><a href="${root}account">${ACCOUNT.own}</a></p>`}`,
  });
  return { body, headers: { ...PAGE_HEADERS, ...again?.headers } };
};
