/** Builds the weather block for a match's card. */
import type { z } from 'zod';
import type { weather } from '../wire/match.ts';
import { describeCode } from './conditions.ts';
import type { Hour } from './open-meteo.ts';
import type { Source, Target } from './requests.ts';

export type Weather = z.infer<typeof weather>;

/** Builds the block with English conditions, because cards store English texts for all languages. */
export function weatherBlock({ stadium, city, hour }: Target, values: Hour, source: Source): Weather {
  const texts = describeCode(values.weather_code);
  return {
    stadium,
    city,
    temperature_c: values.temperature_c,
    feels_like_c: values.feels_like_c,
    conditions: texts?.en ?? null,
    ...(texts && { conditions_i18n: texts }),
    wind_speed_ms: values.wind_speed_ms,
    wind_gusts_ms: values.wind_gusts_ms,
    precipitation_mm: values.precipitation_mm,
    precipitation_prob_pct: values.precipitation_prob_pct,
    humidity_pct: values.humidity_pct,
    cloud_cover_pct: values.cloud_cover_pct,
    weather_code: values.weather_code,
    is_forecast: source === 'forecast',
    observed_hour_utc: new Date(hour).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length),
  };
}

/**
 * Returns the block with the conditions in the given language. They come from the block's texts, or from the weather code if the block has
 * none. If the code is unknown, the conditions stay as they are.
 */
export function inLanguage(block: Weather, lang: 'en' | 'ru'): Weather {
  const texts = block.conditions_i18n ?? describeCode(block.weather_code);
  return { ...block, conditions: texts?.[lang] ?? block.conditions };
}
