import { wireTime } from '../../wire/time.ts';
import { type Html, html } from '../html.ts';

/** Shows a time in UTC, to the minute. */
export function dateTime(at: Date | string): Html {
  const text = wireTime(new Date(at).getTime());
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`;
}
