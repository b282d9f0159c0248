import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testTerminal } from '#cli/testing'
import { importDrafts } from '#db/schema'
import { listJobs } from '#src/job/queries'
import { toneMp3 } from '#src/narration/testing'

const { db, folder, run, json, type } = await testTerminal()
const write = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  Bun.write(join(folder, name), content)
await write('two.csv', 'Name,Text,Voice\nThe Lamp,She lit the lamp.,female\nThe Letter,,female\n')
await write('one.csv', 'Name,Text,Voice\nThe Lamp,She lit the lamp.,female\n')
await write('the-lamp_female.mp3', await toneMp3(2))
await write('text.mp3', 'This is no audio.')

test('an import is begun, given files, planned, queued as a job, cancelled and discarded', async () => {
  const { id } = (await json('imports', 'begin', 'two.csv')) as { id: string }
  const sent = await run('imports', 'send', id, 'the-lamp_female.mp3', 'text.mp3')
  expect(sent.code).toBe(1)
  expect(sent.out).toMatch(/^here +the-lamp_female.mp3 .*\nrefused +text.mp3/)
  expect(await json('imports', 'drop', id, 'text.mp3', '--yes')).toMatchObject({ removed: true })
  expect((await run('imports', 'show', id)).out).toMatch(/^two.csv, 2 rows, open\nhere +the-lamp_female.mp3/)

  const planned = await run('imports', 'plan', id, '--failed', 'mend.csv')
  expect(planned.code).toBe(1)
  expect(planned.out).toMatch(/^2 +new +The Lamp .*\n3 +problem +The Letter/)
  expect(await Bun.file(join(folder, 'mend.csv')).text()).toContain('The Letter')

  expect((await run('imports', 'sheet', id, 'one.csv')).out).toBe('1 row\n')
  expect((await run('imports', 'plan', id)).code).toBe(0)
  const { jobId } = (await json('imports', 'apply', id)) as { jobId: string }
  expect(await listJobs(db, { kind: 'import' })).toMatchObject([{ id: jobId, state: 'queued' }])
  expect((await run('imports', 'discard', id, '--yes')).err).toBe(
    'This import is running. Wait for it to finish, or cancel it.\n',
  )
  expect((await run('jobs', 'cancel', jobId)).code).toBe(0)
  expect((await run('imports', 'discard', id)).code).toBe(2)
  expect((await run('imports', 'discard', id, '--yes')).out).toBe('Discarded.\n')
})

test('--columns maps columns to fields, and a plan names the fields that change', async () => {
  await write('own.csv', 'Titel,Text\nThe Wharf,It was quiet.\n')
  const lacking = await run('stories', 'import', 'own.csv', '--dry-run')
  expect(lacking.err).toContain('Column A “Titel” is not known, and no other is Name. Did you mean Name?')
  expect((await run('stories', 'import', 'own.csv', '--columns', 'A=Name')).out).toContain('1 imported')
  await write('own.csv', 'Titel,Text,Laenge\nThe Wharf,It was loud.,20:30\n')
  const begun = await run('imports', 'begin', 'own.csv')
  expect([begun.code, begun.err]).toEqual([0, expect.stringContaining('Did you mean Name?')])
  const id = begun.out.trim()
  const chosen = await run('imports', 'choose', id, '--columns', 'Titel=Name,Laenge=Audio Length')
  expect(chosen.out).toBe('own.csv, 1 row, open\n')
  expect((await run('imports', 'plan', id)).out).toBe('2  change  The Wharf  Changes the text, the length\n')
  const again = ['own.csv', '--dry-run', '--columns', 'Titel=Name,Laenge=Audio Length']
  const planned = await run('stories', 'import', ...again)
  expect(planned.out).toStartWith('2  update  The Wharf  Changes the text, the length\n')
  expect(planned.err).toContain('Row 2: C “Laenge”: "20:30" was read as 20 min 30 s')
  expect((await run('imports', 'choose', id, '--columns', 'Titel')).code).toBe(2)
})

test('an import of someone else is not found, and a missing argument or file exits with 2', async () => {
  const id = '019c0000-0000-7000-8000-00000000000a'
  await db.insert(importDrafts).values({ id, owner: 'Ada' })
  const gone = 'This import no longer exists, or belongs to someone else. Start a new one.\n'
  for (const act of ['show', 'plan', 'apply'])
    expect(await run('imports', act, id)).toEqual({ code: 1, out: '', err: gone })
  expect((await run('imports', 'send', id, 'one.csv')).err).toBe(gone)
  expect((await run('imports', 'send', id, 'nowhere.mp3')).code).toBe(2)
  expect((await run('imports', 'sheet', id)).code).toBe(2)
  expect((await run('imports', 'begin', 'nowhere.csv')).code).toBe(2)
})

test('an undo previews its plan, keeps items edited since, and removes those too with --edited=remove', async () => {
  await write('lamp.csv', 'Name,Text,Voice\nThe Quay,It was late.,female\nThe Lock,It was early.,female\n')
  const imported = (await json('stories', 'import', 'lamp.csv')) as { batchId: string }
  await run('stories', 'edit', 'the-lock', '--description', 'By hand.')
  const planned = await run('imports', 'undo', imported.batchId, '--dry-run')
  expect(planned.code).toBe(0)
  expect(planned.out).toMatch(/The Lock +Stays as it is\. Edited since: the description\./)
  expect(planned.out).toMatch(/The Quay +Into the bin\./)
  expect(planned.out).toContain(
    'Nothing was changed. 1 item would go into the bin, 1 item would stay as it is. Edited since: 1.\n',
  )
  const unasked = await run('imports', 'undo', imported.batchId)
  expect([unasked.code, unasked.err.includes('--yes'), unasked.err.includes('The Quay')]).toEqual([
    2,
    true,
    true,
  ])
  expect((await run('imports', 'undo', imported.batchId, '--edited=maybe')).code).toBe(2)
  expect(await json('imports', 'undo', imported.batchId, '--edited=remove', '--dry-run')).toMatchObject({
    dryRun: true,
    removed: 2,
    kept: 0,
  })
  const done = await run('imports', 'undo', imported.batchId, '--yes')
  expect(done.out).toContain('Undone. 1 item went into the bin, 1 item stayed as it is. Edited since: 1.')
  expect(done.out).toContain('The bin keeps it for 30 days: nocturne stories restore ID brings one back.')
  expect((await run('imports', 'undo', imported.batchId, '--yes')).err).toBe(
    'This import was already undone.\n',
  )

  const [undone] = (await json('audit', 'list', '--limit', '1')) as { id: string; items: number }[]
  expect(undone?.items).toBe(2)
  const shown = await run('audit', 'show', undone?.id ?? '')
  expect(shown.out).toMatch(/remove +The Quay\n.*keep +The Lock +description\n/)
  expect((await run('audit', 'show', 'nothing')).err).toBe('There is no such change.\n')
  expect((await run('stories', 'restore', 'the-quay')).out).toBe('Restored, published: The Quay\n')
})

test('an import from standard input leaves no temporary file', async () => {
  await write('piped.txt', 'The Pier\tfemale\tromantic\tA lamp.\t5\tShe lit the lamp.\n')
  const { out } = await type(
    'mkdir left; TMPDIR=$PWD/left nocturne stories import - --dry-run <piped.txt; ls left | wc -l',
  )
  expect(out).toContain('The Pier')
  expect(out).toEndWith('\n0\n')
})
