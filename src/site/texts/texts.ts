/** All page texts in both languages, with a section for each kind of page. */
import type { Lang } from '../../http/index.ts';
import { about } from './about.ts';
import { analytics } from './analytics.ts';
import { calendars } from './calendars.ts';
import { catalogue } from './catalogue.ts';
import { leagues } from './leagues.ts';
import { models } from './models.ts';
import { TABS } from './page-tabs.ts';
import { pages } from './pages.ts';
import { widgets } from './widgets.ts';

const sections = (lang: Lang) => ({
  about: about[lang],
  analytics: analytics[lang],
  catalogue: catalogue[lang],
  calendars: calendars[lang],
  leagues: leagues[lang],
  models: models[lang],
  pages: pages[lang],
  tabs: TABS[lang],
  widgets: widgets[lang],
});

export const TEXTS: Record<Lang, ReturnType<typeof sections>> = { en: sections('en'), ru: sections('ru') };
