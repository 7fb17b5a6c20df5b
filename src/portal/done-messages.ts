/** Confirmations that are shown after a form has been sent. The URL contains only a code, so that a link cannot put text on the page. */
import { z } from 'zod';

export const doneQuery = z.object({ done: z.string().max(40).optional() });

export const doneText = (texts: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
