import fc from 'fast-check'

/**
 * Seed of all property tests. They try the same values in every run, so a test that fails has found a fault of the
 * change. To try others: `PROPERTY_SEED=7 bun test ./src/http/form-body.test.ts`.
 */
export const seed = Number(process.env.PROPERTY_SEED ?? 20_261_121)

fc.configureGlobal({ seed })

export { fc }
