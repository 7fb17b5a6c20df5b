// Draws the same cases of property tests in every run, so that a change is judged by itself. `PROPERTY_SEED=random` looks for new ones.
import fc from 'fast-check';

const { PROPERTY_SEED = '20261123' } = process.env;
fc.configureGlobal(PROPERTY_SEED === 'random' ? {} : { seed: Number(PROPERTY_SEED) });
