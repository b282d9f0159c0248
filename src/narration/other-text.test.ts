import { afterAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { jobs, narrations, narrationTimings, stories } from '#db/schema'
import { applyImport } from '#src/import/apply'
import { decodeRows } from '#src/import/decode-rows'
import { rowOfObject } from '#src/import/rows/read-rows'
import { undoImport } from '#src/import/undo'
import { retryJob } from '#src/job/cancel-retry'
import { priorities } from '#src/job/rules'
import { runWorker } from '#src/job/worker'
import { addGuideline } from '#src/review/change-guideline'
import { sha256 } from '#src/security/keyed-hash'
import { memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { restoreNarration } from './earlier-narrations'
import { enqueueNarration, narrateKind } from './enqueue'
import { narrateHandler } from './narrate'
import { toneMp3 } from './testing'
import { admitAudio } from './upload/admit-audio'

const { app, services } = await testApp({ MEMBER_NARRATIONS_A_DAY: '9' })
const { db, log, storage } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com')
const ada = await operatorBrowser(app)
await addGuideline(db, { keywords: ['moonshine'], severity: 'high' }, 'Ada')

/** Called once, after a text was spoken and before its narration is attached. */
let meanwhile: (() => Promise<unknown>) | null = null
/** Number of texts spoken. */
let spoken = 0
const worker = runWorker(
  { db, log },
  {
    concurrency: 1,
    handlers: {
      [narrateKind]: narrateHandler({
        ...services,
        storage: {
          ...storage,
          receive: async (source) => {
            const act = meanwhile
            meanwhile = null
            spoken += 1
            await act?.()
            return storage.receive(source)
          },
        },
      }),
    },
  },
)
afterAll(() => worker.stop())

const make = async (): Promise<string> => {
  const draft = { title: 'The Pier', content: 'Nobody was on the pier.', categories: ['romantic'] }
  return (await ana.json('/api/user/content', { json: draft })).id
}
const edit = (id: string, content: string) =>
  ana.call(`/api/user/content/${id}`, { method: 'PUT', json: { content } })
const share = (id: string) => ana.call(`/api/user/content/${id}/share`, { method: 'POST', json: {} })
const approve = (id: string) =>
  ada.call(`/api/held-content/${id}`, { method: 'PATCH', json: { decision: 'approve' } })
const narrate = async (id: string) => {
  await ana.call(`/api/user/content/${id}/narrate`, { method: 'POST', json: {} })
  const [job] = await db.select().from(jobs).where(eq(jobs.storyId, id))
  return over(job?.id ?? '')
}
const over = (jobId: string) =>
  until(async () => {
    const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId))
    return job && job.state !== 'queued' && job.state !== 'running' && job
  })
const hears = async (who: typeof ana, id: string) =>
  (await who.call(`/api/premium-audio/${id}/female`, { method: 'HEAD' })).status
const spokenText = async (id: string) => {
  const [current] = await db
    .select({ textHash: narrationTimings.textHash })
    .from(narrations)
    .innerJoin(narrationTimings, eq(narrationTimings.narrationId, narrations.id))
    .where(and(eq(narrations.storyId, id), eq(narrations.isCurrent, true)))
  return current?.textHash
}

test('approving a text changed since its narration hides the narration from others', async () => {
  const id = await make()
  await narrate(id)
  await edit(id, 'Two were on the pier.')
  await share(id)
  expect(await hears(ana, id)).toBe(200)
  expect((await approve(id)).status).toBe(200)
  expect(await hears(ben, id)).toBe(404)
  expect((await db.select().from(stories).where(eq(stories.id, id)))[0]?.audioDurationSeconds).toBeNull()
})

test('approving an unchanged text lets others hear its narration', async () => {
  const id = await make()
  await narrate(id)
  await share(id)
  await approve(id)
  expect(await hears(ben, id)).toBe(200)
})

test('a member’s text changed while being spoken is spoken again in the same job', async () => {
  const id = await make()
  meanwhile = () => edit(id, 'Two were on the pier.')
  expect(await narrate(id)).toMatchObject({ state: 'done', attempts: 1 })
  expect(await spokenText(id)).toBe(sha256('Two were on the pier.'))
})

test('a text that becomes held while being spoken is not narrated', async () => {
  const id = await make()
  meanwhile = () => edit(id, 'They drank moonshine on the pier.')
  expect(await narrate(id)).toMatchObject({ state: 'failed' })
  expect(await spokenText(id)).toBeUndefined()
})

const publishText = async (title: string) =>
  (await publishTestItem(services, { title, content: 'Nobody was on the pier.' })).id
const queue = async (id: string, wish?: Parameters<typeof enqueueNarration>[3]) =>
  (await enqueueNarration(db, id, 'female', wish)) ?? ''
const upload = async (id: string, seconds = 3) => {
  const form = new FormData()
  form.set('audioFile', new File([await toneMp3(seconds)], 'studio.mp3', { type: 'audio/mpeg' }))
  form.set('voice', 'female')
  await ada.json(`/api/premium-content/${id}/upload-audio`, { body: form })
}
/** Imports a recording for the item with this title. */
const importRecording = async (title: string) => {
  const staged = await storage.receive(new Blob([await toneMp3(4)]).stream())
  const file = await admitAudio({ db, storage }, staged, 'import.mp3')
  const rows = await decodeRows(db, [rowOfObject({ title, content: 'Nobody was on the pier.' }, 1)], 'Ada')
  const audio = [{ ...file, fileName: `${title}.mp3` }]
  const request = { kind: 'items', fileName: null, rows, audio, strict: true, narrate: 'none' } as const
  return (await applyImport(db, request, 'Ada')).batchId ?? ''
}
const current = async (id: string) => {
  const ofItem = and(eq(narrations.storyId, id), eq(narrations.isCurrent, true))
  return (await db.select().from(narrations).where(ofItem))[0]
}
/** Runs `act` while the worker speaks another text. */
const beforeItsTurn = async (act: () => Promise<unknown>) => {
  meanwhile = act
  await over(await queue(await publishText('Another')))
}

describe('recording newer than a narration request', () => {
  test('stays current, and nothing is spoken', async () => {
    const id = await publishText('Queued, then uploaded')
    let jobId = ''
    await beforeItsTurn(async () => {
      jobId = await queue(id)
      await upload(id)
    })
    const before = spoken
    expect(await over(jobId)).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: 'There is a newer recording. Ask for a narration again if you want to replace it.',
    })
    expect(spoken).toBe(before)
    expect(await current(id)).toMatchObject({ provider: 'upload' })
  })

  test('stays current when uploaded while the voice speaks', async () => {
    const id = await publishText('Uploaded meanwhile')
    meanwhile = () => upload(id)
    expect(await over(await queue(id))).toMatchObject({ state: 'failed', attempts: 1 })
    expect(await current(id)).toMatchObject({ provider: 'upload' })
  })

  test('stays current when made before the request but restored after it', async () => {
    const id = await publishText('Used again')
    await upload(id)
    const first = await current(id)
    let jobId = ''
    await beforeItsTurn(async () => {
      jobId = await queue(id)
      await upload(id, 5)
    })
    expect(await over(jobId)).toMatchObject({ state: 'failed' })
    await restoreNarration(db, id, first?.id ?? '', 'Ada')
    await retryJob(db, jobId, 'Ada')
    expect(await over(jobId)).toMatchObject({
      state: 'failed',
      error: 'There is a newer recording. Ask for a narration again if you want to replace it.',
    })
    expect(await current(id)).toMatchObject({ id: first?.id })
    expect(await over(await queue(id))).toMatchObject({ state: 'done' })
    expect(await current(id)).toMatchObject({ provider: 'built-in' })
  })

  test('stays current when the same file is uploaded again after the request', async () => {
    const id = await publishText('Uploaded twice')
    await upload(id)
    let jobId = ''
    await beforeItsTurn(async () => {
      jobId = await queue(id)
      await upload(id)
    })
    expect(await over(jobId)).toMatchObject({ state: 'failed' })
    expect(await current(id)).toMatchObject({ provider: 'upload' })
  })

  test('is replaced when it became current only by undoing an import', async () => {
    const id = await publishText('Imported and undone')
    await upload(id)
    let jobId = ''
    await beforeItsTurn(async () => {
      const batch = await importRecording('Imported and undone')
      jobId = await queue(id)
      await undoImport(db, batch, 'Ada')
    })
    expect(await over(jobId)).toMatchObject({ state: 'done' })
    expect(await current(id)).toMatchObject({ provider: 'built-in' })
  })

  test('is replaced by a narration requested after the same file was uploaded again', async () => {
    const id = await publishText('Uploaded twice, asked for twice')
    await upload(id)
    const wished: string[] = []
    await beforeItsTurn(async () => {
      wished.push(await queue(id))
      await upload(id)
      wished.push(await queue(id))
    })
    expect((await Promise.all(wished.map(over))).map(({ state }) => state)).toEqual(['failed', 'done'])
    expect(await current(id)).toMatchObject({ provider: 'built-in' })
  })

  test('is replaced by a narration requested after it, beside an earlier request', async () => {
    const id = await publishText('Asked for again')
    const wished: string[] = []
    await beforeItsTurn(async () => {
      wished.push(await queue(id))
      await upload(id)
      wished.push(await queue(id))
    })
    const [first = '', second = ''] = wished
    expect(await over(first)).toMatchObject({ state: 'failed' })
    expect(await over(second)).toMatchObject({ state: 'done' })
    expect(await current(id)).toMatchObject({ provider: 'built-in', jobId: second })
  })

  test('is the later of two requested narrations, whichever is spoken first', async () => {
    const id = await publishText('Two narrators')
    const wished: string[] = []
    await beforeItsTurn(async () => {
      wished.push(await queue(id, { narrator: 'rachel' }))
      wished.push(await queue(id, { narrator: 'serena' }))
    })
    for (const jobId of wished) expect(await over(jobId)).toMatchObject({ state: 'done' })
    expect(await current(id)).toMatchObject({ narrator: 'serena' })
    await beforeItsTurn(async () => {
      wished.push(await queue(id, { narrator: 'bella', priority: priorities.usual + 1 }))
      wished.push(await queue(id, { narrator: 'elli' }))
    })
    const [, , early = '', late = ''] = wished
    expect(await over(late)).toMatchObject({ state: 'done' })
    expect(await over(early)).toMatchObject({ state: 'failed' })
    expect(await current(id)).toMatchObject({ narrator: 'elli' })
  })
})

test('requesting a narration again while it is spoken returns the same job unless the script changed', async () => {
  const id = await publishText('Pressed twice')
  const wished: string[] = []
  meanwhile = async () => {
    wished.push(await queue(id))
    await ada.json(`/api/stories/${id}/script`, {
      method: 'PUT',
      json: { script: '[whisper]Nobody was on the pier.[/whisper]' },
    })
    wished.push(await queue(id))
  }
  const first = await queue(id)
  await over(first)
  const [same = '', other = ''] = wished
  expect(same).toBe(first)
  expect(other).not.toBe(first)
  expect(await over(other)).toMatchObject({ state: 'done' })
})

test('an operator’s text changed while being spoken fails the job; the next request speaks the new text', async () => {
  const id = await publishText('A misprint')
  meanwhile = () =>
    ada.json(`/api/premium-content/${id}`, { method: 'PUT', json: { content: 'Two were on the pier.' } })
  expect(await over(await queue(id))).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'The text was changed while it was being spoken. Ask for a narration again.',
  })
  expect(await current(id)).toBeUndefined()
  expect(await over(await queue(id))).toMatchObject({ state: 'done' })
  expect(await spokenText(id)).toBe(sha256('Two were on the pier.'))
})
