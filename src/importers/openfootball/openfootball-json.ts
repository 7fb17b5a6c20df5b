/**
 * openfootball JSON: leagues and cups of football.json, World Cups with goals, fixtures still to play, and the squads
 * and stadiums beside them.
 */

import { ListedGroups, Meetings, turnToOfficialSides } from '../../providers/index.ts';
import { findLeague, type League, OPENFOOTBALL, readMatch, seasonOfTitle } from '../../providers/openfootball/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { type FileError, type InputFile, reason, textDamage, wholeText } from '../files.ts';
import { eachFile, fileImporter, type ImportItem } from '../importer.ts';
import { groundsBeside, isSquads, readSquads, readStadiums, type StadiumFile } from './venues.ts';

export const openfootballJson = fileImporter({
  format: 'openfootball-json',
  provider: OPENFOOTBALL,
  description: 'openfootball JSON: football.json leagues (2023-24/en.1.json) and worldcup.json cups',
  expected: 'JSON files of openfootball',
  accepts: ({ name }) => /\.json$/iu.test(name) && !BESIDE.test(name),
  readFiles: eachFile(readFile),
});

/** Files of openfootball without matches: the others contain their information. */
const BESIDE = /\.(?:clubs|groups|standings|teams)\.json$/iu;

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const fault = (at: string, detail: string): FileError => ({ kind: 'fault', position: `${file.path}${at}`, detail });
  let content: unknown;
  try {
    content = JSON.parse(await wholeText(file));
  } catch (error) {
    yield { ...fault('', `cannot be read: ${reason(error)}`), endsFile: true };
    return;
  }
  if (isSquads(content)) {
    const league = leagueInFile(file, '');
    yield* readSquads(file, content, typeof league === 'string' ? undefined : league);
    return;
  }
  if (isObject(content) && Array.isArray(content.stadiums)) {
    yield* readStadiums(file, content as unknown as StadiumFile);
    return;
  }
  if (!isObject(content) || !Array.isArray(content.matches)) {
    yield { ...fault('', 'is not a file of openfootball: no list of matches, stadiums or squads'), endsFile: true };
    return;
  }
  const league = leagueInFile(file, typeof content.name === 'string' ? content.name : '');
  const grounds = await groundsBeside(file);
  const meetings = new Meetings();
  const groups = new ListedGroups();
  const readOne = (match: unknown): MatchUpdateInput | string => {
    if (typeof league === 'string') return league;
    if (!isObject(match)) return 'is not an object';
    const damage = textDamage(JSON.stringify(match));
    if (damage !== undefined) return damage;
    const ground = grounds.of(match.ground, league.season);
    const read = readMatch(match, league, { ground, meetings, groups });
    if (typeof read === 'string') return read;
    return { schema: 1, provider: OPENFOOTBALL, observed_at: file.observedAt, kind: 'match', match: read };
  };
  for (const [index, match] of content.matches.entries()) {
    const at = `#${index + 1}`;
    const read = readOne(match);
    yield typeof read === 'string'
      ? fault(at, read)
      : { kind: 'update', position: `${file.path}${at}`, update: turnToOfficialSides(read) };
  }
  yield* groups.faults();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The file name gives the league ("en.1"), the title and the folder give the season. */
function leagueInFile(file: InputFile, title: string): League | string {
  const cup = /^(worldcup|clubworldcup)(?:\.(quali).*|\.squads)?\.json$/u.exec(file.name);
  const code = cup ? (cup[2] ? `${cup[1]}.quali` : cup[1]!) : file.name.replace(/\.json$/u, '');
  const season = seasonOfTitle(title) ?? seasonOfTitle(file.folder);
  if (!season) return `neither the title ${JSON.stringify(title)} nor the folder ${file.folder} ends in a season`;
  return findLeague(code, season, title);
}
