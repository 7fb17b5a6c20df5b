/** The clubs of the demo league. They and their players are invented; a likeness to real ones is chance. */
import { seededRandom } from './random.ts';

export interface Club {
  id: string;
  name: string;
  name_ru: string;
  venue: { name: string; city: string; capacity: number; latitude: number; longitude: number };
  coach: string;
  formation: keyof typeof FORMATIONS;
  /** Goals for and against relative to the league's average; a few clubs deviate, so that they have trends. */
  attack: number;
  defence: number;
}

/** Positions of the eleven, goalkeeper first. */
export const FORMATIONS = {
  '4-3-3': ['GK', 'RB', 'CB', 'CB', 'LB', 'CM', 'DM', 'CM', 'RW', 'ST', 'LW'],
  '4-2-3-1': ['GK', 'RB', 'CB', 'CB', 'LB', 'DM', 'DM', 'RW', 'AM', 'LW', 'ST'],
  '4-4-2': ['GK', 'RB', 'CB', 'CB', 'LB', 'RM', 'CM', 'CM', 'LM', 'ST', 'ST'],
  '3-5-2': ['GK', 'CB', 'CB', 'CB', 'RM', 'CM', 'DM', 'CM', 'LM', 'ST', 'ST'],
} as const;
const BENCH = ['GK', 'CB', 'LB', 'DM', 'CM', 'RW', 'ST'] as const;

const club = (
  id: string,
  [name, name_ru]: [string, string],
  [ground, city, capacity, latitude, longitude]: [string, string, number, number, number],
  coach: string,
  formation: Club['formation'],
  [attack, defence]: [number, number],
): Club => ({
  id,
  name,
  name_ru,
  venue: { name: ground, city, capacity, latitude, longitude },
  coach,
  formation,
  attack,
  defence,
});

export const CLUBS: readonly Club[] = [
  club(
    'northhaven',
    ['Northhaven Rovers', 'Нортхейвен Роверс'],
    ['Harbour Park', 'Northhaven', 41_200, 55.61, -2.42],
    'Aldo Fenwick',
    '4-3-3',
    [2.0, 0.45],
  ),
  club(
    'brightwater',
    ['Brightwater City', 'Брайтуотер Сити'],
    ['Lantern Road', 'Brightwater', 36_500, 54.93, -3.18],
    'Marek Osgood',
    '4-2-3-1',
    [2.1, 1.9],
  ),
  club(
    'kestrel-bay',
    ['Kestrel Bay', 'Кестрел-Бэй'],
    ['The Aerie', 'Kestrel Bay', 28_900, 54.31, -0.77],
    'Ivo Castellane',
    '3-5-2',
    [1.15, 0.9],
  ),
  club(
    'oldmere',
    ['Oldmere Athletic', 'Олдмир Атлетик'],
    ['Mere Lane', 'Oldmere', 24_300, 53.42, -2.91],
    'Tobias Renquist',
    '4-4-2',
    [1.1, 0.95],
  ),
  club(
    'port-amber',
    ['Port Amber', 'Порт-Эмбер'],
    ['Amber Quay', 'Port Amber', 31_750, 52.63, 1.02],
    'Luca Bramwell',
    '4-3-3',
    [1.05, 1.0],
  ),
  club(
    'silverfield',
    ['Silverfield Town', 'Силверфилд Таун'],
    ['Mint Street', 'Silverfield', 19_800, 52.95, -1.51],
    'Hugo Lindqvare',
    '4-2-3-1',
    [0.5, 0.42],
  ),
  club(
    'ravensholt',
    ['Ravensholt United', 'Рейвенсхолт Юнайтед'],
    ['Blackfeather Ground', 'Ravensholt', 22_400, 52.41, -2.28],
    'Emil Thackeray',
    '4-4-2',
    [0.98, 0.98],
  ),
  club(
    'eastmarch',
    ['Eastmarch Wanderers', 'Истмарч Уондерерс'],
    ['Marchgate', 'Eastmarch', 17_650, 52.08, 0.61],
    'Rafael Quillon',
    '3-5-2',
    [0.92, 1.05],
  ),
  club(
    'windbourne',
    ['Windbourne', 'Уиндборн'],
    ['The Mill', 'Windbourne', 15_100, 51.36, -1.33],
    'Stefan Harcourt',
    '4-3-3',
    [0.9, 1.08],
  ),
  club(
    'larkstead',
    ['Larkstead Albion', 'Ларкстед Альбион'],
    ['Meadow End', 'Larkstead', 13_900, 51.74, -0.42],
    'Noel Vantongeren',
    '4-4-2',
    [0.85, 1.12],
  ),
  club(
    'fernleigh',
    ['Fernleigh County', 'Фернли Каунти'],
    ['Fernleigh Bowl', 'Fernleigh', 12_250, 50.92, -3.46],
    'Piotr Ashdown',
    '4-2-3-1',
    [0.8, 1.18],
  ),
  club(
    'cindermoor',
    ['Cindermoor Vale', 'Синдермур Вейл'],
    ['Ember Road', 'Cindermoor', 11_400, 51.62, -3.71],
    'Owen Strand',
    '4-4-2',
    [0.42, 2.1],
  ),
];

const FIRST_NAMES =
  'Adam Alec Anders Anton Bastian Bruno Caleb Casper Cillian Dario Davor Dimitar Elias Emre Enzo Fabian Felix Florin Gabriel Goran Henrik Ilya Isaac Jakub Joel Jonas Kaito Karim Kofi Leon Levi Luka Malik Marco Mateo Mikkel Milan Nikola Noah Oskar Pavel Pedro Quentin Rafa Remy Roman Ruben Samir Silas Stellan Teo Thiago Timo Tomas Ugo Victor Wes Xander Yann Yusuf Zeno'.split(
    ' ',
  );
const LAST_NAMES =
  'Abernath Adeyola Aldergrove Ambrosic Arkwell Ashgrove Balmont Barrowby Belmarsh Bjornhall Blackrow Bracewell Calderon-Voss Carrick Castaneo Chidubem Corvane Dalgaard Darrowmere Delacroft Drumgold Eastwick Edevane Falkenrath Farrowdale Fennimore Ferreiro-Lund Galbrait Garrowan Greymoor Halvorsund Harwick Hollinde Iversmith Jarrow Kaminara Kelldon Kestrin Kovalenk Lachmere Langhorn Lindemar Locksley-Bane Maddern Marchetto Mbalenko Mercerat Montcarrow Nakatomo Nightingdale Novarik Oakhurst Okwuosi Ormsgaard Palinore Penhallis Petrosky Quartermain Radelescu Ravenna Ridgemont Rosendahl Saltmarsh Santorell Selwynne Sorrengart Stavropol Takemoro Tannahil Thornquist Tregarron Ulvestad Vandermoor Varnholt Vasquillo Verity Wainscott Westerholm Wexcombe Winterbourn Yardleigh Zabrinsky Zellwood'.split(
    ' ',
  );

export type SquadPlayer = [shirt: number, position: string, name: string, birthDate: string];
export interface Squad {
  eleven: SquadPlayer[];
  bench: SquadPlayer[];
}

/** Eleven and seven substitutes; the same people each time, none of them in two clubs. */
export function generateSquad(one: Club): Squad {
  const random = seededRandom(`squad ${one.id}`);
  const rank = CLUBS.indexOf(one);
  let count = 0;
  const player = (shirt: number, position: string): SquadPlayer => {
    // Last names are distributed over the clubs, so that as few as possible occur twice in the league.
    const last =
      LAST_NAMES[
        (rank + CLUBS.length * count + Math.floor((rank + CLUBS.length * count) / LAST_NAMES.length)) %
          LAST_NAMES.length
      ]!;
    count += 1;
    const born = new Date(Date.UTC(random.int(1988, 2005), random.int(0, 11), random.int(1, 28)));
    return [shirt, position, `${random.pick(FIRST_NAMES)} ${last}`, born.toISOString().slice(0, 10)];
  };
  return {
    eleven: FORMATIONS[one.formation].map((position, index) => player(index + 1, position)),
    bench: BENCH.map((position, index) => player(index + 12, position)),
  };
}
