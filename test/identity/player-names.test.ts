import assert from 'node:assert/strict';
import { foldName } from '../../src/db/fold-name.ts';
import { FIT, type Fit, matchName, readName } from '../../src/identity/player-names.ts';

const fit = (written: string, full: string): Fit => matchName(readName(written), foldName(full).split(' '));

describe('player names', () => {
  const SAME: [string, string][] = [
    ['Kylian Mbappé', 'Kylian Mbappé'],
    ['Kylian Mbappe', 'Kylian Mbappé'],
    ['Son Heung-Min', 'Heung-min Son'],
    ['Raphinha', 'Raphinha'],
    ['Saint Maximin Allan', 'Allan Saint-Maximin'],
  ];
  const ABBREVIATED: [string, string][] = [
    ['Salah M.', 'Mohamed Salah'],
    ['M. Salah', 'Mohamed Salah'],
    ['Wood Ch.', 'Chris Wood'],
    ['De Bruyne K.', 'Kevin De Bruyne'],
    ['Aubameyang P.', 'Pierre-Emerick Aubameyang'],
    ['Adamu J.', 'Junior Adamu'],
    ['Larsen J. S.', 'Jørgen Strand Larsen'],
    ['Gerson A.', 'Abel Gerson Jr.'],
  ];
  const SIMILAR: [string, string][] = [
    ['Valery Gromyko', 'Valeriy Gromyko'],
    ['Alex Moreno', 'Alexandre Moreno'],
    ['Luis Suárez Díaz', 'Luis Suárez'],
    ['Le Normand', 'Robin Le Normand'],
  ];
  const LOOSE: [string, string][] = [
    ['Xhaka', 'Granit Xhaka'],
    ['Kim M.', 'Kim Min-jae'],
  ];
  const INITIAL: [string, string][] = [
    ['Vangelis Pavlidis', 'Vasileios Pavlidis'],
    ['Joseph Gomez', 'Joe Gomez'],
  ];
  const DIFFERENT: [string, string][] = [
    ['Wood Ch.', 'Callum Wood'],
    ['Larsen J. S.', 'Jacob Bruun Larsen'],
    ['Lucas Hernandez', 'Theo Hernandez'],
    ['Xhaka', 'Xhaka Taulant'],
    ['Mbappé K.', 'Ethan Mbappé'],
    ['', 'Ethan Mbappé'],
    ['...', 'Ethan Mbappé'],
    ['%', 'Ethan Mbappé'],
  ];
  for (const [list, expected] of [
    [SAME, FIT.full],
    [ABBREVIATED, FIT.abbreviated],
    [SIMILAR, FIT.similar],
    [LOOSE, FIT.loose],
    [INITIAL, FIT.initial],
    [DIFFERENT, FIT.none],
  ] as const)
    for (const [written, full] of list)
      it(`${JSON.stringify(written)} matches ${full}`, () => assert.equal(fit(written, full), expected));
});
