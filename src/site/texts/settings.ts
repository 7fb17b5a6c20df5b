/** Texts for the reader's settings in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Settings',
  intro: 'These choices are kept in this browser, for a year.',
  theme: 'Theme',
  themes: { auto: 'Auto', light: 'Light', dark: 'Dark' },
  themeAuto: 'Auto: as the device is set',
  zone: 'Time zone',
  zoneAuto: 'As the device is set (UTC without JavaScript)',
  regions: {} as Partial<Record<string, string>>,
  save: 'Save',
  unknownZone: 'must be one of the time zones in the list, such as Europe/Berlin',
  unknownTheme: 'must be auto, light or dark',
};

const ru: typeof en = {
  title: 'Настройки',
  intro: 'Эти настройки хранятся в этом браузере один год.',
  theme: 'Оформление',
  themes: { auto: 'Авто', light: 'Светлое', dark: 'Тёмное' },
  themeAuto: 'Авто: как на устройстве',
  zone: 'Часовой пояс',
  zoneAuto: 'Как на устройстве (без JavaScript — всемирное время)',
  regions: {
    Africa: 'Африка',
    America: 'Америка',
    Antarctica: 'Антарктида',
    Arctic: 'Арктика',
    Asia: 'Азия',
    Atlantic: 'Атлантический океан',
    Australia: 'Австралия',
    Europe: 'Европа',
    Indian: 'Индийский океан',
    Pacific: 'Тихий океан',
  },
  save: 'Сохранить',
  unknownZone: 'нужен часовой пояс из списка, например Europe/Berlin',
  unknownTheme: 'нужно auto, light или dark',
};

export const SETTINGS: Record<Lang, typeof en> = { en, ru };
