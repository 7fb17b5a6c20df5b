import { wireTime } from '../../wire/time.ts';
import { type Html, html } from '../html.ts';

const time = (at: Date | string, length: number): Html => {
  const text = wireTime(new Date(at).getTime());
  return html`<time datetime="${text}">${text.slice(0, length).replace('T', ' ')}</time>`;
};

/** Shows a time in UTC, to the minute. */
export const dateTime = (at: Date | string): Html => time(at, 'YYYY-MM-DDTHH:MM'.length);

/** Shows a time in UTC, to the second, as logs do. */
export const logTime = (at: Date | string): Html => time(at, 'YYYY-MM-DDTHH:MM:SS'.length);
