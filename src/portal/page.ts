/** Layout of account and operator pages. They need no scripts, only forms and links. */

import type { Organisation } from '../accounts/members/index.ts';
import { type Lang, type Permission, PROBLEMS, type Problem, type RefusedPage, type Reply } from '../http/index.ts';
import { english } from '../site/components/index.ts';
import { selectField } from '../site/forms/fields.ts';
import { type Html, html } from '../site/html.ts';
import { document } from '../site/layout.ts';
import {
  ACCOUNT,
  CALENDAR_PAGE,
  EVENT_PAGES,
  KEYS,
  MEMBERS,
  NOTIFICATIONS,
  PROBLEM_TITLES_RU,
  russianDetail,
  russianMessage,
  SECURITY,
  SINGLE_SIGN_ON,
  USAGE,
  WEBHOOKS,
} from '../site/texts/index.ts';
import { tryAgain } from '../site/try-again.ts';

/** Group of pages with the same navigation. */
export interface Area {
  /** Path from the service's root, without slashes. */
  path: string;
  label: Readonly<Record<Lang, string>>;
  /** Titles in the order of the navigation, by section path inside the area. */
  sections: Readonly<Record<string, (lang: Lang) => string>>;
  /** The permissions of sections that not every member may open. */
  permissions?: Readonly<Record<string, Permission>>;
}

const ACCOUNT_AREA: Area = {
  path: 'account',
  label: { en: ACCOUNT.en.area, ru: ACCOUNT.ru.area },
  sections: {
    '': (lang) => ACCOUNT[lang].overview,
    keys: (lang) => KEYS[lang].title,
    usage: (lang) => USAGE[lang].title,
    webhooks: (lang) => WEBHOOKS[lang].title,
    events: (lang) => EVENT_PAGES[lang].title,
    calendar: (lang) => CALENDAR_PAGE[lang].title,
    notifications: (lang) => NOTIFICATIONS[lang].title,
    members: (lang) => MEMBERS[lang].title,
    plan: (lang) => ACCOUNT[lang].plan,
    audit: (lang) => ACCOUNT[lang].audit.title,
    'single-sign-on': (lang) => SINGLE_SIGN_ON[lang].title,
    security: (lang) => SECURITY[lang].title,
  },
  permissions: { keys: 'read', webhooks: 'read', events: 'read', audit: 'audit', 'single-sign-on': 'organisation' },
};

/**
 * Keeps URLs from other sites, which would get them as referrers. Forms still send Origin, which the policy `no-referrer` would set to
 * null.
 */
export const PAGE_HEADERS = { 'Referrer-Policy': 'same-origin' } as const;

/** Message above a page's content. */
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
  /** True if the page has a button of passkey-button.ts. */
  usesPasskeys?: boolean;
}

interface PortalPage extends Content {
  /** See rootPath. */
  root: string;
  lang: Lang;
  /**
   * The page's query without `lang`, which the language switch keeps. Absent for the reply to a form, because its address may not
   * lead to a page.
   */
  query?: string | undefined;
  /** The signed-in member's email; null if nobody is signed in. */
  email: string | null;
  /** The permissions of the member's role. By default all. */
  permissions?: ReadonlySet<Permission> | undefined;
  /** For the account area: the organisation for which the page's forms act, and all to which the member belongs. */
  organisations?: { current: number; all: readonly Organisation[] } | undefined;
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
  const {
    title,
    root,
    lang,
    query,
    email,
    area = ACCOUNT_AREA,
    section,
    done,
    problem,
    permissions,
    usesPasskeys,
    organisations,
  } = page;
  const text = document({
    lang,
    title: `${title} · Touchline`,
    root,
    // Pages of members do not show their query again, and some of them are opened by a link with a token.
    ...(query !== undefined && { query, isLink: true }),
    styles: ['account.css'],
    ...(usesPasskeys && { head: html`<script type="module" src="${root}assets/passkey.js"></script>` }),
    ...(section === 'notifications' && { data: NOTIFICATIONS[lang].script }),
    body: html`<div class="${email === null ? 'portal narrow' : 'portal'}">
${email !== null && navigation({ root, lang, email, area, section, permissions, organisations })}
<div class="content">
<h1>${title}</h1>
${done !== undefined && html`<p class="done" role="status">${done}</p>`}
${problem && html`<p class="problem" role="alert">${problemText(problem, lang)}</p>`}
${page.body}
</div>
</div>`,
  });
  const body = organisations === undefined ? text : withOrganisation(text, organisations.current);
  return { status: problem?.status ?? 200, body, headers: { ...PAGE_HEADERS, ...problem?.options.headers } };
}

type Navigation = Pick<PortalPage, 'root' | 'lang' | 'section' | 'permissions' | 'organisations'> & {
  email: string;
  area: Area;
};

function navigation(page: Navigation): Html {
  const { root, lang, email, area, section: current, permissions } = page;
  const { path, label, sections } = area;
  const isOpen = (section: string) => {
    const needed = area.permissions?.[section];
    return needed === undefined || permissions === undefined || permissions.has(needed);
  };
  const open = Object.entries(sections).filter(([section]) => isOpen(section));
  const links = open.map(
    ([section, name]) =>
      html`<a href="${root}${path}${section && `/${section}`}"${section === current && html` aria-current="page"`}>${name(lang)}</a>`,
  );
  return html`<aside>
${organisationPart(page)}
<nav aria-label="${label[lang]}">${links}</nav>
<form method="post" action="${root}account/sign-out"><p class="note">${email}</p>
<button class="plain">${ACCOUNT[lang].signOut}</button></form>
</aside>`;
}

/** The organisation's name, unless it is the member's address, which is below; and the switch for people who belong to several. */
function organisationPart({ root, lang, email, organisations }: Navigation): Html | false {
  if (organisations === undefined) return false;
  const { current, all } = organisations;
  const name = all.find(({ id }) => id === current)?.name;
  if (all.length < 2) return name !== undefined && name !== email && html`<p class="note organisation">${name}</p>`;
  return html`<form class="organisation" method="post" action="${root}account/switch">
${selectField({
  name: 'to',
  id: 'organisation-switch',
  label: MEMBERS[lang].organisation,
  options: all.map((one) => [String(one.id), one.name] as const),
  chosen: String(current),
})}<button class="plain">${MEMBERS[lang].switch}</button></form>`;
}

/** The field in which a form says for which organisation it acts. */
export const ORGANISATION_FIELD = 'organisation';

/**
 * Adds the organisation to each form of a page, so that none of them can forget it: a form that is sent after a switch in a second
 * tab must not act for the other organisation.
 */
const withOrganisation = (text: string, current: number): string =>
  text.replaceAll(
    /<form [^>]*method="post"[^>]*>/g,
    (tag) => `${tag}<input type="hidden" name="${ORGANISATION_FIELD}" value="${current}">`,
  );

/** Like the form labels: `match_id` becomes `Match id`, and `url` becomes `URL`. */
const fieldName = (parameter: string): string =>
  parameter === 'url'
    ? ACCOUNT.en.url
    : `${parameter.charAt(0).toUpperCase()}${parameter.slice(1).replaceAll('_', ' ')}`;

/** Says what is wrong. A text without a Russian form is marked as English. */
function problemText({ options, message, code }: Problem, lang: Lang): Html {
  if (options.errors !== undefined)
    return html`${options.errors.map(({ parameter, detail }) => {
      const russian = lang === 'ru' ? russianDetail(parameter, detail) : null;
      return html`${russian ?? english(`${fieldName(parameter)}: ${detail}.`, lang)} `;
    })}`;
  if (message === PROBLEMS[code].title) return html`${problemTitle(code, lang)}.`;
  return html`${(lang === 'ru' ? russianMessage(message) : null) ?? english(message, lang)}`;
}

const problemTitle = (code: Problem['code'], lang: Lang): string =>
  lang === 'en' ? PROBLEMS[code].title : PROBLEM_TITLES_RU[code];

/** Renders an error in place of a page. */
export const problemPage = (problem: Problem, refused: RefusedPage): Pick<Reply, 'body' | 'headers'> => {
  const { baseUrl, lang } = refused;
  const root = baseUrl === '' ? '/' : rootPath({ baseUrl });
  const again = tryAgain(problem, refused);
  const { body } = portalPage({
    title: problemTitle(problem.code, lang),
    root,
    lang,
    email: null,
    body: html`<p class="panel">${problemText(problem, lang)}</p>
${again?.body ?? html`<p><a href="${root}account">${ACCOUNT[lang].own}</a></p>`}`,
  });
  return { body, headers: { ...PAGE_HEADERS, ...again?.headers } };
};
