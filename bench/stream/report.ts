/** Lines of results. */
export const verdict = (met: boolean) => (met ? 'met' : 'MISSED');

export const line = (name: string, ...parts: string[]) => console.log(`${name.padEnd(24)} ${parts.join('  ')}`);

/** A load client busier than this may be what is measured. */
const CLIENT_BUSY = 0.9;

export function clientNote(loopBusy: number, lagP99: number): string {
  const note = `client's loop ${(loopBusy * 100).toFixed(0)} % busy, lag p99 ${lagP99.toFixed(0)} ms`;
  return loopBusy > CLIENT_BUSY ? `${note}: THE CLIENT MAY BE THE LIMIT` : note;
}
