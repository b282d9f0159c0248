import { expect, test } from 'bun:test'
import { emptyDatabaseUrl } from '#db/testing'
import { isGood, tableOf } from './report'
import { smallLibrary, upgradeUnderLoad } from './upgrade'

const url = await emptyDatabaseUrl()

/** The full size takes more than a minute: `bun run torture upgrade`. */
test(`${smallLibrary.items} items are migrated without an error while an older version reads and writes them`, async () => {
  const outcome = await upgradeUnderLoad(url, smallLibrary)
  expect(isGood(outcome) || tableOf([outcome], 0)).toBe(true)
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(6)
}, 120_000)
