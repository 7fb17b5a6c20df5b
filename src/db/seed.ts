/** Sports and countries that every installation has. */
import type pg from 'pg';
import { SPORTS } from '../sports/sports.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { columns } from './postgres.ts';

/** Adds missing sports and countries, and updates names that a release has changed. Idempotent. */
export async function seedCatalogue(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO sport (id, slug, name, name_ru)
     SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[])
     ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, name = excluded.name, name_ru = excluded.name_ru
     WHERE (sport.slug, sport.name, sport.name_ru) IS DISTINCT FROM (excluded.slug, excluded.name, excluded.name_ru)`,
    columns(SPORTS, 'id', 'slug', 'name', 'name_ru'),
  );
  await pool.query(
    `INSERT INTO country (iso, name, name_ru)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
     ON CONFLICT (iso) DO UPDATE SET name = excluded.name, name_ru = excluded.name_ru
     WHERE (country.name, country.name_ru) IS DISTINCT FROM (excluded.name, excluded.name_ru)`,
    columns(COUNTRIES, 'iso', 'name', 'name_ru'),
  );
}
