/** The texts of weather codes: WMO code table 4677, of which Open-Meteo uses these. */
import type { z } from 'zod';
import type { nameI18n } from '../wire/match.ts';

type Texts = Required<z.infer<typeof nameI18n>>;

// biome-ignore format: a table
const CONDITIONS: Readonly<Record<number, Texts>> = {
  0: { en: 'Clear sky', ru: 'Ясно' },
  1: { en: 'Mainly clear', ru: 'Преимущественно ясно' },
  2: { en: 'Partly cloudy', ru: 'Переменная облачность' },
  3: { en: 'Overcast', ru: 'Пасмурно' },
  45: { en: 'Fog', ru: 'Туман' },
  48: { en: 'Fog with rime', ru: 'Туман с изморозью' },
  51: { en: 'Light drizzle', ru: 'Слабая морось' },
  53: { en: 'Drizzle', ru: 'Морось' },
  55: { en: 'Heavy drizzle', ru: 'Сильная морось' },
  56: { en: 'Light freezing drizzle', ru: 'Слабая ледяная морось' },
  57: { en: 'Heavy freezing drizzle', ru: 'Сильная ледяная морось' },
  61: { en: 'Light rain', ru: 'Небольшой дождь' },
  63: { en: 'Rain', ru: 'Дождь' },
  65: { en: 'Heavy rain', ru: 'Сильный дождь' },
  66: { en: 'Light freezing rain', ru: 'Небольшой ледяной дождь' },
  67: { en: 'Heavy freezing rain', ru: 'Сильный ледяной дождь' },
  71: { en: 'Light snow', ru: 'Небольшой снег' },
  73: { en: 'Snow', ru: 'Снег' },
  75: { en: 'Heavy snow', ru: 'Сильный снег' },
  77: { en: 'Snow grains', ru: 'Снежные зёрна' },
  80: { en: 'Light showers', ru: 'Небольшой ливень' },
  81: { en: 'Showers', ru: 'Ливень' },
  82: { en: 'Violent showers', ru: 'Очень сильный ливень' },
  85: { en: 'Light snow showers', ru: 'Небольшой ливневый снег' },
  86: { en: 'Heavy snow showers', ru: 'Сильный ливневый снег' },
  95: { en: 'Thunderstorm', ru: 'Гроза' },
  96: { en: 'Thunderstorm with light hail', ru: 'Гроза с небольшим градом' },
  99: { en: 'Thunderstorm with heavy hail', ru: 'Гроза с сильным градом' },
};

/** undefined: a code that is not in the table. */
export const describeCode = (code: number | null): Texts | undefined => (code === null ? undefined : CONDITIONS[code]);
