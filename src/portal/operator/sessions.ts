/** Open sessions in all accounts. */
import { z } from 'zod';
import { listSessions, sessionCookie } from '../../accounts/credentials/index.ts';
import { endOneSession } from '../../accounts/members/index.ts';
import { idParams, type Reply, type RouteInput } from '../../http/index.ts';
import { html } from '../../site/html.ts';
import { OPERATOR } from '../../site/texts/index.ts';
import { doneText } from '../done-messages.ts';
import { sessionTable } from '../session-table.ts';
import { isSecure, redirect } from '../visit.ts';
import { before, PAGE_SIZE, paged, searchForm, searchText } from './paging.ts';
import { type OperatorSection, operatorPage } from './section.ts';

const PATH = '/operator/sessions';
const { sessions: SESSIONS } = OPERATOR;

/** Redirects operators who have ended their current session to the sign-in page. */
export const afterEnd = (
  input: Pick<RouteInput<unknown, unknown, unknown>, 'baseUrl'>,
  isOwn: boolean,
  path: string,
): Reply =>
  isOwn
    ? redirect(input, '/account/sign-in?done=signed-out', [sessionCookie(null, isSecure(input))])
    : redirect(input, path);

const list = operatorPage({
  method: 'GET',
  path: PATH,
  summary: 'Who is signed in',
  query: z.object({ email: searchText, before, done: z.string().max(40).optional() }),
  handler: async ({ page, root, sessionHash, lang }, { query }, { pool, clock }) => {
    const { email } = query;
    const path = `${root}operator/sessions`;
    const found = await listSessions(pool, clock, { email, before: query.before }, PAGE_SIZE + 1);
    const { page: sessions, older } = paged(found, path, lang, { email });
    return page({
      title: SESSIONS[lang].title,
      done: doneText(SESSIONS[lang].done, query.done),
      body: html`${searchForm(path, { email: [SESSIONS[lang].email, email] }, lang)}
${sessionTable(
  sessions,
  {
    current: sessionHash,
    endPath: ({ id }) => `${path}/${id}/end`,
    account: (session) => html`<a href="${root}operator/accounts/${session.accountId}">${session.email}</a>`,
  },
  lang,
)}
${older}`,
    });
  },
});

const end = operatorPage({
  method: 'POST',
  path: `${PATH}/{id}/end`,
  summary: 'End a session',
  params: idParams,
  handler: async ({ actor, sessionHash }, input, deps) => {
    const ended = await endOneSession(deps, {}, input.params.id, actor);
    return afterEnd(input, ended.equals(sessionHash), `${PATH}?done=ended`);
  },
});

export const sessions: OperatorSection = {
  path: 'sessions',
  title: (lang) => SESSIONS[lang].title,
  pages: [list, end],
};
