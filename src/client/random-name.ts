/** Returns 24 hexadecimal digits. `crypto.randomUUID` is missing on pages without https. */
export function randomName(): string {
  return Array.from(globalThis.crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
