import { expect, test } from 'bun:test'
import { dataModelPath, describeDataModel } from '#scripts/data-model'

test('docs/data-model.md describes the tables as they are; bun run data-model writes it', async () => {
  expect(await Bun.file(dataModelPath).text()).toBe(await describeDataModel())
})
