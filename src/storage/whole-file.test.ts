import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejectionOf } from '#src/testing/rejection'
import { writeWhole } from './whole-file'

const folder = mkdtempSync(join(tmpdir(), 'nocturne-whole-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'library.zip')

test('a write aborted after the last byte leaves no file', async () => {
  const controller = new AbortController()
  const stopped = new Error('Ctrl-C.')
  function* source() {
    yield Buffer.from('All of it.')
    controller.abort(stopped)
  }
  expect(await rejectionOf(writeWhole(path, source(), { stop: controller.signal }))).toBe(stopped)
  expect(readdirSync(folder)).toEqual([])
})

test('a process that exits in the middle of a write leaves no file', async () => {
  const program = `
    import { openWhole } from '#src/storage/whole-file'
    const file = await openWhole(${JSON.stringify(path)}, 'private')
    await file.write(Buffer.from('Half of it.'))
    process.exit(130)`
  const child = Bun.spawn([process.execPath, '-e', program], { cwd: join(import.meta.dir, '../..') })
  expect(await child.exited).toBe(130)
  expect(readdirSync(folder)).toEqual([])
})
