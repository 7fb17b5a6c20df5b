/** Names the browser and system in a User-Agent. */
import Bowser from 'bowser';

/**
 * @param agent any text that the client sent
 * @param words in the reader's language; by default, in English
 * @returns `Firefox 128 on Windows`; the text unchanged if it names no known browser; the word for unknown if it is empty
 */
export function deviceName(agent: string, words = { on: 'on', unknown: 'unknown' }): string {
  if (agent.trim() === '') return words.unknown;
  const { browser, os } = Bowser.parse(agent);
  if (!browser.name) return agent;
  const [major = ''] = (browser.version ?? '').split('.');
  const name = major === '' ? browser.name : `${browser.name} ${major}`;
  return os.name ? `${name} ${words.on} ${os.name}` : name;
}
