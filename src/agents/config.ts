/** Environment variables with which the service describes itself to agents and other programs. */
import { z } from 'zod';
import type { ConfigOf, Variables } from '../config/variable.ts';

/** Allows `mailto:`, `tel:` and `https:`, without characters that could begin a new line. */
const CONTACT = /^(mailto:[^\s@,]+@[^\s@,]+|tel:\+?[0-9-]+|https:\/\/[^\s,]+)$/;

const contacts = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ''))
  .refine(
    (list) => list.length > 0 && list.every((one) => CONTACT.test(one)),
    'must be a list of mailto:security@example.com, https://example.com/report or tel:+1-201-555-0123',
  );

export const agentVariables = {
  securityContact: {
    name: 'SECURITY_CONTACT',
    schema: contacts.optional(),
    unset: 'the file does not exist',
    meaning:
      'the contacts for vulnerability reports in `/.well-known/security.txt`, most preferred first, separated by commas: ' +
      '`mailto:`, `https:` or `tel:` addresses',
  },
} satisfies Variables;
export type AgentConfig = ConfigOf<typeof agentVariables>;
