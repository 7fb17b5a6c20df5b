// Property tests draw the same cases in every run, so that only the code can change the result. `PROPERTY_SEED=random` draws new ones.
import fc from 'fast-check';

const { PROPERTY_SEED = '20261123' } = process.env;
fc.configureGlobal(PROPERTY_SEED === 'random' ? {} : { seed: Number(PROPERTY_SEED) });
