import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { withEnvTable } from './env-table'

test('the table of settings in README.md matches the schema', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../README.md')).text()
  expect(withEnvTable(readme)).toBe(readme)
})
