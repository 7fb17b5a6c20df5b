/** Tests that kill something at many seeded moments take fewer of them in `make test` than in `make test-cluster`, which sets this. */
export const LONG_FORMS = process.env.LONG_FORMS === '1';
