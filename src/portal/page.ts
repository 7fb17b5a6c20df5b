/** The layout of the pages of an account, and of operators. Without scripts: forms and links alone. */
import { PROBLEMS, type Problem } from '../http/errors.ts';
import { type Html, html } from '../http/html.ts';
import type { Reply } from '../http/route.ts';
import { document } from '../web/layout.ts';

/** Pages with a navigation of their own. */
export interface Area {
  /** From the root of the service, without slashes. */
  path: string;
  label: string;
  /** Titles by the path of a section inside the area, in the order of the navigation. */
  sections: Readonly<Record<string, string>>;
}

const ACCOUNT: Area = {
  path: 'account',
  label: 'Account',
  sections: {
    '': 'Overview',
    keys: 'Keys',
    usage: 'Usage',
    webhooks: 'Webhooks',
    plan: 'Plan',
    audit: 'Audit log',
    security: 'Security',
  },
};

/** Nothing of a page may be kept or sent on; its forms send Origin, which a policy of `no-referrer` would make null. */
export const PAGE_HEADERS = { 'Referrer-Policy': 'same-origin' } as const;

interface PortalPage {
  title: string;
  /** See rootPath. */
  root: string;
  body: Html;
  /** Of who has signed in; null: nobody. */
  email: string | null;
  /** Without it: the account. */
  area?: Area;
  section?: string | undefined;
  /** A sentence above the page. */
  done?: string | undefined;
  problem?: Problem | undefined;
}

/** The path of the service, which may stand below another: `/` or `/sports/`. A page is shown at several paths, so links are not relative. */
export const rootPath = ({ baseUrl }: { baseUrl: string }): string =>
  `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;

export function portalPage(page: PortalPage): Reply {
  const { title, root, body, email, area = ACCOUNT, section, done, problem } = page;
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
<form method="post" action="${root}account/sign-out"><p class="note">${email}</p><button class="plain">Sign out</button></form>
</aside>`;
}

/** For people: which field is wrong, and why. */
function problemText({ options, message, code }: Problem): string {
  if (options.errors !== undefined)
    return options.errors
      .map(
        ({ parameter, detail }) =>
          `${parameter[0]!.toUpperCase()}${parameter.slice(1).replaceAll('_', ' ')}: ${detail}.`,
      )
      .join(' ');
  return message === PROBLEMS[code].title ? `${message}.` : message;
}

/** What is shown where a page cannot be answered at all. */
export const problemPage = (
  problem: Problem,
  _querystring: string,
  baseUrl: string,
): Pick<Reply, 'body' | 'headers'> => {
  const root = baseUrl === '' ? '/' : rootPath({ baseUrl });
  const { body } = portalPage({
    title: PROBLEMS[problem.code].title,
    root,
    email: null,
    body: html`<p class="panel">${problem.message}</p><p><a href="${root}account">Your account</a></p>`,
  });
  return { body, headers: PAGE_HEADERS };
};
