import assert from 'node:assert/strict';
import { routes } from '../../src/catalogue/routes.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { findImporter } from '../../src/importers/formats.ts';
import { runImport } from '../../src/importers/run.ts';
import { openPairs } from '../../src/pairs/pairs.ts';
import { createRegisterPairs } from '../../src/pairs/register-pairs.ts';
import { doubtsAsCsv, linkRegisters } from '../../src/register/index.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { filesOf, removeFiles } from '../importers/fixture.ts';

const HEAD = 'reep_id,key_wikidata,name,country,founded,key_transfermarkt,key_fbref\n';
const PEOPLE = 'key_wikidata,type,name,full_name,date_of_birth,nationality,key_transfermarkt\n';

describe('a register', () => {
  let fed: Fed;
  beforeEach(async () => {
    fed = await startFed(routes);
  });
  afterEach(() => fed.close());
  after(removeFiles);

  const importFiles = (files: Record<string, string>) =>
    runImport(
      {
        pool: fed.db.pool,
        clock: { now: () => fed.now },
        changes: { publish: () => undefined },
        entities: new EntityCache(),
      },
      findImporter('reep')!,
      filesOf(files),
      { progress: false },
    );
  const club = (name: string, id?: string) =>
    fed.participants({ type: 'team', sport: 'football', country: 'DE', name, ...(id !== undefined && { id }) });
  const map = async (type: string, provider: string, id: string) => {
    const { json } = await fed.app.ask<{ external_ids: { id: number }[] }>(
      `/v1/map?type=${type}&provider=${provider}&ids=${id}`,
    );
    return json.external_ids?.map(({ id }) => id);
  };
  const refs = async () => (await fed.db.pool.query('SELECT * FROM external_ref ORDER BY 1, 2, 3')).rows;

  it('gives our clubs and players the ids in it, also if it is imported before them', async () => {
    const before = await importFiles({
      'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,1900-01-01,27,abc\nreep_t2,Q2,FC Nowhere,Germany,,28,\n`,
      'people.csv': `${PEOPLE}Q9,player,Jan Novák,,1990-05-17,Germany,77\n`,
    });
    assert.deepEqual([before.changed, before.rejected], [3, 0]);
    assert.deepEqual(
      (await linkRegisters(fed.db.pool)).map(({ entity, entries, linked }) => [entity, entries, linked]),
      [
        ['player', 1, 0],
        ['team', 2, 0],
      ],
    );
    await club('Talheim');
    await fed.participants({ type: 'player', sport: 'football', name: 'Jan Novak', birth_date: '1990-05-17' });
    await linkRegisters(fed.db.pool);
    const [team, player] = [await fed.participantId('Talheim'), await fed.participantId('Jan Novak')];
    assert.deepEqual(await map('team', 'transfermarkt', '27'), [team]);
    assert.deepEqual(await map('team', 'reep', 'reep_t1'), [team]);
    assert.deepEqual(await map('player', 'wikidata', 'Q9'), [player]);
    const { rows } = await fed.db.pool.query("SELECT FROM participant WHERE name LIKE '%Nowhere%'");
    assert.equal(rows.length, 0, 'an entry never becomes a participant');
    const stored = await refs();
    const again = await importFiles({
      'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,1900-01-01,27,abc\nreep_t2,Q2,FC Nowhere,Germany,,28,\n`,
    });
    await linkRegisters(fed.db.pool);
    assert.deepEqual([again.changed, again.unchanged], [0, 2]);
    assert.deepEqual(await refs(), stored);
  });

  it('takes an id back if its entry is not linked any more, and leaves the ids of providers alone', async () => {
    await club('Talheim', 'own');
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,,27,\n` });
    await linkRegisters(fed.db.pool);
    assert.equal((await map('team', 'transfermarkt', '27'))?.length, 1);
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,FC Elsewhere,Germany,,27,\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(
      (await refs()).map(({ provider, external_id }) => [provider, external_id]),
      [['tests', 'own']],
    );
  });

  it('rejects a birth date in the future and an id that is repeated', async () => {
    const { rejected, faults } = await importFiles({
      'people.csv': `${PEOPLE}Q9,player,Jan Novák,,2094-05-17,Germany,77\nQ8,player,A,,,,\nQ8,player,B,,,,\n`,
    });
    assert.equal(rejected, 2);
    assert.match(faults[0]!, /people\.csv:2: the date 2094-05-17 is in the future/u);
    assert.match(faults[1]!, /people\.csv:4: repeats the id Q8 of an earlier row/u);
  });

  it('leads to the club that remains if it names a merged club', async () => {
    await club('Talheim');
    await club('Bergdorf');
    const [stays, gone] = [await fed.participantId('Talheim'), await fed.participantId('Bergdorf')];
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,FC Bergdorf,Germany,,27,\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'transfermarkt', '27'), [gone]);
    await fed.db.pool.query('UPDATE participant SET person_id = $1 WHERE id = $2', [stays, gone]);
    await fed.db.pool.query('UPDATE participant_alias SET participant_id = $1 WHERE participant_id = $2', [
      stays,
      gone,
    ]);
    assert.deepEqual(await map('team', 'transfermarkt', '27'), [stays]);
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'transfermarkt', '27'), [stays]);
  });

  it('does not take an entry whose ids say that the team is for women', async () => {
    await club('Talheim');
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,,27,talheim-frauen\n` });
    await linkRegisters(fed.db.pool);
    assert.equal(await map('team', 'reep', 'reep_t1'), undefined);
  });

  it('adds the listed ids of clubs that it lacks, and links an entry that has one of them', async () => {
    await fed.participants({ type: 'team', sport: 'football', country: 'AR', name: 'Boca Juniors' });
    await linkRegisters(fed.db.pool);
    const boca = await fed.participantId('Boca Juniors');
    assert.deepEqual(await map('team', 'transfermarkt', '189'), [boca], 'without any register');
    assert.deepEqual(await map('team', 'wikidata', 'Q170703'), [boca]);
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q170703,Xeneize,Argentina,,189,abc\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'fbref', 'abc'), [boca]);
    await fed.db.pool.query("INSERT INTO external_ref VALUES ('team', 'transfermarkt', 'old', $1, 'listed')", [boca]);
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'transfermarkt', 'old'), [], 'the file does not list it any more');
  });

  const pairs = async () => {
    await createRegisterPairs({ pool: fed.db.pool, clock: { now: () => fed.now } })();
    return (await openPairs(fed.db.pool, 10)).map(({ known, other }) => `${known.name} = ${other.name}`);
  };

  it('makes a pair of two of ours that claim the same entry, once', async () => {
    await club('FC Talheim');
    await club('SV Talheim');
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,VfB Talheim,Germany,,27,\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'transfermarkt', '27'), undefined, 'nobody gets the id');
    assert.deepEqual(await pairs(), ['FC Talheim = SV Talheim']);
    assert.deepEqual(await pairs(), ['FC Talheim = SV Talheim']);
    assert.match(
      await doubtsAsCsv(fed.db.pool),
      /team,Q1,VfB Talheim,,3,several_of_ours,\d+ FC Talheim \(DE\) \| \d+ SV Talheim \(DE\)/u,
    );
  });

  it('makes a pair of two of ours that claim one id of a provider and gives it to neither', async () => {
    await club('Talheim');
    await club('Bergdorf');
    await importFiles({
      'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,,27,\nreep_t2,Q2,FC Bergdorf,Germany,,27,\n`,
    });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'reep', 'reep_t1'), [await fed.participantId('Talheim')]);
    assert.deepEqual(await map('team', 'transfermarkt', '27'), undefined);
    assert.deepEqual(await pairs(), ['Talheim = Bergdorf']);
  });

  it('keeps the id that a provider itself has given, and makes a pair with the entity that has it', async () => {
    await club('Talheim');
    await club('Bergdorf');
    const bergdorf = await fed.participantId('Bergdorf');
    await fed.db.pool.query("INSERT INTO external_ref VALUES ('team', 'fbref', 'abc', $1)", [bergdorf]);
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,FC Talheim,Germany,,27,abc\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await map('team', 'fbref', 'abc'), [bergdorf]);
    assert.deepEqual(await map('team', 'reep', 'reep_t1'), [bergdorf], 'a known id decides, not the name');
  });

  it('makes no pair of two that have played each other', async () => {
    await fed.matches({
      id: 'm',
      sport: 'football',
      tournament: { name: 'League', country: 'DE' },
      season: { label: '2023/24' },
      home: { name: 'FC Talheim', country: 'DE' },
      away: { name: 'SV Talheim', country: 'DE' },
      scheduled_start: '2024-01-01T15:00:00Z',
    });
    await importFiles({ 'teams.csv': `${HEAD}reep_t1,Q1,VfB Talheim,Germany,,27,\n` });
    await linkRegisters(fed.db.pool);
    assert.deepEqual(await pairs(), []);
  });
});
