import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { withEnvTable } from './env-table'

test('the table of settings in README is the one that the schema makes', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../README.md')).text()
  expect(withEnvTable(readme)).toBe(readme)
})
