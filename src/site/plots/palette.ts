/** Colours for standalone charts. Charts inside a page take the same colours from the page's style sheet. */
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Palette {
  home: string;
  away: string;
  /** For the away side if `home` and `away` are too near to the home side's own colour. */
  third: string;
  /** Draws. */
  level: string;
  /** The surface behind the chart. */
  paper: string;
  /** Axes and dividers. */
  line: string;
  text: string;
  /** Outlines of marks. */
  ink: string;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    home: '#0b7a4b',
    away: '#2a5bd7',
    third: '#8a4b08',
    level: '#b4beb8',
    paper: '#ffffff',
    line: '#98a2b3',
    text: '#475467',
    ink: '#101828',
  },
  dark: {
    home: '#34d399',
    away: '#7aa2ff',
    third: '#fbbf24',
    level: '#4b5a52',
    paper: '#151d19',
    line: '#5b6a63',
    text: '#9fb0a7',
    ink: '#f2f4f7',
  },
};
