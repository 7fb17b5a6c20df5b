import type { AuditAction, AuditRow } from '../accounts/index.ts';
import type { Lang } from '../http/index.ts';
import { english, heads, logTime, nameText, scrollTable } from '../site/components/index.ts';
import { type Html, html } from '../site/html.ts';
import { ACCOUNT, AUDIT_RU, utcText } from '../site/texts/index.ts';

const AUDIT = { en: ACCOUNT.en.audit, ru: ACCOUNT.ru.audit };
const ACTIONS_RU: Readonly<Record<AuditAction, string>> = AUDIT_RU.actions;

const englishName = (action: string): string => action.replaceAll(/[._]/g, ' ');

/** Returns the action that the log shows as this text, in English or in Russian; the text itself if it is no known action. */
export const namedAction = (text: string): string =>
  Object.entries(ACTIONS_RU).find(([action, russian]) => [englishName(action), russian].includes(text))?.[0] ?? text;

const actionText = (action: string, lang: Lang): Html =>
  lang === 'ru' && Object.hasOwn(ACTIONS_RU, action)
    ? html`${ACTIONS_RU[action as AuditAction]}`
    : english(englishName(action), lang);

/** Shows the Russian form of a text on a Russian page; without one, the text itself. */
const shown = (text: string, toRussian: (text: string) => string | null, lang: Lang): Html => {
  const russian = lang === 'ru' ? toRussian(text) : null;
  return russian === null ? nameText(text, lang) : html`${russian}`;
};

/** `2026-05-10T12:00:00Z` */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null;

const valueText = (value: string, lang: Lang): Html =>
  TIME.test(value) ? html`${utcText(value)}` : shown(value, AUDIT_RU.value, lang);

/** Shows details as `name: value, name: value`, with nested details in brackets. The items of a list have no names. */
function detailsText(details: object, lang: Lang): Html {
  // The database sorts names by length.
  const entries = Object.entries(details).sort(([a], [b]) => Number(a === 'after') - Number(b === 'after'));
  const parts = entries.map(([name, value], index) => {
    const text = isGroup(value) ? html`(${detailsText(value, lang)})` : valueText(String(value), lang);
    const label = Array.isArray(details) ? '' : html`${shown(name, AUDIT_RU.detail, lang)}: `;
    return html`${index > 0 && ', '}${label}${text}`;
  });
  return html`${parts}`;
}

/** @param account returns the account of an entry, for an extra column */
export function auditTable<Row extends AuditRow>(
  entries: readonly Row[],
  lang: Lang,
  account?: (entry: Row) => Html,
): Html {
  const titles = account ? AUDIT[lang].columns.toSpliced(2, 0, AUDIT[lang].account) : AUDIT[lang].columns;
  const rows = entries.map(
    (entry) => html`<tr>
<td>${logTime(entry.at)}</td>
<td>${actionText(entry.action, lang)}</td>${account && html`<td class="email">${account(entry)}</td>`}
<td>${shown(entry.target ?? '', AUDIT_RU.target, lang)}</td>
<td class="email">${shown(entry.actor, AUDIT_RU.actor, lang)}${
      entry.by_operator && entry.actor !== 'operator' && html` <span class="note">${AUDIT[lang].byOperator}</span>`
    }</td>
<td>${entry.address ?? ''}</td>
<td class="details">${detailsText(entry.details, lang)}</td>
</tr>`,
  );
  return scrollTable({ label: AUDIT[lang].title, head: heads(titles), rows });
}
