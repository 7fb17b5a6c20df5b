/** Forms of the pages: fields with labels, and what browsers send of them. */
import { invalidParameter } from '../http/errors.ts';
import { type Html, html } from '../http/html.ts';

interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local';
  value?: string | undefined;
  hint?: string;
  required?: boolean;
  autocomplete?: string;
  maxlength?: number;
  inputmode?: 'numeric';
}

export function field(of: Field): Html {
  const { name, label, type = 'text', value, hint, required = false, autocomplete = 'off', maxlength, inputmode } = of;
  const id = `field-${name}`;
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}"${value !== undefined && html` value="${value}"`}${
    maxlength !== undefined && html` maxlength="${maxlength}"`
  }${inputmode && html` inputmode="${inputmode}"`}${required && html` required`}${hint && html` aria-describedby="${id}-hint"`}>
${hint && html`<span class="note" id="${id}-hint">${hint}</span>`}</p>`;
}

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** The text of a field, without surrounding white space; empty where it was not sent. */
export const readText = (form: URLSearchParams | null, name: string): string => form?.get(name)?.trim() ?? '';

/** As it was typed: of passwords. */
export const readSecret = (form: URLSearchParams | null, name: string): string => form?.get(name) ?? '';

/** Of a field `datetime-local`, in UTC. @returns ms since 1970; undefined for an empty one. @throws {Problem} invalid_parameter */
export function parseTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const at = Date.parse(`${text}Z`);
  if (Number.isNaN(at)) throw invalidParameter(name, 'invalid_time', 'is not a time');
  return at;
}

/** Lines or words of a field: origins, addresses. */
export const readList = (form: URLSearchParams | null, name: string): string[] =>
  readText(form, name)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
