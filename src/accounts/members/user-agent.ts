/** Names the browser and system in a User-Agent. */
import Bowser from 'bowser';

/**
 * @param agent any text that the client sent
 * @returns `Firefox 128 on Windows`; the text unchanged if it names no known browser; `unknown` if it is empty
 */
export function deviceName(agent: string): string {
  if (agent.trim() === '') return 'unknown';
  const { browser, os } = Bowser.parse(agent);
  if (!browser.name) return agent;
  const [major = ''] = (browser.version ?? '').split('.');
  const name = major === '' ? browser.name : `${browser.name} ${major}`;
  return os.name ? `${name} on ${os.name}` : name;
}
