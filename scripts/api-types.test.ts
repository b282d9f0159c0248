import { expect, test } from 'bun:test'
import { apiTypesFile, printApiTypes } from '#scripts/api-types'

test('the types of the API are those of its document: where this fails, run `bun run api-types`', async () => {
  expect(await Bun.file(apiTypesFile).text()).toBe(await printApiTypes())
})
