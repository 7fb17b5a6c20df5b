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

interface Credentials {
  username: string | null;
  password: string | null;
}

/** The parts of a kind that all message brokers share. */
export const brokerKind = {
  secret: 'password',
  isSigned: true,
  needsSecret: ({ username }: Credentials): boolean => username !== null,
  isAuthorized: ({ username, password }: Credentials): boolean => username !== null && password !== null,
} as const;
