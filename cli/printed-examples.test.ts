import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, inArray } from 'drizzle-orm'
import { utils, write } from 'xlsx'
import { describe } from '#cli/help'
import { type Outcome, testTerminal } from '#cli/testing'
import { everyCommand, wordsOf } from '#cli/testing-commands'
import { challenges, importDrafts, jobs, stories, users } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { readEnv } from '#src/env'
import { runScans } from '#src/guideline/testing'
import { register } from '#src/member/sign-in/register'
import { testModelServer } from '#src/model/testing'
import { reportItem } from '#src/moderation/report'
import { toneMp3 } from '#src/narration/testing'
import { signInOperator } from '#src/operator/sign-in'
import { loadSecrets } from '#src/security/secrets'
import { requireItemId } from '#src/story/find-item-id'
import { memberPassword } from '#src/testing/app'
import { rateItem } from '#src/vote/rate'

// Runs the examples of --help in the order in which they are printed, on one library: that of `db seed`.

const model = testModelServer()
const { db, folder, type, run } = await testTerminal({ OPENAI_BASE_URL: model.url })
const emptyLibrary = { DATABASE_URL: await testDatabaseUrl(), DATA_DIR: join(folder, 'restored') }
const ferry = 'the-night-ferry'
const address = 'mara@example.com'

type Changed = { changeId: string }

/** Examples that need more than a test can provide. twins.test.ts checks that they are parsed. */
const notRun: Record<string, string> = {
  'PORT=8080 nocturne serve': 'takes this port of the machine, and ends when it is stopped',
  'nocturne doctor --deploy': 'looks at the address, the proxy and the clock of an instance that runs',
}

/**
 * Preparation for the examples of a command, or of all commands of a noun. They run after the examples before them and
 * may use the files and the library. The returned value is the id to use in the example.
 */
const prepare: Record<string, () => Promise<unknown>> = {
  'stories restore': () => nocturne('stories', 'remove', ferry, '--yes'),
  'stories change': () => nocturne('stories', 'unpublish', 'salt-air'),
  'stories undo': async () =>
    (await nocturne<Changed>('stories', 'change', 'unpublish', '--category', 'romantic', '--yes')).changeId,
  'premium attach-timings': () => nocturne('premium', 'attach-audio', ferry, 'ferry.mp3', '--voice', 'male'),
  'premium restore-narration': () => idOf('premium', 'narrations', ferry),
  'imports undo': async () =>
    (await nocturne<{ batchId: string }>('stories', 'import', 'stories.csv')).batchId,
  'imports drafts': () => db.insert(importDrafts).values({ owner: 'Ada' }),
  'imports discard': begunImport,
  imports: once(begunImport),
  'jobs list': failedJob,
  'jobs change': failedJob,
  'jobs cancel': queuedJob,
  'jobs retry': failedJob,
  'guidelines held': once(holdFerry),
  'guidelines approve': holdFerry,
  'guidelines refuse': holdFerry,
  guidelines: () => idOf('guidelines', 'list'),
  feedback: comment,
  moderation: report,
  examples: () => idOf('examples', 'list'),
  'challenges create': () => db.delete(challenges),
  challenges: makeChallenge,
  'members lift': suspendMara,
  'members change': suspendMara,
  members: joinMara,
  'audit list': signInAda,
  'audit show': () => idOf('audit', 'list', '--action', 'import.import'),
  'audit undo': async () => {
    await failedJob()
    return (await nocturne<Changed>('jobs', 'change', 'retry', '--state', 'failed', '--yes')).changeId
  },
  'token end': signInAda,
}

test('every example printed by --help runs successfully and prints something', async () => {
  await writeFiles()
  const left = new Set(Object.keys(notRun))
  for (const { words, command } of await everyCommand())
    for (const example of (await describe(command)).examples) {
      if (left.delete(example)) continue
      await publishAgain()
      const [noun = ''] = words.split(' ')
      const id = await (prepare[words] ?? prepare[noun])?.()
      const line = example.replace(/019c…|9f3c0d2f6b8c1e57/, String(id))
      const { code, out, err } = await perform(line)
      const isSilent = !line.includes('>') && (out + err).trim() === ''
      expect({ line, code, isSilent, ...(code !== 0 && { err }) }).toEqual({ line, code: 0, isSilent: false })
    }
  expect([...left]).toEqual([])
})

/** Runs an example. One that uses the shell's syntax runs in a shell, the others in one long-lived process. */
function perform(line: string): Promise<Outcome> {
  if (line.includes('restore library.zip')) return type(line, emptyLibrary)
  return /[<>*]/.test(line) ? type(line, { HOME: folder }) : run(...wordsOf(line).slice(1))
}

/** Runs a preparing command with --json, and returns its parsed output. */
async function nocturne<T = unknown>(...words: string[]): Promise<T> {
  const { code, out, err } = await run(...words, '--json')
  if (code !== 0) throw new Error(`nocturne ${words.join(' ')} ended with ${code}: ${err}`)
  return JSON.parse(out)
}

/** Returns the id of what a command creates, or of the first row that it lists. */
async function idOf(...words: string[]): Promise<string | undefined> {
  const made = await nocturne<{ id: string } | ({ id: string } | string)[]>(...words)
  const first = Array.isArray(made) ? made[0] : made
  return typeof first === 'string' ? first : first?.id
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Publishes the items of the next examples, whatever earlier examples have done to them. */
async function publishAgain(): Promise<void> {
  await db
    .update(stories)
    .set({ status: 'published' })
    .where(inArray(stories.slug, [ferry, 'slow-train-north']))
}

async function begunImport(): Promise<string | undefined> {
  return idOf('imports', 'begin', 'november.xlsx')
}

async function queuedJob(): Promise<string | undefined> {
  return idOf('narrate', ferry, '--queue')
}

async function failedJob(): Promise<string | undefined> {
  const id = await queuedJob()
  await db
    .update(jobs)
    .set({ state: 'failed', error: 'The voice did not answer.' })
    .where(eq(jobs.id, id ?? ''))
  return id
}

/** Removes the operators' rules, which releases the items that they hold. */
async function removeRules(): Promise<void> {
  for (const { id, builtIn } of await nocturne<{ id: string; builtIn: boolean }[]>('guidelines', 'list'))
    if (!builtIn) await nocturne('guidelines', 'remove', id, '--yes')
  await runScans(db)
}

/** Adds a rule that holds the ferry. Returns the rule's id. */
async function holdFerry(): Promise<string | undefined> {
  await removeRules()
  const id = await idOf('guidelines', 'add', 'last boat', '--severity', 'high', '--yes')
  await runScans(db)
  return id
}

async function makeChallenge(): Promise<void> {
  await db.delete(challenges)
  await nocturne('challenges', 'create', 'Two Evenings', ferry, 'slow-train-north')
}

async function joinMara(): Promise<string> {
  const [known] = await db.select({ id: users.id }).from(users).where(eq(users.email, address))
  return known?.id ?? (await register(db, { email: address, password: memberPassword }, 'x')).id
}

async function suspendMara(): Promise<void> {
  await joinMara()
  await nocturne('members', 'suspend', address, '--reason', 'Several unkind comments.')
}

async function comment(): Promise<string | undefined> {
  await rateItem(db, await joinMara(), await requireItemId(db, ferry), { rating: 4, comments: 'It stayed.' })
  return idOf('feedback', 'list')
}

async function report(): Promise<string> {
  const said = { flagType: 'audio_fault', flagReason: 'Cuts out', email: address } as const
  const sender = { memberId: null, addressHash: crypto.randomUUID() }
  return (await reportItem(db, await requireItemId(db, ferry), said, sender)).id
}

async function signInAda(): Promise<string | undefined> {
  const secrets = loadSecrets(readEnv({ DATA_DIR: join(folder, 'data') }))
  const claim = { token: secrets.operatorToken, name: 'Ada' }
  await signInOperator({ db, secrets }, claim, { userAgent: '', addressHash: 'a' })
  return idOf('token', 'sessions')
}

async function writeFiles(): Promise<void> {
  const file = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
    Bun.write(join(folder, name), content)
  const book = (columns: string[]) => {
    const sheet = utils.aoa_to_sheet([columns, ['Moonrise', 'The moon rose over the quay.', 'female']])
    const workbook = { Sheets: { November: sheet }, SheetNames: ['November'] }
    return new Uint8Array(write(workbook, { type: 'buffer', bookType: 'xlsx' }))
  }
  const times = [
    'WEBVTT',
    '00:00.300 --> 00:02.100\nThe last boat left at ten.',
    '00:03.000 --> 00:05.000\nNobody minded the rain.',
  ]
  const sound = await toneMp3(6)
  await mkdir(join(folder, '.config/fish/completions'), { recursive: true })
  await Promise.all([
    file('ferry.txt', 'The last boat left at ten. Nobody minded the rain.'),
    file('ferry.mp3', sound),
    file('ferry.vtt', times.join('\n\n')),
    file('stories.csv', 'Name,Text,Voice\nThe Lamp,She lit the lamp.,female\n'),
    file('evening.xlsx', book(['Name', 'Text', 'Voice'])),
    file('november.xlsx', book(['Titel', 'Text', 'Voice'])),
    file('mp3/moonrise.mp3', sound),
    file('lamp.txt', 'She lit the lamp.'),
    file('story.txt', 'She lit the lamp.'),
    file('train.txt', 'The train left at ten.'),
    file('came-out.txt', 'The train was late.'),
    file('key.txt', 'sk-test-key\n'),
  ])
}
