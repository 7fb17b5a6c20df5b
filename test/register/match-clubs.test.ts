import assert from 'node:assert/strict';
import { foldName } from '../../src/db/fold-name.ts';
import { identifyParticipant, storedKey } from '../../src/identity/entity-keys.ts';
import { readClubName } from '../../src/register/club-names.ts';
import type { Entry } from '../../src/register/decision.ts';
import { type Club, decideClubs } from '../../src/register/match-clubs.ts';

describe('entries of a register that are clubs', () => {
  const entry = (register_id: string, name: string, given: Partial<Entry> = {}): Entry => ({
    register_id,
    name,
    full_name: null,
    countries: ['DE'],
    since: null,
    idCount: 4,
    ...given,
  });
  const club = (id: number, name: string, given: Partial<Club> = {}): Club => ({
    id,
    sport: 'football',
    gender: 'men',
    country: 'DE',
    key: storedKey(identifyParticipant({ type: 'team', sport: 'football', country: given.country ?? 'DE', name })),
    names: [readClubName(foldName(name))],
    founded: null,
    first: null,
    until: null,
    ...given,
  });
  const decide = (entries: Entry[], clubs: Club[]) =>
    decideClubs(entries, clubs)
      .map(({ register_id, entity_id, reason, candidates }) => [register_id, entity_id, reason, candidates] as const)
      .sort((a, b) => (a[0] < b[0] ? -1 : 1));

  it('are linked if names differ only in words such as FC, and in a year of one name', () => {
    assert.deepEqual(decide([entry('a', 'Rotweiler Ballverein e 1901')], [club(1, 'FC Rotweiler Ballverein e')]), [
      ['a', 1, 'name', []],
    ]);
    assert.deepEqual(decide([entry('a', 'SV Talheim 08')], [club(1, 'FC Talheim 09')]), []);
  });

  it('are not linked across countries, and a state with several associations stands for all of them', () => {
    const rovers = club(1, 'Talheim Rovers', { country: 'GB-SCT' });
    assert.deepEqual(decide([entry('a', 'Talheim Rovers')], [rovers]), []);
    const united = entry('a', 'Talheim Rovers F.C.', { countries: ['GB-ENG', 'GB-SCT', 'GB-WLS', 'GB-NIR'] });
    assert.deepEqual(decide([united], [rovers]), [['a', 1, 'name', []]]);
  });

  it('are not linked if IF, BK, FF and FC tell clubs of one town apart', () => {
    assert.deepEqual(decide([entry('a', 'Talheim FC')], [club(1, 'Talheim IF')]), []);
    assert.deepEqual(decide([entry('a', 'Talheim IF Fotboll FF')], [club(1, 'Talheim IF Fotboll')]), [
      ['a', 1, 'name', []],
    ]);
    assert.deepEqual(decide([entry('a', 'Talheim')], [club(1, 'Talheim IF')]), [['a', 1, 'name', []]]);
  });

  it('are in doubt if another entry with the name was founded in the year of our club', () => {
    const [former, present] = [
      entry('a', 'AS Talheim', { since: '1911-01-01', idCount: 3 }),
      entry('b', 'AS Talheim', { since: '2007-01-01', idCount: 1 }),
    ];
    const asked = (founded: number | null) => decide([former, present], [club(1, 'AS Talheim', { founded })]);
    assert.deepEqual(asked(null), [['a', 1, 'name', []]]);
    assert.deepEqual(asked(1911), [['a', 1, 'name', []]]);
    assert.deepEqual(asked(2007), [
      ['a', null, 'several_entries', [1]],
      ['b', null, 'several_entries', [1]],
    ]);
    assert.deepEqual(asked(1950), [['a', 1, 'name', []]], 'no entry has the year, so it says nothing');
  });

  it('keep squads apart', () => {
    const entries = [entry('b', 'FC Talheim II'), entry('c', 'FC Talheim 2'), entry('d', 'FC Talheim Women')];
    assert.deepEqual(decide(entries, [club(1, 'FC Talheim')]), []);
  });

  it('are chosen by their ids if several have the name, unless that is close', () => {
    const [many, women, empty] = [
      entry('a', 'FC Talheim', { idCount: 6 }),
      entry('b', 'FC Talheim', { idCount: 2 }),
      entry('c', 'FC Talheim', { idCount: 0 }),
    ];
    assert.deepEqual(decide([many, women, empty], [club(1, 'Talheim')]), [['a', 1, 'name', []]]);
    const close = entry('b', 'FC Talheim', { idCount: 4 });
    assert.deepEqual(decide([many, close], [club(1, 'Talheim')]), [
      ['a', null, 'several_entries', [1]],
      ['b', null, 'several_entries', [1]],
    ]);
  });

  it('without ids are linked by the whole name alone, and only to a club without matches', () => {
    assert.deepEqual(decide([entry('a', 'FC Talheim', { idCount: 0 })], [club(1, 'FC Talheim')]), [
      ['a', 1, 'name', []],
    ]);
    assert.deepEqual(decide([entry('a', 'FC Talheim', { idCount: 0 })], [club(1, 'FC Talheim', { first: 2018 })]), [
      ['a', null, 'weak_name', [1]],
    ]);
    assert.deepEqual(decide([entry('a', 'SV Talheim', { idCount: 0 })], [club(1, 'VfB Talheim')]), [
      ['a', null, 'weak_name', [1]],
    ]);
  });

  it('are in doubt if they were founded after our club had played, or after it was dissolved', () => {
    const later = entry('a', 'FC Talheim', { since: '2011-01-01' });
    assert.deepEqual(decide([later], [club(1, 'FC Talheim', { first: 1993 })]), [['a', null, 'founded_later', [1]]]);
    assert.deepEqual(decide([later], [club(1, 'FC Talheim', { first: 2010 })]), [['a', 1, 'name', []]]);
    assert.deepEqual(decide([later], [club(1, 'FC Talheim', { until: 2011 })]), [['a', null, 'founded_later', [1]]]);
  });

  it('go to the club with the best name, and all clubs that claim one are candidates', () => {
    const clubs = [club(1, 'FC Talheim'), club(2, 'SV Talheim')];
    assert.deepEqual(decide([entry('a', 'FC Talheim')], clubs), [['a', 1, 'name', [1, 2]]]);
    assert.deepEqual(decide([entry('a', 'VfB Talheim')], clubs), [['a', null, 'several_of_ours', [1, 2]]]);
  });
});
