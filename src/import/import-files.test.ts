import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import { utils, write } from 'xlsx'
import {
  audioFiles,
  auditLog,
  importChanges,
  imports,
  narrations,
  narrationTimings,
  stories,
} from '#db/schema'
import { AppError } from '#src/app-error'
import { toneMp3 } from '#src/narration/testing'
import { testApp } from '#src/testing/app'
import { importFiles } from './import-files'
import type { RowImportOptions } from './import-rows'
import { undoImport } from './undo'

const { services } = await testApp()
const { db } = services
const folder = mkdtempSync(join(tmpdir(), 'nocturne-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(
  async () =>
    void (await db.execute(sql`truncate stories, imports, import_changes, audio_files, audit_log cascade`)),
)

const heading = ['Name', 'Voice', 'Categories', 'Short Description', 'Audio Length', 'Text']
const row = (name: string, text = `${name} began.`, voice = 'female') => [
  name,
  voice,
  'romantic, man and woman',
  `About ${name}.`,
  14,
  text,
]

async function sheet(fileName: string, rows: unknown[][]): Promise<{ path: string; fileName: string }> {
  const path = join(folder, fileName)
  const book = { Sheets: { one: utils.aoa_to_sheet([heading, ...rows]) }, SheetNames: ['one'] }
  const bookType = fileName.endsWith('.xls') ? 'biff8' : fileName.endsWith('.csv') ? 'csv' : 'xlsx'
  await Bun.write(path, write(book, { type: 'buffer', bookType }))
  return { path, fileName }
}

const audio = (fileName: string, bytes: Uint8Array<ArrayBuffer>) => ({
  fileName,
  stage: () =>
    services.storage.receive(
      (async function* () {
        yield bytes
      })(),
    ),
})
const options = (changed: Partial<RowImportOptions> = {}): RowImportOptions => ({
  isDryRun: false,
  strict: false,
  narrate: 'none',
  ...changed,
})
const titles = async () =>
  (await db.select({ title: stories.title }).from(stories).orderBy(stories.title)).map((each) => each.title)
const refusal = async (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => {
      throw new Error('Nothing was refused.')
    },
    (error) => {
      if (error instanceof AppError) return error
      throw error
    },
  )
const storedFiles = async () =>
  (await readdir(join(services.env.dataDir, 'audio'), { recursive: true, withFileTypes: true })).filter(
    (each) => each.isFile(),
  ).length

for (const name of ['stories.xlsx', 'stories.xls', 'stories.csv']) {
  test(`importing ${name} with an MP3 is idempotent`, async () => {
    const files = {
      sheet: await sheet(name, [row('The Lamp'), row('The Boat', 'He rowed.', 'male')]),
      audio: [audio('the-lamp.mp3', await toneMp3(2))],
    }
    const first = await importFiles(services, files, options(), 'Ada')
    expect(first.result).toMatchObject({ imported: 2, updated: 0, matchedAudio: 1 })
    const second = await importFiles(services, files, options(), 'Ada')
    expect(second.result).toMatchObject({ imported: 0, updated: 0, skipped: 2, batchId: null })
    expect(await titles()).toEqual(['The Boat', 'The Lamp'])
    expect(await db.$count(narrations)).toBe(1)
  })
}

test('concurrent imports of one file add everything once', async () => {
  const files = { sheet: await sheet('twice.xlsx', [row('The Lamp'), row('The Boat')]), audio: [] }
  const results = await Promise.all([1, 2, 3].map(() => importFiles(services, files, options(), 'Ada')))
  expect(results.map(({ result }) => result?.imported).sort()).toEqual([0, 0, 2])
  expect(await titles()).toEqual(['The Boat', 'The Lamp'])
})

test('a dry run returns the plan and stores nothing', async () => {
  const before = await storedFiles()
  const { plan, result } = await importFiles(
    services,
    { sheet: await sheet('dry.xlsx', [row('The Lamp')]), audio: [audio('the lamp.mp3', await toneMp3(1))] },
    options({ isDryRun: true }),
    'Ada',
  )
  expect(plan.counts).toMatchObject({ create: 1, matchedAudio: 1 })
  expect(result).toBeNull()
  expect([
    await db.$count(stories),
    await db.$count(imports),
    await db.$count(audioFiles),
    (await storedFiles()) - before,
  ]).toEqual([0, 0, 0, 0])
})

test('valid rows are imported and the others reported, or nothing in strict mode', async () => {
  const files = {
    sheet: await sheet('mixed.xlsx', [row('The Lamp'), ['', '', '', '', '', ''], row('The Boat', '')]),
    audio: [],
  }
  const strict = await refusal(importFiles(services, files, options({ strict: true }), 'Ada'))
  expect(strict.message).toStartWith('Row 4, column F “Text”: There is no text.')
  expect(await db.$count(stories)).toBe(0)
  const { result, plan } = await importFiles(services, files, options(), 'Ada')
  expect(result).toMatchObject({ imported: 1, skipped: 2 })
  expect(plan.problems).toMatchObject([{ row: 4, field: 'content', column: 'F “Text”' }])
})

test('a file that is not audio is reported in the plan and never stored', async () => {
  const before = await storedFiles()
  const elf = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46]), Buffer.alloc(4_000, 7)])
  const { plan, result } = await importFiles(
    services,
    {
      sheet: await sheet('elf.xlsx', [row('Moon')]),
      audio: [audio('moon.mp3', new Uint8Array(elf)), audio('../../etc/moon.mp3', await toneMp3(1))],
    },
    options(),
    'Ada',
  )
  expect(result?.imported).toBe(1)
  expect(plan.problems.map(({ field, message }) => [field, message.startsWith('moon.mp3 is not')])).toEqual([
    ['audio', true],
  ])
  expect((await storedFiles()) - before).toBe(1)
})

test('undo restores the previous items, texts and narrations', async () => {
  await importFiles(
    services,
    {
      sheet: await sheet('first.xlsx', [row('The Lamp', 'The first text.')]),
      audio: [audio('the lamp.mp3', await toneMp3(1, 220))],
    },
    options(),
    'Ada',
  )
  const [before] = await db.select().from(stories)
  const second = await importFiles(
    services,
    {
      sheet: await sheet('second.xlsx', [row('The Lamp', 'The second text.'), row('The Boat')]),
      audio: [audio('the lamp.mp3', await toneMp3(1, 330))],
    },
    options(),
    'Ada',
  )
  expect(second.result).toMatchObject({ imported: 1, updated: 1 })
  expect((await undoImport(db, second.result?.batchId ?? '', 'Ada')).counts).toMatchObject({
    remove: 1,
    restore: 1,
    edited: 0,
  })
  const [after, ...others] = await db.select().from(stories).orderBy(stories.createdAt, stories.id)
  expect(others).toMatchObject([{ title: 'The Boat', status: 'removed', removedFrom: 'published' }])
  expect({ ...after, updatedAt: null }).toEqual({ ...before, updatedAt: null } as typeof after & {
    updatedAt: null
  })
  const current = await db
    .select({ hash: narrations.audioHash })
    .from(narrations)
    .where(eq(narrations.isCurrent, true))
  expect(current).toHaveLength(1)
  const again = await refusal(undoImport(db, second.result?.batchId ?? '', 'Ada'))
  expect(again.code).toBe('already_undone')
  expect((await refusal(undoImport(db, 'no id', 'Ada'))).code).toBe('not_found')
  expect(
    (await db.select({ action: auditLog.action }).from(auditLog).orderBy(auditLog.at)).map(
      (each) => each.action,
    ),
  ).toEqual(['import', 'import', 'undo'])
})

test('a file can be imported again after an undo', async () => {
  const files = { sheet: await sheet('again.xlsx', [row('The Lamp')]), audio: [] }
  const { result } = await importFiles(services, files, options(), 'Ada')
  await undoImport(db, result?.batchId ?? '', 'Ada')
  expect((await importFiles(services, files, options(), 'Ada')).result?.imported).toBe(1)
  expect(await db.$count(importChanges)).toBe(2)
})

test('unsupported, damaged and empty files are rejected with the fix', async () => {
  const refused = async (fileName: string, bytes: string | Uint8Array) => {
    const path = join(folder, fileName)
    await Bun.write(path, bytes)
    return (await refusal(importFiles(services, { sheet: { path, fileName }, audio: [] }, options(), 'Ada')))
      .message
  }
  const good = await Bun.file((await sheet('good.xlsx', [row('The Lamp')])).path).bytes()
  expect(await refused('text.xlsx', 'no sheet at all')).toContain('not a spreadsheet')
  expect(await refused('cut.xlsx', good.slice(0, good.length / 2))).toContain('damaged')
  expect(
    await refused(
      'rubbish.xls',
      Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(2_000, 3)]),
    ),
  ).toContain('could not be read')
  expect(await refused('stories.pdf', '%PDF')).toContain('Unsupported format')
  expect(await refused('empty.csv', '')).toContain('empty')
  expect(await refused('broken.csv', Buffer.from('Name,Text\n\x81\xff,x', 'latin1'))).toContain('UTF-8')
  expect(await db.$count(stories)).toBe(0)
})

test('sheets and audio without an extension are recognised by their content', async () => {
  const book = await Bun.file((await sheet('good.xlsx', [row('The Boat')])).path).bytes()
  const contents = [
    '[{"title":"The Lamp","content":"She lit it."}]',
    'Name\tText\nThe Ferry\tIt left.\n',
    book,
  ]
  const matched: (number | undefined)[] = []
  for (const content of contents) {
    const path = join(folder, 'blob')
    await Bun.write(path, content)
    const files = { sheet: { path, fileName: '' }, audio: [audio('the boat', await toneMp3(1))] }
    matched.push((await importFiles(services, files, options(), 'Ada')).result?.matchedAudio)
  }
  expect(await titles()).toEqual(['The Boat', 'The Ferry', 'The Lamp'])
  expect(matched).toEqual([0, 0, 1])
})

test('a zip bomb is rejected by its directory before it is unpacked', async () => {
  const path = join(folder, 'bomb.xlsx')
  await Bun.write(path, zipOf('xl/worksheets/sheet1.xml', Buffer.alloc(80 * 1024 * 1024)))
  const { message } = await refusal(
    importFiles(services, { sheet: { path, fileName: 'bomb.xlsx' }, audio: [] }, options(), 'Ada'),
  )
  expect(message).toContain('unpacks to 80 MB')
})

/** A zip with one deflated entry (APPNOTE.TXT 4.3). */
function zipOf(name: string, content: Buffer): Uint8Array {
  const packed = deflateRawSync(content)
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32LE(packed.length, 4)
  sizes.writeUInt32LE(content.length, 8)
  const names = Buffer.alloc(4)
  names.writeUInt16LE(name.length, 0)
  const local = Buffer.concat([
    Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0]),
    sizes,
    names,
    Buffer.from(name),
    packed,
  ])
  const central = Buffer.concat([
    Buffer.from([0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0]),
    sizes,
    names,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(22)
  end.set([0x50, 0x4b, 5, 6])
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

test('timings beside the audio are aligned to the text, and reported when they do not match', async () => {
  const file = await sheet('timed.xlsx', [
    row('The Gift', 'The last boat left at ten. Nobody minded.'),
    row('The Moon', 'Quite another text.'),
  ])
  const vtt = new TextEncoder().encode(
    'WEBVTT\n\n00:00.300 --> 00:01.500\nThe last boat left at ten.\n\n00:01.600 --> 00:02.000\nNobody minded.',
  )
  const outcome = await importFiles(
    services,
    {
      sheet: file,
      audio: [
        audio('the-gift.mp3', await toneMp3(3, 330)),
        audio('the-gift.vtt', vtt),
        audio('the-moon.mp3', await toneMp3(3, 440)),
        audio('the-moon.vtt', vtt),
        audio('stars.srt', vtt),
      ],
    },
    options(),
    'Ada',
  )
  expect(outcome.plan.problems.map(({ message }) => message)).toEqual([
    'stars.srt has no matching audio. Give both the same name, such as moon.mp3 and moon.vtt.',
  ])
  expect(outcome.plan.rows.flatMap(({ admitted }) => admitted.warnings)).toEqual([
    expect.stringContaining('the-moon.mp3: Only 0 of the 3 words'),
  ])
  const stored = await db.select().from(narrationTimings)
  expect(stored).toMatchObject([{ source: 'file' }])
  expect(stored[0]?.sentences).toHaveLength(8)
})
