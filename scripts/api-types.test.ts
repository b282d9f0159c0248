import { expect, test } from 'bun:test'
import { apiTypesFile, printApiTypes } from '#scripts/api-types'

test('the stored API types match the OpenAPI document (to update them: `bun run api-types`)', async () => {
  expect(await Bun.file(apiTypesFile).text()).toBe(await printApiTypes())
})
