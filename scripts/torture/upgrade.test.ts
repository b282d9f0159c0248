import { expect, test } from 'bun:test'
import { emptyDatabaseUrl } from '#db/testing'
import { isGood, tableOf } from './report'
import { smallLibrary, upgradeUnderLoad } from './upgrade'

const url = await emptyDatabaseUrl()

/** The full size takes more than a minute: `bun run torture upgrade`. */
test(`a library of ${smallLibrary.items} items is migrated while an older program reads and writes it, without an error`, async () => {
  const outcome = await upgradeUnderLoad(url, smallLibrary)
  expect(isGood(outcome) || tableOf([outcome], 0)).toBe(true)
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(6)
}, 120_000)
