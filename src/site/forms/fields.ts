/** Form fields with labels, and functions that parse the values that browsers send. */
import { invalidParameter, type Lang } from '../../http/index.ts';
import { type Html, html } from '../html.ts';

interface Field {
  name: string;
  label: string;
  /** Ends the element's id. The default is the name. Needed if a page has several fields with the same name. */
  id?: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'time' | 'datetime-local';
  value?: string | undefined;
  hint?: string;
  required?: boolean;
  autocomplete?: string;
  maxlength?: number;
  inputmode?: 'numeric';
}

export function field(of: Field): Html {
  const { name, label, type = 'text', value, hint, required = false, autocomplete = 'off', maxlength, inputmode } = of;
  const id = `field-${of.id ?? name}`;
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}"${value !== undefined && html` value="${value}"`}${
    maxlength !== undefined && html` maxlength="${maxlength}"`
  }${inputmode && html` inputmode="${inputmode}"`}${required && html` required`}${hint && html` aria-describedby="${id}-hint"`}>
${hint && html`<span class="note" id="${id}-hint">${hint}</span>`}</p>`;
}

/** A field for several lines. */
export const linesField = ({
  name,
  label,
  value,
  hint,
}: {
  name: string;
  label: string;
  value: string;
  hint: Html | string;
}): Html => {
  const id = `field-${name}`;
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="4" spellcheck="false" autocomplete="off" aria-describedby="${id}-hint">${value}</textarea>
<span class="note" id="${id}-hint">${hint}</span></p>`;
};

export const checkbox = ({ name, label, checked }: { name: string; label: string; checked: boolean }): Html =>
  html`<p class="field"><label><input type="checkbox" name="${name}"${checked && html` checked`}> <span>${label}</span></label></p>`;

interface Choice {
  name: string;
  label: string;
  id?: string;
  /** A text that is not in the page's language names its language. */
  options: readonly (readonly [value: string, text: string, lang?: Lang])[];
  chosen?: string | undefined;
}

export const selectField = ({ name, label, id = name, options, chosen }: Choice): Html =>
  html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map(
    ([value, text, lang]) =>
      html`<option value="${value}"${lang && html` lang="${lang}"`}${value === chosen && html` selected`}>${text}</option>`,
  )}</select></p>`;

/**
 * A form with one button.
 * @param kind CSS class of the button
 * @param label for screen readers, if the button's text alone is not clear
 */
export const postButton = (
  action: string,
  text: string,
  { kind, label }: { kind?: 'plain' | 'danger' | 'main'; label?: string } = {},
): Html =>
  html`<form method="post" action="${action}"><button${kind && html` class="${kind}"`}${
    label !== undefined && html` aria-label="${label}"`
  }>${text}</button></form>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** Returns a field's text, trimmed. It is empty if the browser did not send the field. */
export const readText = (form: URLSearchParams | null, name: string): string => form?.get(name)?.trim() ?? '';

/** Returns a password exactly as typed. */
export const readSecret = (form: URLSearchParams | null, name: string): string => form?.get(name) ?? '';

/** Parses a `datetime-local` field as UTC. @returns ms since 1970; undefined if it is empty. @throws {Problem} invalid_parameter */
export function parseTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const at = Date.parse(`${text}Z`);
  if (Number.isNaN(at)) throw invalidParameter(name, 'invalid_time', 'is not a time');
  return at;
}

/** Returns a field's lines, trimmed, without empty ones. */
export const readLines = (form: URLSearchParams | null, name: string): string[] =>
  readText(form, name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Splits a field into lines or words, such as origins or addresses. */
export const readList = (form: URLSearchParams | null, name: string): string[] =>
  readText(form, name)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
