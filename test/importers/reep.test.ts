import { strict as assert } from 'node:assert';
import { reep } from '../../src/importers/reep/reep.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

const TEAMS = `reep_id,key_wikidata,name,country,founded,stadium,key_transfermarkt,key_fbref
reep_t1,Q9617,Arsenal F.C.,United Kingdom,1886-01-01,Emirates Stadium,11,18bb7c10
`;
const PEOPLE = 'key_wikidata,type,name,full_name,date_of_birth,nationality,key_transfermarkt,key_wyscout\n';

describe('importer reep', () => {
  after(removeFiles);
  const read = async (files: Record<string, string>) => readAll(reep, filesOf(files));

  it('reads clubs, competitions and people with their ids, and nothing from other files', async () => {
    const { entries, faults } = await read({
      'competitions.csv': 'reep_id,key_wikidata,name,country,key_fbref\nreep_l1,Q9448,Premier League,,9\n',
      'people-sample.csv': `${PEOPLE}Q99760796,player,Cole Palmer,Cole Jermaine Palmer,2002-05-06,United Kingdom,568177,\n`,
      'seasons.csv': 'reep_id,name\nreep_s1,1898\n',
      'teams.csv': TEAMS,
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(entries, [
      {
        register: 'reep',
        entity: 'tournament',
        register_id: 'reep_l1',
        name: 'Premier League',
        full_name: null,
        countries: [],
        since: null,
        ids: { reep: 'reep_l1', wikidata: 'Q9448', fbref: '9' },
      },
      {
        register: 'reep',
        entity: 'player',
        register_id: 'Q99760796',
        name: 'Cole Palmer',
        full_name: 'Cole Jermaine Palmer',
        countries: ['GB-ENG', 'GB-SCT', 'GB-WLS', 'GB-NIR'],
        since: '2002-05-06',
        ids: { reep: 'Q99760796', wikidata: 'Q99760796', transfermarkt: '568177' },
      },
      {
        register: 'reep',
        entity: 'team',
        register_id: 'reep_t1',
        name: 'Arsenal F.C.',
        full_name: null,
        countries: ['GB-ENG', 'GB-SCT', 'GB-WLS', 'GB-NIR'],
        since: '1886-01-01',
        ids: { reep: 'reep_t1', wikidata: 'Q9617', transfermarkt: '11', fbref: '18bb7c10' },
      },
    ]);
  });

  it('has no country for a state that has fallen apart, no day that Wikidata does not know, and no address as an id', async () => {
    const { entries } = await read({
      'people.csv': `${PEOPLE}Q1,player,Oleg Blokhin,,http://www.wikidata.org/.well-known/genid/8de40,Soviet Union,https://example.org/1,\n`,
    });
    assert.deepEqual(
      entries.map(({ countries, since, ids }) => ({ countries, since, ids })),
      [{ countries: [], since: null, ids: { reep: 'Q1', wikidata: 'Q1' } }],
    );
  });

  it('rejects rows without an id or a name, with a wrong day, and with a long id, and names the line', async () => {
    const { entries, faults } = await read({
      'people.csv': `${PEOPLE},player,Nobody,,,,,\nQ2,player,,,,,,\nQ3,player,Somebody,,12/05/1990,,,\nQ4,player,Somebody,,,,${'9'.repeat(10_240)},\nQ5,player,Somebody,,,,1,\n`,
    });
    assert.deepEqual(
      faults.map(({ position, detail }) => [position.replace(/.*:/u, ''), detail]),
      [
        ['2', 'the row has no id: reep_id and key_wikidata are empty'],
        ['3', 'the name is missing'],
        ['4', '"12/05/1990" is not a day such as 1998-12-20'],
        ['5', 'transfermarkt has more than 200 characters'],
      ],
    );
    assert.deepEqual(
      entries.map(({ register_id }) => register_id),
      ['Q5'],
    );
  });
});
