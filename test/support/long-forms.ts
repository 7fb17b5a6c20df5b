/**
 * Whether tests that repeat (kills at seeded moments, orders of imports, random cards) run all repetitions. `make
 * test-long` sets this.
 */
export const LONG_FORMS = process.env.LONG_FORMS === '1';
