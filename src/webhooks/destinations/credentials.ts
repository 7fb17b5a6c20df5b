/** Settings that the message brokers share: encryption, user name and password. */
import { z } from 'zod';

/** Characters of a user name or a password, without control characters. */
const credential = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\p{Cc}]+$/u, 'must not contain control characters');

export const credentials = {
  tls: z
    .boolean()
    .default(true)
    .meta({ description: 'False only for brokers that the installation allows without TLS' }),
  username: credential.nullable().default(null),
  password: credential
    .nullable()
    .default(null)
    .meta({ description: 'Stored encrypted. Null in replies; null in a change keeps it' }),
};

export const hasCredentials = ({ username, password }: { username: string | null; password: string | null }): boolean =>
  username !== null && password !== null;
