/** Lines of results. */
export const verdict = (met: boolean) => (met ? 'met' : 'MISSED');

export const line = (name: string, ...parts: string[]) => console.log(`${name.padEnd(24)} ${parts.join('  ')}`);

/** If a load client is busier than this, the client itself may be the limit. */
const CLIENT_BUSY = 0.9;

export function clientNote(busy: number): string {
  const note = `clients ${(busy * 100).toFixed(0)} % busy`;
  return busy > CLIENT_BUSY ? `${note}: THEY MAY BE THE LIMIT` : note;
}
