import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from '#db/testing-places'
import { closeRunFolder, openRunFolder, temporaryPlace } from '#scripts/run-folder'

const ended = Bun.spawnSync(['true']).pid
const places = [...new Set([tmpdir(), '/tmp', memoryFolder])].filter((place) => existsSync(place))
const leftOvers = places.map((place) => join(place, `nocturne-run-${ended}-left`))
afterAll(() => {
  for (const folder of leftOvers) rmSync(folder, { recursive: true, force: true })
})

test('a test run removes the folders of killed runs, on disk and in memory', async () => {
  for (const folder of leftOvers) mkdirSync(folder)
  await closeRunFolder(await openRunFolder())
  expect(leftOvers.filter((folder) => existsSync(folder))).toEqual([])
})

test('temporary files go to the disk when the memory folder is missing or too small', async () => {
  for (const place of ['/proc', '/nowhere']) expect(await temporaryPlace(place)).toBe(tmpdir())
})
