/**
 * openfootball JSON: leagues and cups from football.json, and World Cups with goals and upcoming fixtures. Squads and
 * stadiums come from files in the same folder.
 */

import { isRecord, ListedGroups, Meetings, turnToOfficialSides } from '../../providers/index.ts';
import { findLeague, type League, OPENFOOTBALL, readMatch, seasonOfTitle } from '../../providers/openfootball/index.ts';
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import { matchUpdate } from '../feed-updates.ts';
import { fileFault, type InputFile, textDamage } from '../files.ts';
import { eachFile, fileImporter, type ImportItem, toItem } from '../importer.ts';
import { readJson } from '../json.ts';
import { groundsBeside, isSquads, isStadiums, readSquads, readStadiums } from './venues.ts';

export const openfootballJson = fileImporter({
  format: 'openfootball-json',
  provider: OPENFOOTBALL,
  description: 'openfootball JSON: football.json leagues (2023-24/en.1.json) and worldcup.json cups',
  expected: 'JSON files of openfootball',
  accepts: ({ name }) => /\.json$/iu.test(name) && !BESIDE.test(name),
  readFiles: eachFile(readFile),
});

/** Names of openfootball files that contain no matches. The match files have the same information. */
const BESIDE = /\.(?:clubs|groups|standings|teams)\.json$/iu;

async function* readFile(file: InputFile): AsyncGenerator<ImportItem> {
  const json = await readJson(file);
  if (json.fault) {
    yield json.fault;
    return;
  }
  const content = json.value;
  if (isSquads(content)) {
    const league = leagueInFile(file, '');
    yield* readSquads(file, content, typeof league === 'string' ? undefined : league);
    return;
  }
  if (isStadiums(content)) {
    yield* readStadiums(file, content);
    return;
  }
  if (!isRecord(content) || !Array.isArray(content.matches)) {
    yield fileFault(file.path, 'is not a file of openfootball: no list of matches, stadiums or squads');
    return;
  }
  const league = leagueInFile(file, typeof content.name === 'string' ? content.name : '');
  const grounds = await groundsBeside(file);
  const meetings = new Meetings();
  const groups = new ListedGroups();
  const readOne = (match: unknown): MatchUpdateInput | string => {
    if (typeof league === 'string') return league;
    if (!isRecord(match)) return 'is not an object';
    const damage = textDamage(JSON.stringify(match));
    if (damage !== undefined) return damage;
    const ground = grounds.of(match.ground, league.season);
    const read = readMatch(match, league, { ground, meetings, groups });
    if (typeof read === 'string') return read;
    return turnToOfficialSides(matchUpdate(OPENFOOTBALL, file, read));
  };
  for (const [index, match] of content.matches.entries()) {
    yield toItem(`${file.path}#${index + 1}`, readOne(match));
  }
  yield* groups.faults();
}

/** The file name gives the league ("en.1"). The title and the folder give the season. */
function leagueInFile(file: InputFile, title: string): League | string {
  const cup = /^(worldcup|clubworldcup)(?:\.(quali).*|\.squads)?\.json$/u.exec(file.name);
  const [, name = file.name.replace(/\.json$/u, ''), part] = cup ?? [];
  const code = part ? `${name}.quali` : name;
  const season = seasonOfTitle(title) ?? seasonOfTitle(file.folder);
  if (!season) return `neither the title ${JSON.stringify(title)} nor the folder ${file.folder} ends in a season`;
  return findLeague(code, season, title);
}
