/** Browser and system named by a User-Agent. */
import Bowser from 'bowser';

/**
 * @param agent as the client sent it: any text
 * @returns `Firefox 128 on Windows`; the text itself if it names no known browser; `unknown` if it is empty
 */
export function deviceName(agent: string): string {
  if (agent.trim() === '') return 'unknown';
  const { browser, os } = Bowser.parse(agent);
  if (!browser.name) return agent;
  const [major = ''] = (browser.version ?? '').split('.');
  const name = major === '' ? browser.name : `${browser.name} ${major}`;
  return os.name ? `${name} on ${os.name}` : name;
}
