/** The momentum of a match as a picture, drawn by echarts without a browser. */
import type { EChartsType } from 'echarts';
import { LRUCache } from 'lru-cache';
import type { Incident } from '../wire/match.ts';

export const WIDTH = 720;
export const HEIGHT = 240;
const MAX_PICTURES = 300;

export interface MomentumPicture {
  /** One value per minute, −100 to 100, positive: home. */
  graphPoints: { minute: number; value: number }[];
  goals: Pick<Incident, 'minute' | 'side'>[];
  theme: 'light' | 'dark';
}

const COLOURS = {
  light: { home: '#0b7a4b', away: '#2a5bd7', line: '#98a2b3', text: '#475467', goal: '#101828', paper: '#ffffff' },
  dark: { home: '#34d399', away: '#7aa2ff', line: '#475467', text: '#98a2b3', goal: '#f2f4f7', paper: '#151d19' },
};
/** Where halves end, for the dotted lines. */
const HALVES = [45, 90, 105];
const SHORTEST_AXIS = 90;

let echarts: Promise<typeof import('echarts')> | undefined;

/** An SVG document. echarts is loaded with the first picture: it is large, and most processes draw none. */
export async function drawMomentum({ graphPoints, goals, theme }: MomentumPicture): Promise<string> {
  echarts ??= import('echarts');
  const { init } = await echarts;
  const colour = COLOURS[theme];
  const last = Math.max(SHORTEST_AXIS, ...graphPoints.map((point) => point.minute));
  const values = new Map(graphPoints.map((point) => [Math.round(point.minute), point.value]));
  const minutes = Array.from({ length: last }, (_, index) => index + 1);
  const chart: EChartsType = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({
      animation: false,
      grid: { left: 8, right: 8, top: 16, bottom: 30 },
      xAxis: {
        type: 'category',
        data: minutes.map(String),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: {
          color: colour.text,
          fontSize: 17,
          interval: (index: number) => (index + 1) % 15 === 0,
          formatter: '{value}′',
        },
      },
      yAxis: { type: 'value', min: -112, max: 112, show: false },
      series: [
        {
          type: 'bar',
          barWidth: '72%',
          data: minutes.map((minute) => {
            const value = values.get(minute) ?? 0;
            return {
              value,
              itemStyle: {
                color: value >= 0 ? colour.home : colour.away,
                borderRadius: value >= 0 ? [2, 2, 0, 0] : [0, 0, 2, 2],
              },
            };
          }),
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            lineStyle: { color: colour.line, type: 'dashed', width: 1 },
            data: [
              { yAxis: 0, lineStyle: { type: 'solid' } },
              ...HALVES.filter((minute) => minute < last).map((minute) => ({ xAxis: String(minute) })),
            ],
          },
        },
        {
          type: 'scatter',
          symbol: 'circle',
          symbolSize: 14,
          z: 5,
          data: goals
            .filter((goal) => goal.minute !== null && goal.minute >= 1 && goal.minute <= last)
            .map((goal) => ({
              value: [String(goal.minute), goal.side === 'away' ? -104 : 104],
              itemStyle: {
                color: goal.side === 'away' ? colour.away : colour.home,
                borderColor: colour.goal,
                borderWidth: 2,
              },
            })),
        },
      ],
    });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

const pictures = new LRUCache<string, Promise<string>>({ max: MAX_PICTURES });

/** The same picture again is not drawn again. @param key what it is of, its version and theme */
export function pictureOf(key: string, make: () => Promise<string>): Promise<string> {
  let picture = pictures.get(key);
  if (picture === undefined) {
    picture = make();
    picture.catch(() => pictures.delete(key));
    pictures.set(key, picture);
  }
  return picture;
}
