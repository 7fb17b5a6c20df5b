/** What a page says after a form was sent: a code in its address, never text from there. */
import { z } from 'zod';

export const doneQuery = z.object({ done: z.string().max(40).optional() });

export const doneText = (texts: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(texts, code) ? texts[code] : undefined;
