import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { listCompletions } from '#cli/completion'
import { main } from '#cli/main'
import { testTerminal } from '#cli/testing'

const { run } = await testTerminal({ FORCE_COLOR: '1' })

test('with --json a failure is one document too, and its sentence stands beside it', async () => {
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

test('Tab completes commands, options and nothing else', async () => {
  const found = async (...typed: string[]) =>
    (await listCompletions(main, typed)).map((line) => line.split('\t')[0])
  expect(await found('st')).toEqual(['stories'])
  expect(await found('stories', 're')).toEqual(['remove', 'restore'])
  expect(await found('stories', 'list', '--st')).toEqual(['--status'])
  expect(await found('stories', 'list', '--json', '--c')).toEqual(['--category', '--cursor'])
  expect(await found('stories', 'add', 'Title', '')).toEqual([])
  expect(await found('constructor', '')).toContain('doctor')
})

test('bash completes by what nocturne prints for it', async () => {
  const line = `
    nocturne() { ${JSON.stringify(process.execPath)} ${JSON.stringify(join(import.meta.dir, 'main.ts'))} "$@"; }
    eval "$(nocturne completion bash)"
    COMP_WORDS=(nocturne stories li); COMP_CWORD=2
    _nocturne; printf '%s\\n' "\${COMPREPLY[@]}"`
  const shell = Bun.spawn(['bash', '-c', line], { stdout: 'pipe' })
  expect(await new Response(shell.stdout).text()).toBe('list\n')
})
