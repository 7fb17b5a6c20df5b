/** Names for rounds and groups in both languages. Sources write them in English. */
import type { Lang } from '../../http/index.ts';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:matchday|regular season|round|week) (\d+)$/i, '$1-й тур'],
  [/^qualifier (\d+)$/i, '$1-й квалификационный матч'],
  [/^qualifying round (\d+)$/i, '$1-й квалификационный раунд'],
  [/^play-in round (\d+)$/i, '$1-й раунд плей-ин'],
  [/^round of (\d+)$/i, 'ROUND_OF $1'],
  [/^quarter-?finals?$/i, '1/4 финала'],
  [/^semi-?finals?$/i, '1/2 финала'],
  [/^final$/i, 'Финал'],
  [/^finals$/i, 'Финалы'],
  [/^elimination finals?$/i, 'Финал на вылет'],
  [/^qualifying finals?$/i, 'Квалификационный финал'],
  [/^qualifying and elimination finals$/i, 'Квалификационные финалы и финалы на вылет'],
  [/^preliminary finals?$/i, 'Предварительный финал'],
  [/^grand final$/i, 'Гранд-финал'],
  [/^opening round$/i, 'Стартовый тур'],
  [/^sectional round (\d+)$/i, '$1-й тур в секциях'],
  [/^finals round (\d+)$/i, '$1-й тур финалов'],
  [/^section (.+)$/i, 'Секция $1'],
  [/^pre-?play-?offs?$/i, 'Предварительный раунд плей-офф'],
  [/^play-?downs?$/i, 'Плей-даун'],
  [/^third[- ]place(?: play-?off)?$/i, 'Матч за 3-е место'],
  [/^group stage$/i, 'Групповой этап'],
  [/^second group stage$/i, 'Второй групповой этап'],
  [/^league phase$/i, 'Общий этап'],
  [/^(?:knockout )?play-?offs?(?: round)?$/i, 'Стыковые матчи'],
  [/^group play-?off$/i, 'Переигровка в группе'],
  [/^first round$/i, '1-й раунд'],
  [/^second round$/i, '2-й раунд'],
  [/^third round$/i, '3-й раунд'],
  [/^final round$/i, 'Финальный раунд'],
  [/^preliminary round$/i, 'Предварительный раунд'],
  [/^regular season$/i, 'Регулярный чемпионат'],
  [/^group (.+)$/i, 'Группа $1'],
  [/^league ([a-d])$/i, 'Лига $1'],
  [/^path (.+)$/i, 'Путь $1'],
  [/^pathway (.+)$/i, 'Путь $1'],
  [/^(championship|relegation) (?:round|group)$/i, 'STAGE $1'],
  [/^([AN])(L|FC) (East|West|North|South|Central)$/, 'DIVISION $1$2 $3'],
  [/^pool (.+)$/i, 'Группа $1'],
  [/^game (\d+)$/i, '$1-й матч'],
  [/^top (\d+)$/i, 'Топ-$1'],
];
/** Names that patterns do not cover, in lower case. */
const NAMES: Record<string, string> = {
  afc: 'АФК',
  nfc: 'НФК',
  'american league': 'Американская лига',
  'national league': 'Национальная лига',
  'atlantic division': 'Атлантический дивизион',
  'metropolitan division': 'Столичный дивизион',
  'central division': 'Центральный дивизион',
  'pacific division': 'Тихоокеанский дивизион',
  'eastern conference': 'Восточная конференция',
  'western conference': 'Западная конференция',
  'wild card series': 'Уайлд-кард',
  'division series': 'Дивизионная серия',
  'championship series': 'Чемпионская серия',
  'league championship series': 'Чемпионская серия',
  'world series': 'Мировая серия',
  'wild card': 'Уайлд-кард',
  'wild card round': 'Уайлд-кард',
  'divisional round': 'Дивизионный раунд',
  'conference championship': 'Финалы конференций',
  'conference championships': 'Финалы конференций',
  'super bowl': 'Супербоул',
  'conference quarter-finals': '1/4 финала конференций',
  'conference semi-finals': '1/2 финала конференций',
  'conference finals': 'Финалы конференций',
  'division semi-finals': '1/2 финала дивизионов',
  'division finals': 'Финалы дивизионов',
  'divisional play-off': 'Дивизионный плей-офф',
  'championship game': 'Матч за чемпионство',
  'nfl championship': 'Финал НФЛ',
  'final four': 'Финал четырёх',
  'play-in': 'Плей-ин',
  'main event': 'Главный бой',
  eliminator: 'Матч на вылет',
  apertura: 'Апертура',
  clausura: 'Клаусура',
  '1° semestre': '1-е полугодие',
  '2° semestre': '2-е полугодие',
  championship: 'Группа сильнейших',
  relegation: 'Группа аутсайдеров',
  europe: 'Группа за место в еврокубках',
  playout: 'Матч за место в лиге',
  'ecl playoff': 'Матч за место в Лиге конференций',
  'ecl playoffs': 'Матчи за место в Лиге конференций',
  'europa league finals': 'Матчи за место в Лиге Европы',
  'uefa second round play-offs': 'Второй раунд УЕФА, стыковые матчи',
  'inter-confederation play-offs': 'Межконтинентальные стыковые матчи',
};
const DIVISIONS: Record<string, string> = {
  AL: 'АЛ',
  NL: 'НЛ',
  AFC: 'АФК',
  NFC: 'НФК',
  East: 'Восток',
  West: 'Запад',
  North: 'Север',
  South: 'Юг',
  Central: 'Центр',
};
const STAGES: Record<string, string> = { championship: 'Группа сильнейших', relegation: 'Группа аутсайдеров' };

/** A match that repeats a drawn one. */
const REPLAY = /^(.+) replay$/iu;

function russianPart(part: string): string {
  const [, repeated] = REPLAY.exec(part) ?? [];
  if (repeated !== undefined) return `${russianPart(repeated)}, переигровка`;
  const name = NAMES[part.toLowerCase()];
  if (name !== undefined) return name;
  for (const [pattern, name] of PATTERNS) {
    if (!pattern.test(part)) continue;
    const text = part.replace(pattern, name);
    const [kind, value = '', rest = ''] = text.split(' ');
    if (kind === 'ROUND_OF') return `1/${Number(value) / 2} финала`;
    if (kind === 'DIVISION') return `${DIVISIONS[value]} ${DIVISIONS[rest]}`;
    return kind === 'STAGE' ? STAGES[value.toLowerCase()]! : text;
  }
  return part;
}

/** @param name as the source writes it: `Final`, `Matchday 19`, `Path A, Semi-finals` */
export const roundText = (name: string, lang: Lang): string =>
  lang === 'en'
    ? name
    : name
        .split(/, | · /)
        .map(russianPart)
        .join(', ');
