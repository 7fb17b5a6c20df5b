/** The commands for a restore, as docs/operations.md prints them. */
import { readFileSync } from 'node:fs';
import { CHART } from './chart.ts';

const DOCUMENT = new URL('../../docs/operations.md', import.meta.url);
const PUBLISHED_CHART = 'oci://ghcr.io/touchline/charts/touchline';
const TIME = '2026-11-20T04:00:00Z';

export interface RestoreRunbook {
  /** Commands in step 1. */
  stop: string;
  /** Commands before step 4, after a copy of the disk was restored. */
  restored(since: string): string;
  /** Commands in step 4. */
  start: string;
}

/**
 * Replaces a part of a text.
 * @throws {Error} if the document no longer contains that part
 */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`${DOCUMENT.pathname} does not have ${from} in: ${text}`);
  return text.replace(from, to);
}

/**
 * Reads the runbook. It refers to the chart in this folder.
 * @throws {Error} if a step prints no commands
 */
export function restoreRunbook(): RestoreRunbook {
  const text = readFileSync(DOCUMENT, 'utf8');
  const section = /^## Back up and restore\n([\s\S]*?)^##/m.exec(text)?.[1] ?? '';
  const commands = (what: string, after: string): string => {
    const found = new RegExp(`${after}[\\s\\S]*?\\n( *)\`\`\`sh\\n([\\s\\S]*?)\\n\\1\`\`\``).exec(section);
    if (found === null) throw new Error(`${DOCUMENT.pathname} prints no commands to ${what}`);
    return found[2]!;
  };
  const restored = commands('announce a copy of the disk', '\\nIf you restore a copy of the disk');
  return {
    stop: commands('stop the service', '\\n1\\. '),
    restored: (since) => replaced(restored, TIME, since),
    start: replaced(commands('start the service', '\\n4\\. '), PUBLISHED_CHART, CHART),
  };
}
