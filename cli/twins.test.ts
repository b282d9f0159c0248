import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { ArgsDef } from 'citty'
import { checkWords } from '#cli/check-words'
import { exitCodeOf, explain } from '#cli/failure'
import { findCommand, resolve } from '#cli/find-command'
import { describe, helpOf } from '#cli/help'
import { main } from '#cli/main'
import { everyCommand, subCommandsOf, wordsOf } from '#cli/testing-commands'
import type { ApiDocument } from '#src/server/api-document'
import { routes } from '#src/server/routes'
import { browser, testApp } from '#src/testing/app'
import { nearOnes } from '#src/text/near-ones'

const { app } = await testApp()
const { paths }: ApiDocument = await browser(app).json('/api/openapi.json')

/** The command for every operator call that changes something. Both use the same function. */
const twins: Record<string, string> = {
  'POST /api/stories': 'stories add',
  'POST /api/stories/bulk': 'stories import',
  'PUT /api/stories/{id}/script': 'script edit',
  'POST /api/stories/{id}/enhance': 'script enhance',
  'POST /api/stories/{id}/narrate': 'narrate',
  'POST /api/stories/{id}/narrate/estimate': 'narrate',
  'POST /api/test-audio': 'voices test',
  'POST /api/test-audio/estimate': 'voices estimate',
  'POST /api/jobs/{id}/retry': 'jobs retry',
  'POST /api/jobs/{id}/cancel': 'jobs cancel',
  'POST /api/premium-content': 'stories add',
  'PATCH /api/premium-content': 'stories change',
  'POST /api/premium-content/changes/{id}/undo': 'stories undo',
  'POST /api/premium-content/bulk': 'stories import',
  'PUT /api/premium-content/{id}': 'stories edit',
  'DELETE /api/premium-content/{id}': 'stories remove',
  'POST /api/premium-content/{id}/restore': 'stories restore',
  'POST /api/premium-content/{id}/upload-audio': 'premium attach-audio',
  'POST /api/premium-content/{id}/narrations/{narrationId}/restore': 'premium restore-narration',
  'PUT /api/premium-audio/{id}/{voice}/timings': 'premium attach-timings',
  'POST /api/premium-content/excel-import': 'premium import',
  'POST /api/imports/{id}/undo': 'imports undo',
  'POST /api/import-drafts': 'imports begin',
  'DELETE /api/import-drafts/{id}': 'imports discard',
  'POST /api/import-drafts/{id}/sheet': 'imports sheet',
  'PUT /api/import-drafts/{id}/sheet': 'imports choose',
  // Files on the terminal's machine need not be announced before they are sent.
  'PUT /api/import-drafts/{id}/files': 'imports send',
  'POST /api/import-drafts/{id}/files': 'imports send',
  'DELETE /api/import-drafts/{id}/files/{fileId}': 'imports drop',
  'POST /api/import-drafts/{id}/apply': 'imports apply',
  'POST /api/content-guidelines': 'guidelines add',
  'PATCH /api/content-guidelines/{id}': 'guidelines edit',
  'DELETE /api/content-guidelines/{id}': 'guidelines remove',
  'POST /api/content-guidelines/preview': 'guidelines add',
  'POST /api/content-guidelines/test': 'guidelines test',
  'PATCH /api/held-content/{id}': 'guidelines approve',
  'PATCH /api/held-content': 'guidelines approve',
  'PATCH /api/content-flags/{id}': 'moderation remove',
  'POST /api/model-config': 'model set',
  'POST /api/model-config/test': 'model test',
  'POST /api/training-examples': 'examples add',
  'PATCH /api/training-examples/{id}': 'examples edit',
  'DELETE /api/training-examples/{id}': 'examples remove',
  'POST /api/challenges': 'challenges create',
  'PUT /api/challenges/{id}': 'challenges edit',
  'DELETE /api/challenges/{id}': 'challenges remove',
  'DELETE /api/feedback/{id}': 'feedback remove',
  'DELETE /api/members/{id}': 'members delete',
  'POST /api/members/{id}/suspension': 'members suspend',
  'DELETE /api/members/{id}/suspension': 'members lift',
  'DELETE /api/members/{id}/sessions': 'members sign-out',
  'POST /api/changes': 'jobs change',
  'POST /api/changes/{id}/undo': 'audit undo',
  'PATCH /api/feature-flags': 'flags set',
  'POST /api/setup/mail': 'mail test',
  'DELETE /api/demo': 'demo remove',
  'POST /api/demo/restore': 'demo restore',
  'DELETE /api/admin/sessions': 'token end',
  'DELETE /api/admin/sessions/{id}': 'token end',
}

/** The commands that must exist, by noun. */
const promised = `serve, doctor, db migrate|seed|status, stories import|list|show|add|publish|remove|export,
  premium import|list|stats|attach-audio, imports list|undo, narrate, jobs list|retry|cancel, beta list|export,
  guidelines list|add|remove|test, examples list|add|approve|export, model show|set|test,
  moderation list|approve|remove, challenges list|create, members list|export|delete,
  analytics summary|rollup|prune, audit list, token show|rotate|sessions|end`
  .split(/,\s+/)
  .flatMap((each) => {
    const [noun = '', verbs] = each.split(' ')
    return verbs ? verbs.split('|').map((verb) => `${noun} ${verb}`) : [noun]
  })

const isOfOperators = (name: string) => routes[name.replace(/\{(\w+)\}/g, ':$1')]?.access === 'operator'

test('every API operation by which an operator changes something has a command', () => {
  const changing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method]) => `${method.toUpperCase()} ${path}`)
      .filter((name) => !name.startsWith('GET ') && isOfOperators(name)),
  )
  // A call that is missing in `twins` needs a command first.
  expect(Object.keys(twins).sort()).toEqual(changing.sort())
})

test('every destructive command has a --yes option', async () => {
  const takingAway = Object.entries(twins).filter(
    ([call, words]) => call.startsWith('DELETE ') && words !== 'members lift',
  )
  for (const words of [...new Set(takingAway.map(([, words]) => words)), 'token rotate', 'analytics prune']) {
    const { command } = await findCommand(main, words.split(' '))
    expect([words, 'yes' in ((await resolve(command.args)) ?? {})]).toEqual([words, true])
  }
})

for (const words of new Set([...Object.values(twins), ...promised]))
  test(`nocturne ${words} --help shows an example`, async () => {
    const { command } = await findCommand(main, words.split(' '))
    expect(command.subCommands).toBeUndefined()
    expect((await describe(command)).examples.length).toBeGreaterThan(0)
  })

test('every command has valid examples of its own, and --json unless it writes a file or serves', async () => {
  for (const { words, command } of await everyCommand()) {
    const { examples } = await describe(command)
    expect([words, examples.length > 0]).toEqual([words, true])
    for (const example of examples) {
      const [, program, line = ''] = /^(?:\w+=\S+ )*(nocturne) ([^<>|]+)/.exec(example) ?? []
      const given = wordsOf(line)
      expect([example, program, await refusalOf(...given)]).toEqual([example, 'nocturne', undefined])
      expect([example, (await findCommand(main, given)).name]).toEqual([example, `nocturne ${words}`])
    }
    if (/^serve$|^completion$|export$/.test(words)) continue
    expect([words, 'json' in ((await resolve(command.args)) ?? {})]).toEqual([words, true])
  }
})

test('help fits into 100 columns or a narrower terminal, without colours', async () => {
  const nouns = Object.entries(await subCommandsOf(main)).map(([words, command]) => ({ words, command }))
  for (const { words, command } of [{ words: '', command: main }, ...nouns, ...(await everyCommand())])
    for (const columns of [undefined, 60]) {
      const lines = await helpOf({ name: `nocturne ${words}`.trim(), command }, { columns })
      const wide = lines.filter((line) => line.length > (columns ?? 100) && !/\S{40}/.test(line))
      expect([words, columns, wide]).toEqual([words, columns, []])
      expect(lines.filter((line) => line.includes('\x1b') || line !== line.trimEnd())).toEqual([])
    }
})

test('the description of a noun names all of its commands', async () => {
  for (const [noun, group] of Object.entries(await subCommandsOf(main))) {
    const verbs = Object.keys(await subCommandsOf(group))
    const usage = (await describe(group)).text
    const missing = verbs.filter((verb) => !new RegExp(`\\b${verb}\\b`).test(usage))
    expect([noun, ...missing]).toEqual([noun])
  }
})

test('docs/operating.md names every command', async () => {
  const page = await Bun.file(join(import.meta.dir, '../docs/operating.md')).text()
  const named = page.split('\n').map((line) => [...line.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word))
  for (const { words } of await everyCommand()) {
    const [noun, verb] = words.split(' ')
    const isNamed = named.some(([first, ...rest]) => first === noun && (!verb || rest.includes(verb)))
    expect(`${words}: ${isNamed}`).toBe(`${words}: true`)
  }
})

async function refusalOf(...words: string[]) {
  const error = await findCommand(main, words)
    .then(checkWords)
    .catch((each) => each)
  return error && [exitCodeOf(error), explain(error)]
}

test('an unknown command exits with 2 and suggests similar names', async () => {
  expect(await refusalOf('storys', 'list')).toEqual([
    2,
    'There is no command "storys". Did you mean stories? See nocturne --help.',
  ])
  expect(await refusalOf('jobs', 'cancle', '--help')).toEqual([
    2,
    'There is no command "jobs cancle". Did you mean cancel? See nocturne jobs --help.',
  ])
  expect(await refusalOf('audit', 'constructor')).toEqual([
    2,
    'There is no command "audit constructor". There are: list, show, export, undo. See nocturne audit --help.',
  ])
  expect(nearOnes('exampels', ['examples', 'export'])).toEqual(['examples'])
})

for (const [line, message] of Object.entries({
  'stories import x.csv --dryrun':
    'There is no option --dryrun. Did you mean --dry-run? See nocturne stories import --help.',
  'stories remove x -y': 'There is no option -y. See nocturne stories remove --help.',
  'stories --status draft': 'There is no option --status. See nocturne stories --help.',
  'stories list foo':
    '"foo" is a word too many: nocturne stories list takes options only. Did you mean --q "foo"? See nocturne stories list --help.',
  'stories list draft':
    '"draft" is a word too many: nocturne stories list takes options only. Did you mean --status draft? See nocturne stories list --help.',
  'stories list limit 5':
    '"limit" is a word too many: nocturne stories list takes options only. Did you mean --limit? See nocturne stories list --help.',
  'stories show the night ferry':
    '"night" is a word too many: nocturne stories show takes ITEM. Put quotes around a value with spaces. See nocturne stories show --help.',
  'stories list --status': '--status needs a value. See nocturne stories list --help.',
  'stories list --status --json':
    '--status needs a value before --json. Write --status=--json if that is the value. See nocturne stories list --help.',
  'stories import x.csv --dry-run=no':
    '--dry-run takes no value. Write only --dry-run. See nocturne stories import --help.',
}))
  test(`nocturne ${line} exits with 2 and explains the wrong word or option`, async () => {
    expect(await refusalOf(...line.split(' '))).toEqual([2, message])
  })

test('every command rejects surplus words, unknown options, missing values and invalid booleans', async () => {
  for (const { words, command } of await everyCommand()) {
    const args: ArgsDef =
      command.args instanceof Function ? await command.args() : ((await command.args) ?? {})
    const places = Object.keys(args).filter((name) => args[name]?.type === 'positional')
    const right = [...words.split(' '), ...places.map(() => '-')]
    const isRefused = async (...more: string[]) => {
      const [code, message] = (await refusalOf(...right, ...more)) ?? [0, '']
      return [words, code, message.startsWith(JSON.stringify(more[0])) || message.includes(more[0] ?? '')]
    }
    expect([words, await refusalOf(...right)]).toEqual([words, undefined])
    if (places.at(-1)?.endsWith('…')) expect(await refusalOf(...right, 'more', '--', '-x')).toBeUndefined()
    else expect(await isRefused('surplus')).toEqual([words, 2, true])
    expect(await isRefused('--nonsense')).toEqual([words, 2, true])
    expect(await isRefused('-x')).toEqual([words, 2, true])
    for (const [name, { type }] of Object.entries(args)) {
      if (type === 'positional') continue
      if (type === 'boolean') {
        expect(await refusalOf(...right, `--${name}`, `--no-${name}`)).toBeUndefined()
        expect((await refusalOf(...right, `--${name}=maybe`))?.[0]).toBe(2)
        continue
      }
      expect(await isRefused(`--${name}`)).toEqual([words, 2, true])
      expect(await isRefused(`--${name}`, '--json')).toEqual([words, 2, true])
      expect(await refusalOf(...right, `--${name}`, '-5')).toBeUndefined()
      expect(await refusalOf(...right, `--${name}=--json`)).toBeUndefined()
    }
  }
})
