/**
 * Certificate and key files. They are checked when the configuration is read. The code that uses a file reads it again,
 * since certificates may have been renewed.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @returns what is wrong with the file, or null */
function findPemError(path: string, check: (pem: string) => string | null): string | null {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    return `cannot read ${path} (${(error as NodeJS.ErrnoException).code})`;
  }
  return pem.trim() === '' ? `${path} is empty` : check(pem);
}

/** @returns what is wrong with a certificate file, or null */
export const certificateError = (path: string) =>
  findPemError(path, (pem) => {
    try {
      const found = pem.match(CERTIFICATE) ?? [];
      for (const one of found) new X509Certificate(one);
      return found.length > 0 ? null : `${path} holds no certificate in PEM`;
    } catch {
      return `${path} holds a damaged certificate`;
    }
  });

/** @returns what is wrong with a private key file, or null */
export const keyError = (path: string) =>
  findPemError(path, (pem) => {
    try {
      createPrivateKey(pem);
      return null;
    } catch {
      return /ENCRYPTED/.test(pem)
        ? `${path} is encrypted: the key must have no passphrase`
        : `${path} holds no private key in PEM`;
    }
  });

/** Whether a certificate and a key, each of which is valid, belong together. */
export const isPair = (certFile: string, keyFile: string): boolean =>
  new X509Certificate(readFileSync(certFile)).checkPrivateKey(createPrivateKey(readFileSync(keyFile)));

const path = (fault: (file: string) => string | null) =>
  z.string().superRefine((file, context) => {
    const message = fault(file);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** Path to a file with one or more certificates. */
export const certificateFile = path(certificateError);
/** Path to a file with a private key. */
export const keyFile = path(keyError);
/** Path to a file with a secret. */
export const secretFile = path((file) => findPemError(file, () => null));
