/**
 * Checks that lines are not too long to read in rooms with HTML templates, since the formatter does not break text in
 * templates. Page texts are in a separate folder, where each sentence is one line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SOURCE = resolve(import.meta.dirname, '../../src');
const ROOMS = ['agents', 'calendars', 'guides', 'portal', 'site', 'web', 'widgets'];
const MOST = 140;

const faults = ROOMS.flatMap((room) =>
  readdirSync(resolve(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !(room === 'site' && file.startsWith('texts/')))
    .flatMap((file) =>
      readFileSync(resolve(SOURCE, room, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => ([...line].length > MOST ? [`src/${room}/${file}:${index + 1}`] : [])),
    ),
);
for (const fault of faults) console.error(`${fault}: longer than ${MOST} characters`);
if (faults.length > 0) process.exit(1);
