/** A version of the drawn pictures for their URLs on pages, so that browsers request them again once they are drawn differently. */
import { hash } from 'node:crypto';
import { colourRows } from '../identity/index.ts';
import { SHIRT_PATTERNS } from '../wire/team-colours.ts';
import { playerSvg, shieldSvg } from './monogram.ts';

const LENGTH = 6;

/** Computed from the list of colours and from one drawing of each kind. */
export const DRAWINGS_VERSION = hash(
  'sha256',
  JSON.stringify([
    colourRows(),
    shieldSvg('Pine Town', null),
    SHIRT_PATTERNS.map((pattern) => shieldSvg('Pine Town', { pattern, colours: ['#111111', '#ffffff', '#c8102e'] })),
    playerSvg('Pine Town'),
  ]),
  'base64url',
).slice(0, LENGTH);
