/** Confirmations after a form was sent. The URL has a code only, so that a link cannot put text on the page. */
import { z } from 'zod';

export const doneQuery = z.object({ done: z.string().max(40).optional() });

export const doneText = (texts: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
