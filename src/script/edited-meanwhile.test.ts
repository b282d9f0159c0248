import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { jobs } from '#db/schema'
import { readStates } from '#src/import/item-state'
import { runWorker } from '#src/job/worker'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { narrateKind } from '#src/narration/enqueue'
import { narrateHandler } from '#src/narration/narrate'
import { operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { enhanceHandler, enhanceKind } from './enhance-job'

const server = testModelServer()
const { app, services } = await testApp({
  OPENAI_BASE_URL: server.url,
  OPENAI_API_KEY: 'sk-canary-canary',
  VOICE_ORDER: 'built-in',
})
const { db, log } = services
const operator = await operatorBrowser(app)
const text = 'The last boat left at ten. Nobody was on it.'
const edited = 'The last boat left at ten.[pause 4s] [whisper]Nobody was on it.[/whisper]'
const made = '[softer]The last boat left at ten. Nobody was on it.[/softer]'

/** Called once, while the model works. */
let meanwhile: (() => Promise<unknown>) | null = null
server.state.answer = async () => {
  const act = meanwhile
  meanwhile = null
  await act?.()
  const piece = { text, marks: ['softer'], emotion: null, speaker: null, pauseSecondsAfter: 0 }
  return chatAnswer(JSON.stringify({ pieces: [piece] }))
}
const handlers = { [narrateKind]: narrateHandler(services), [enhanceKind]: enhanceHandler(services) }
const worker = runWorker({ db, log }, { concurrency: 1, handlers })
afterAll(() => worker.stop())

const publishText = async () => (await publishTestItem(services, { content: text })).id
const edit = (id: string) =>
  operator.json(`/api/stories/${id}/script`, { method: 'PUT', json: { script: edited } })
const enhance = async (id: string): Promise<string> =>
  (await operator.json(`/api/stories/${id}/enhance`, { json: {} })).jobId
const script = async (id: string) => (await operator.json(`/api/stories/${id}/script`)).script
const over = (jobId: string) =>
  until(async () => {
    const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId))
    return job && !['queued', 'running'].includes(job.state) && job
  })

test('a script that an operator saves during a narration is the one kept and spoken', async () => {
  const id = await publishText()
  meanwhile = () => edit(id)
  const { jobId } = await operator.json(`/api/stories/${id}/narrate`, { json: { voice: 'female' } })
  // The length shows the operator's pause of four seconds.
  expect(await over(jobId)).toMatchObject({ state: 'done' })
  expect((await operator.json(`/api/premium-content/${id}`)).audioDurationSeconds).toBeGreaterThan(6)
  expect(await script(id)).toBe(edited)
})

test('a generated script does not replace an edit made since it was requested', async () => {
  const id = await publishText()
  meanwhile = () => edit(id)
  expect(await over(await enhance(id))).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'The script was edited since. Have it made again if you want to replace it.',
  })
  expect(await script(id)).toBe(edited)

  expect(await over(await enhance(id))).toMatchObject({ state: 'done' })
  expect(await script(id)).toBe(made)
})

test('requesting a script again after an edit replaces the edit', async () => {
  const other = await publishText()
  const id = await publishText()
  const asked: string[] = []
  meanwhile = async () => {
    asked.push(await enhance(id))
    await edit(id)
    asked.push(await enhance(id))
  }
  await over(await enhance(other))
  const [first = '', second = ''] = asked
  expect(await over(first)).toMatchObject({ state: 'failed' })
  expect(await over(second)).toMatchObject({ state: 'done' })
  expect(await script(id)).toBe(made)
})

test('narrating a corrected text keeps the script’s date, and the estimate lists only what was added since', async () => {
  const id = await publishText()
  await edit(id)
  const marked = await operator.json(`/api/stories/${id}/script`)
  const change = (content: string) =>
    operator.json(`/api/premium-content/${id}`, { method: 'PUT', json: { content } })
  const corrected = text.replace('boat', 'ferry')
  await change(corrected)
  const written = await readStates(db, [id])
  const { jobId } = await operator.json(`/api/stories/${id}/narrate`, { json: { voice: 'female' } })
  expect(await over(jobId)).toMatchObject({ state: 'done' })
  expect(await operator.json(`/api/stories/${id}/script`)).toMatchObject({
    ...{ script: edited.replace('boat', 'ferry'), madeBy: 'operator', updatedAt: marked.updatedAt },
  })
  // An import that wrote this text can still be undone.
  expect((await readStates(db, [id])).get(id)?.fields.content).toBe(written.get(id)?.fields.content)

  await change(`${corrected} The lamp burned.`)
  const estimate = await operator.json(`/api/stories/${id}/narrate/estimate`, { json: { voice: 'female' } })
  expect(estimate.unspoken).toEqual(['The lamp burned.'])
})
