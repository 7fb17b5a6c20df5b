/**
 * Tests damaged files, and files in a different format. Importers must not lose a record silently, and must go on with
 * the next file.
 */
import { strict as assert } from 'node:assert';
import { gzipSync } from 'node:zlib';
import { findImporter } from '../../src/importers/formats.ts';
import type { Importer } from '../../src/importers/importer.ts';
import { filesOf, readAll, removeFiles } from './fixture.ts';

/** A sample in a format: a file with two records, the second record's position, and a word in the second record. */
interface Sample {
  format: string;
  name: string;
  content: string;
  second: string;
  word: string;
  /** Further files that are needed to read it. */
  beside?: Record<string, string>;
  /** A record after the second one. It has to be read even if a quote or a byte in the second one is damaged. */
  third?: string;
}

const json = (value: unknown) => JSON.stringify(value);

const SAMPLES: Sample[] = [
  {
    format: 'football-data',
    name: 'E0.csv',
    content: 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nE0,11/08/2023,Burnley,Málaga,0,3,A\nE0,12/08/2023,Arsenal,Fulham,2,1,H\n',
    second: ':3',
    word: 'Arsenal',
  },
  {
    format: 'fivethirtyeight',
    name: 'spi_matches.csv',
    content: 'date,league_id,league,team1,team2,score1,score2\n2018-03-01,2411,x,Burnley,Málaga,1,0\n2018-03-02,2411,x,Arsenal,Fulham,1,0\n',
    second: ':3',
    word: 'Arsenal',
  },
  {
    format: 'nhl-data',
    name: 'nhl_1979-2016.csv',
    content: 'season,date,home,away,gf,ga,ot,so,tie,playoff\n1992-93,1992-10-06,Boston Bruins,Carolina Hurricanes,3,2,N,,N,N\n1992-93,1992-10-07,Buffalo Sabres,Detroit Red Wings,6,4,N,,N,N\n',
    second: ':3',
    word: 'Buffalo',
  },
  {
    format: 'fivethirtyeight-elo',
    name: 'nba_elo.csv',
    content: 'date,season,neutral,playoff,team1,team2,score1,score2\n2022-10-18,2023,0,,BOS,PHI,126,117\n2022-10-18,2023,0,,GSW,LAL,123,109\n',
    second: ':3',
    word: 'GSW',
  },
  {
    format: 'international-results',
    name: 'results.csv',
    content: 'date,home_team,away_team,home_score,away_score,tournament\n2016-06-25,Curaçao,Portugal,0,1,UEFA Euro\n2016-06-26,Italy,Spain,0,1,UEFA Euro\n',
    second: ':3',
    word: 'Italy',
  },
  {
    format: 'venues',
    name: 'stadiums.csv',
    content: 'Team,FDCOUK,City,Stadium,Capacity,Latitude,Longitude,Country\n,,Málaga,La Rosaleda,30044,36.7,-4.4,Spain\n,,London,Emirates Stadium,60361,51.5,-0.1,England\n',
    second: ':3',
    word: 'London',
  },
  {
    format: 'reep',
    name: 'teams.csv',
    content: 'reep_id,key_wikidata,name,country,founded,key_transfermarkt\nreep_t1,Q12375,Málaga CF,Spain,1904-04-03,1084\nreep_t2,Q9617,Arsenal F.C.,United Kingdom,1886-01-01,11\n',
    second: ':3',
    word: 'Arsenal',
  },
  {
    format: 'names',
    name: 'names.csv',
    content: 'entity,sport,country,name,locale,text\nparticipant,football,ES,Málaga,ru,Малага\nparticipant,football,GB-ENG,Arsenal,ru,Арсенал\n',
    second: ':3',
    word: 'Arsenal',
  },
  {
    format: 'wyscout',
    name: 'matches.csv',
    content: 'match_id,competition,start_utc,home_id,away_id,home_score,away_score\n1,Spain,2017-08-18 20:00:00,1,2,0,0\n2,Spain,2017-08-19 20:00:00,2,1,0,0\n',
    second: ':3',
    word: '2,Spain',
    beside: { 'teams.csv': 'team_id,name\n1,Málaga\n2,Getafe\n', 'players.csv': 'player_id\n1\n' },
  },
  {
    format: 'fjelstul',
    name: 'matches.csv',
    content: 'match_id,tournament_id,tournament_name,match_date,home_team_name,away_team_name,home_team_score,away_team_score,stage_name\nM-1,WC-2022,x,2022-11-20,Curaçao,Ecuador,0,2,final\nM-2,WC-2022,x,2022-11-21,England,Iran,6,2,final\n',
    second: ':3',
    word: 'England',
  },
  {
    format: 'openfootball-json',
    name: '2023-24/en.1.json',
    content: json({ name: 'English Premier League 2023/24', matches: [{ round: 'Matchday 1', date: '2023-08-11', team1: 'Burnley', team2: 'Málaga' }, { round: 'Matchday 1', date: '2023-08-12', team1: 'Arsenal', team2: 'Fulham' }] }),
    second: '#2',
    word: 'Arsenal',
  },
  {
    format: 'schochastics',
    name: 'england_premier-league-2022-2023.json',
    content: json([{ home: 'burnley', away: 'málaga', date: '2022-08-11', GH: 1, GA: 0 }, { home: 'arsenal', away: 'fulham', date: '2022-08-12', GH: 1, GA: 0 }]),
    second: '#2',
    word: 'arsenal',
  },
  {
    format: 'football-txt',
    name: 'cl.txt',
    content: '= UEFA Champions League 2025/26\n\n» Finals, Final\n  Sat May/30 2026\n    18.00  Málaga (ESP)  v Paris FC (FRA)  1-0\n    21.00  Arsenal FC (ENG)  v Lyon (FRA)  1-0\n',
    second: ':6',
    word: 'Arsenal',
  },
  {
    format: 'openfootball-clubs',
    name: 'es.clubs.txt',
    content: '= Spain\n\nMálaga CF, 1904\nGetafe CF, 1983\n',
    second: ':4',
    word: 'Getafe',
  },
  {
    format: 'euroleague',
    name: 'gameresults.csv',
    content: 'season,phase,round_name,team_home,points_home,team_away,points_away,game_code,date,round_code,team_code_home,team_code_away\n2018,RS,Round 1,Žalgiris,80,x,70,1,October 10 18:00 CET,1,ZAL,BAR\n2018,RS,Round 1,Unicaja,80,x,70,2,October 10 18:00 CET,1,MAL,OLY\n',
    second: ':3',
    word: 'Unicaja',
  },
  {
    format: 'afl-tables-csv',
    name: 'afl_matches.csv',
    content: 'round_num,venue,date,year,team_1_team_name,team_1_q1_goals,team_1_q1_behinds,team_1_q2_goals,team_1_q2_behinds,team_1_q3_goals,team_1_q3_behinds,team_1_final_goals,team_1_final_behinds,team_2_team_name,team_2_q1_goals,team_2_q1_behinds,team_2_q2_goals,team_2_q2_behinds,team_2_q3_goals,team_2_q3_behinds,team_2_final_goals,team_2_final_behinds\n1,Málaga,1980-03-29 14:10,1980,Carlton,0,3,4,11,5,13,13,16,Collingwood,4,5,7,11,15,18,19,18\n1,M.C.G.,1980-03-29 14:10,1980,Essendon,3,2,7,6,8,9,12,15,Geelong,5,3,9,7,13,10,15,10\n',
    second: ':3',
    word: 'Essendon',
  },
  {
    format: 'volleystat',
    name: 'volleyball_bundesliga.csv',
    content: 'league,season,stage,match_id,match_day,date_time,home_id,home,away_id,away,home_sets,away_sets,home_s1,away_s1,home_s2,away_s2,home_s3,away_s3\nMen,2016-17,Main round,1,1,2016-10-15 18:00,1004,Düren,1016,x,3,0,25,20,25,20,25,20\nMen,2016-17,Main round,2,1,2016-10-15 18:00,1009,Herrsching,1010,x,3,0,25,20,25,20,25,20\n',
    second: ':3',
    word: 'Herrsching',
  },
  {
    format: 'openfootball-players',
    name: 'es.players.txt',
    content: '= Spain\n\nPeña, F, 1.80 m, b. 13 Jul 2007\nRodri, M, 1.90 m, b. 22 Jun 1996\n',
    second: ':4',
    word: 'Rodri',
  },
]; // biome-ignore format: a table

const place = (position: string) => position.slice(position.search(/[:#][^:#/]*$/u));

describe('a damaged file', () => {
  after(removeFiles);

  for (const { format, name, content, second, word, beside = {} } of SAMPLES) {
    describe(`in format ${format}`, () => {
      const importer = findImporter(format) as Importer;
      const readFolder = async (folder: string) => {
        const read = await readAll(importer, folder);
        return { ...read, updates: [...read.updates, ...read.entries] };
      };
      const read = (file: string | Buffer, as = name) => readFolder(filesOf({ ...beside, [as]: file }));
      /** Returns the faults, except those about missing tables. */
      const faultsOf = ({ faults }: Awaited<ReturnType<typeof read>>) =>
        faults.filter(({ detail }) => !/^there is no \S+\.csv/u.test(detail));

      it(`a ${format} file without damage has no errors`, async () => {
        const whole = await read(content);
        assert.deepEqual(faultsOf(whole), []);
        assert.equal(whole.updates.length, 2);
      });

      it(`a ${format} record with a byte that is not UTF-8 is rejected with its position, and the next record is read`, async () => {
        const bytes = Buffer.from(content.replace(word, `${word}\xff`), 'utf8');
        const damaged = Buffer.concat(
          bytes.indexOf('ÿ') < 0
            ? [bytes]
            : [bytes.subarray(0, bytes.indexOf('ÿ')), Buffer.from([0xff]), bytes.subarray(bytes.indexOf('ÿ') + 2)],
        );
        const result = await read(damaged);
        assert.deepEqual(
          faultsOf(result).map(({ position }) => place(position)),
          [second],
        );
        assert.equal(result.updates.length, 1);
        assert.match(JSON.stringify(result.updates), /Málaga|málaga|Peña|Curaçao|Žalgiris|Boston|Düren|"1"/u);
      });

      it(`an empty ${format} file causes one error that ends its import`, async () => {
        const result = await read('');
        assert.deepEqual(
          faultsOf(result).map(({ endsFile }) => endsFile),
          [true],
        );
        assert.equal(result.updates.length, 0);
      });

      it(`a file in another format under a ${format} name is rejected`, async () => {
        const html = '<!doctype html>\n<html><body><h1>404 Not Found</h1>\n</body></html>\n';
        const result = await read(html);
        assert.ok(faultsOf(result).length > 0);
        assert.equal(result.updates.length, 0);
      });

      it(`a truncated ${format} archive is reported, and the rest of the files are imported`, async () => {
        const packed = gzipSync(content);
        const cut = packed.subarray(0, packed.length - 12);
        const alone = await read(cut, `${name}.gz`);
        assert.equal(faultsOf(alone).filter(({ endsFile }) => endsFile).length, 1);
        if (Object.keys(beside).length > 0 || ['fjelstul', 'wyscout'].includes(format)) return;
        const both = await readFolder(filesOf({ [`a/${name}.gz`]: cut, [`b/2023-24/${name}`]: content }));
        assert.ok(both.updates.length >= 2);
        assert.equal(faultsOf(both).filter(({ endsFile }) => endsFile).length, 1);
      });

      if (name.endsWith('.csv')) {
        it(`an unclosed quote in ${format} is reported with the lines`, async () => {
          const open = await read(content.replace(word, `"${word}`));
          assert.equal(faultsOf(open).filter(({ endsFile }) => endsFile).length, 1);
          assert.equal(open.updates.length, 1);
          const row = content.trimEnd().split('\n').at(-1)!;
          const closed = await read(`${content.replace(word, `"${word}`)}${row.replace(word, `${word}"`)}\n`);
          assert.match(faultsOf(closed)[0]!.detail, /goes over 2 lines/);
          assert.equal(closed.updates.length, 1);
        });
      }
    });
  }

  it('a file with the same name as a file from another data set is reported', async () => {
    const fjelstul = SAMPLES.find(({ format }) => format === 'fjelstul')!;
    const { faults, updates } = await readAll(
      findImporter('fjelstul')!,
      filesOf({ 'men/matches.csv': fjelstul.content, 'women/matches.csv': fjelstul.content }),
    );
    assert.equal(updates.length, 2);
    const left = faults.filter(({ endsFile }) => endsFile);
    assert.deepEqual(
      left.map(({ position }) => position.endsWith('women/matches.csv')),
      [true],
    );
  });

  it('table rows that belong to no match are reported with line numbers', async () => {
    const { content } = SAMPLES.find(({ format }) => format === 'fjelstul')!;
    const { faults } = await readAll(
      findImporter('fjelstul')!,
      filesOf({
        'matches.csv': content,
        'manager_appearances.csv': 'match_id,family_name,given_name\nM-1,a,b\nM-9,a,b\nM-1,c,d\nM-9,c,d\n',
      }),
    );
    assert.deepEqual(
      faults.filter(({ detail }) => detail.includes('belongs to no match')).map(({ position }) => place(position)),
      [':3', ':5'],
    );
  });

  it('line-ups are read even without a formations file, and formations without line-ups are reported', async () => {
    const header = 'gameid,type,team,name,number\n';
    const { faults, updates } = await readAll(
      findImporter('schochastics')!,
      filesOf({
        'lineups_1718_premier_league.csv': `${header}1,home,Arsenal,A,1\n1,away,Fulham,B,2\n1,bench,Fulham,C,3\n1,away,Fulham,,4\n`,
        'formations_1920_premier_league.csv': 'gameid,team,formation\n1,Arsenal,4-4-2\n',
      }),
    );
    assert.equal(updates.length, 1);
    assert.deepEqual(
      faults.map(({ position, endsFile }) => [position.slice(position.lastIndexOf('/') + 1), endsFile]),
      [
        ['formations_1920_premier_league.csv', true],
        ['lineups_1718_premier_league.csv:4', undefined],
        ['lineups_1718_premier_league.csv:5', undefined],
      ],
    );
  });
});
