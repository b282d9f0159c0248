import { expect, test } from 'bun:test'
import { testTerminal } from '#cli/testing'

const { run } = await testTerminal({ FORCE_COLOR: '1' })

test('with --json a failure is printed as JSON on stdout and as a sentence on stderr', async () => {
  const missing = await run('stories', 'show', 'no-such-item', '--json')
  expect(missing.code).toBe(1)
  expect(JSON.parse(missing.out)).toEqual({
    success: false,
    error: missing.err.trim(),
    message: missing.err.trim(),
    code: 'not_found',
  })
  const wrong = await run('stories', 'list', '--limit', 'many', '--json')
  expect([wrong.code, JSON.parse(wrong.out)]).toMatchObject([2, { code: 'usage', success: false }])
})
