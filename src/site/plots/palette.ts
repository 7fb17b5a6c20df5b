/** Colours for standalone charts. Charts inside a page take the same colours from the page's style sheet. */
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Palette {
  home: string;
  away: string;
  /** Axes and dividers. */
  line: string;
  text: string;
  /** Outlines of marks. */
  ink: string;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: { home: '#0b7a4b', away: '#2a5bd7', line: '#98a2b3', text: '#475467', ink: '#101828' },
  dark: { home: '#34d399', away: '#7aa2ff', line: '#5b6a63', text: '#9fb0a7', ink: '#f2f4f7' },
};
