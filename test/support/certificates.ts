/** Makes a test authority and certificates signed by it, with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** File with the certificate of the authority that clients have to trust. */
  ca: string;
  /**
   * Signs a certificate.
   * @param names as in subjectAltName: `DNS:example.com`, `IP:127.0.0.1`
   * @param days validity from yesterday on; 0 for an expired certificate
   */
  sign(names: string, days?: number): Certificate;
  remove(): void;
}

const DAY_MS = 86_400_000;

export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-certificates-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const path = (name: string) => join(folder, name);
  const key = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
  const stamp = (time: number) => new Date(time).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  key('ca');
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-subj', '/CN=tests', '-days', '2', '-out', 'ca.pem');
  writeFileSync(path('index'), '');
  writeFileSync(path('serial'), '01');
  let count = 0;
  return {
    ca: readFileSync(path('ca.pem'), 'utf8'),
    sign(names, days = 2) {
      count += 1;
      const name = `leaf${count}`;
      key(name);
      openssl('req', '-new', '-key', `${name}.key`, '-subj', `/CN=${name}`, '-out', `${name}.csr`);
      writeFileSync(
        path('ca.conf'),
        `[ca]\ndefault_ca=own\n[own]\nnew_certs_dir=.\ndatabase=index\nserial=serial\ndefault_md=sha256\npolicy=any\nx509_extensions=leaf\n[any]\ncommonName=supplied\n[leaf]\nauthorityKeyIdentifier=keyid\nsubjectAltName=${names}\n`,
      );
      const start = Date.now() - DAY_MS;
      const end = days === 0 ? Date.now() - DAY_MS / 2 : start + days * DAY_MS;
      openssl(
        'ca',
        '-batch',
        '-notext',
        '-config',
        'ca.conf',
        '-cert',
        'ca.pem',
        '-keyfile',
        'ca.key',
        '-startdate',
        stamp(start),
        '-enddate',
        stamp(end),
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.pem`,
      );
      return { key: readFileSync(path(`${name}.key`), 'utf8'), cert: readFileSync(path(`${name}.pem`), 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
