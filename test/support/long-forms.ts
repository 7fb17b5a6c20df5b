/** Whether tests that kill at dozens of seeded moments run them all: `make test-cluster` sets this, `make test` takes fewer. */
export const LONG_FORMS = process.env.LONG_FORMS === '1';
