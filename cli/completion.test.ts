import { afterAll, describe, expect, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listCompletions } from '#cli/completion'
import { main } from '#cli/main'
import { everyCommand } from '#cli/testing-commands'
import { findProgram } from '#scripts/debian-package'
import { until } from '#src/testing/until'

const found = async (...typed: string[]) =>
  (await listCompletions(main, typed)).map((line) => line.trimEnd().split('\t')[0])

test('Tab completes commands and options, and nothing where a free value is expected', async () => {
  expect(await found('st')).toEqual(['stories'])
  expect(await found('stories', 're')).toEqual(['remove', 'restore'])
  expect(await found('stories', 'list', '--st')).toEqual(['--status'])
  expect(await found('stories', 'list', '--json', '--c')).toEqual(['--category', '--cursor'])
  expect(await found('stories', 'list', '--category', 'romantic', '--c')).toEqual(['--cursor'])
  expect(await found('stories', 'add', '')).toEqual([])
  expect(await found('jobs', 'list', '--limit', '')).toEqual([])
  expect(await found('--')).toEqual(['--help'])
  expect(await found('constructor', '')).toContain('doctor')
})

test('Tab completes option values from a fixed set, and file names where a file is expected', async () => {
  expect(await found('jobs', 'list', '--state', 'f')).toEqual(['failed'])
  expect(await found('jobs', 'list', '--state=f')).toEqual(['--state=failed'])
  // Bash splits the word like this.
  expect(await found('jobs', 'list', '--state', '=', 'f')).toEqual(['--state=failed'])
  expect(await found('stories', 'change', 'unp')).toEqual(['unpublish'])
  expect(await found('members', 'change', 'suspend', '--state', '')).toEqual(['active', 'suspended'])
  expect(await found('flags', 'set', 'freeStoryLimit', 'd')).toEqual(['default'])
  expect(await found('stories', 'edit', 'the-night-ferry', '--voice', 'fe')).toEqual(['female'])
  expect(await found('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  for (const words of ['stories add Title', 'stories list --json --x', 'imports send 019c… a.mp3 b.mp3'])
    expect([words, await found(...words.split(' '), '')]).toEqual([
      words,
      words.includes('list') ? [] : [':files'],
    ])
  expect(await found('stories', 'export', '--out=')).toEqual([':files'])
  expect(await found('stories', 'export', '--json=')).toEqual([])
})

test('every argument whose help says "a file" completes file names', async () => {
  for (const { words, command } of await everyCommand())
    for (const [name, { type, description = '', valueHint }] of Object.entries(command.args ?? {}))
      if (
        type !== 'boolean' &&
        /^(A|The) (\w+, )*(\w+ or )?(\.?\w+ )?(file|folder|CSV|MP3)\b/.test(description)
      )
        expect([words, name, valueHint]).toEqual([words, name, 'FILE'])
})

/** How to start each shell, the file for the output of `nocturne completion`, and the code that sets a known prompt. */
const shells = {
  bash: { flags: ['-i'], file: '.bashrc', prompt: 'PS1="ready> "\n' },
  zsh: { flags: ['-i'], file: '.zshrc', prompt: 'PROMPT="ready> "\n' },
  fish: {
    flags: ['-i'],
    file: '.config/fish/completions/nocturne.fish',
    prompt: 'function fish_prompt; echo -n "ready> "; end\n',
  },
}

for (const name of ['bash', 'zsh', 'fish'] as const) {
  const program = await findProgram({ program: name }, (line) => console.warn(line))
  describe.skipIf(program === null)(`${name} at Tab`, () => {
    test('completes commands, option values and file names', async () => {
      const { lines } = await pressIn(name, [
        'nocturne stories ex\t--format=ts\t--out lib\t\r',
        'nocturne stories show lib\t\r',
      ])
      expect(lines).toEqual(['stories|export|--format=tsv|--out|library of May.tsv', 'stories|show|lib'])
    })
  })
}

/**
 * Presses keys in a shell that is set up as the command's example says. Returns the arguments that `nocturne` receives.
 */
async function pressIn(name: keyof typeof shells, keys: readonly string[]) {
  const home = await mkdtemp(join(tmpdir(), 'nocturne-shell-'))
  afterAll(() => rm(home, { recursive: true, force: true }))
  const given = join(home, 'given.txt')
  await writeFile(given, '')
  await mkdir(join(home, '.config/fish/completions'), { recursive: true })
  await writeFile(join(home, 'nocturne'), stub)
  await chmod(join(home, 'nocturne'), 0o755)
  await writeFile(join(home, 'library of May.tsv'), '')
  const { flags, file, prompt } = shells[name]
  const env = {
    PATH: `${home}:${process.env.PATH}`,
    HOME: home,
    BUN: process.execPath,
    MAIN: join(import.meta.dir, 'main.ts'),
    GIVEN: given,
  }
  const script = Bun.spawnSync(['nocturne', 'completion', name], { env })
  await writeFile(join(home, name === 'fish' ? '.config/fish/config.fish' : file), prompt)
  await writeFile(join(home, file), script.stdout, { flag: 'a' })
  let screen = ''
  const shell = Bun.spawn([name, ...flags], {
    cwd: home,
    env: { ...env, TERM: 'xterm' },
    terminal: {
      cols: 200,
      data: (_, data) => {
        screen += new TextDecoder().decode(data)
      },
    },
  })
  await until(() => screen.includes('ready> '))
  shell.terminal?.write(keys.join(''))
  const read = async () => (await readFile(given, 'utf8')).trimEnd().split('\n')
  try {
    await until(async () => (await read()).length === keys.length)
    return { lines: await read(), screen }
  } finally {
    shell.kill('SIGKILL')
    await shell.exited
  }
}

const stub = `#!/bin/bash
[ "$1" = completion ] && exec "$BUN" "$MAIN" "$@"
IFS='|'; echo "$*" >> "$GIVEN"
`
