/** An honest identity provider, from the library `oidc-provider`, with pages for signing in and for consent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error the package has no types
import { Provider } from 'oidc-provider';
import { CLIENT } from './identity-provider.ts';

export interface Person {
  email: string;
  email_verified: boolean;
  groups: string[];
}

export interface OidcProvider {
  issuer: string;
  /** The people, by the name with which they sign in. */
  people: Map<string, Person>;
  close(): Promise<void>;
}

export async function startOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const people = new Map<string, Person>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    cookies: { keys: ['cookies of the tests'] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => {
      const found = people.get(id);
      return found && { accountId: id, claims: () => ({ sub: id, ...found }) };
    },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    people,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
