import { expect, test } from 'bun:test'
import { dataModelPath, describeDataModel } from '#scripts/data-model'

test('docs/data-model.md matches the schema (to update it: bun run data-model)', async () => {
  expect(await Bun.file(dataModelPath).text()).toBe(await describeDataModel())
})
