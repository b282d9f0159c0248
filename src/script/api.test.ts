import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, jobs } from '#db/schema'
import { runWorker } from '#src/job/worker'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { enhanceHandler, enhanceKind } from './enhance-job'

const { app, services } = await testApp()
const { db, log } = services
const operator = await operatorBrowser(app)
const text = 'The last boat left at ten. “Come in,” she whispered.\n\nNobody slept [much].'
const { id } = await publishTestItem(services, { title: 'The Night Ferry', content: text })
const path = `/api/stories/${id}/script`
const enhance = enhanceHandler(services)
/** Jobs wait for it before they begin. */
let mayBegin = Promise.resolve()
const worker = runWorker(
  { db, log },
  {
    concurrency: 1,
    handlers: { [enhanceKind]: async (...args) => mayBegin.then(() => enhance(...args)) },
  },
)
afterAll(() => worker.stop())

const change = (content: string) =>
  operator.json(`/api/premium-content/${id}`, { method: 'PUT', json: { content } })
const over = (jobId: string) =>
  until(async () => {
    const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId))
    return job && !['queued', 'running'].includes(job.state) && job
  })

describe('item script API', () => {
  test('returns 401 to visitors and members, and 404 for an unknown item', async () => {
    const member = await memberBrowser(app, 'mara@example.com')
    for (const each of [browser(app), member]) {
      expect((await each.call(path)).status).toBe(401)
      expect((await each.call(path, { method: 'PUT', json: { script: text } })).status).toBe(401)
      expect((await each.call(`/api/stories/${id}/enhance`, { json: {} })).status).toBe(401)
    }
    for (const gone of [crypto.randomUUID(), 'x'])
      expect((await operator.call(`/api/stories/${gone}/script`)).status).toBe(404)
  })

  test('previews the built-in enhancer’s script while none is stored', async () => {
    expect(await operator.json(path)).toEqual({
      text,
      script:
        'The last boat left at ten. [whisper]“Come in,”[/whisper] she whispered.\n\n[slower]Nobody slept \\[much\\].[/slower]',
      madeBy: 'built-in',
      isKept: false,
      updatedAt: null,
    })
  })

  test('stores an operator’s edit, and records it in the audit log with their name', async () => {
    const script = `[softer]The last boat[/softer]${text.slice(13).replace(/[[\]]/g, '\\$&')}[pause 2s]`
    const edited = await operator.json(path, {
      method: 'PUT',
      json: { script: script.replaceAll('\n', '\r\n') },
    })
    expect(edited).toMatchObject({ text, script, madeBy: 'operator', isKept: true })
    expect(await operator.json(path)).toEqual(edited)
    const [entry] = await db.select().from(auditLog).where(eq(auditLog.action, 'edit_script'))
    expect(entry).toMatchObject({ actor: 'Ada', subjectId: id, after: { script } })
  })

  test('rejects the second of two concurrent edits with 412', async () => {
    const { id } = await publishTestItem(services, { title: 'Low Water', content: 'She rowed back.' })
    const path = `/api/stories/${id}/script`
    const read = async () => (await operator.call(path)).headers.get('etag') ?? ''
    const edit = (script: string, seen: string) =>
      operator.call(path, { method: 'PUT', json: { script }, headers: { 'if-match': seen } })

    // Neither of the two edits has seen a stored script.
    const unmade = await read()
    expect((await edit('[softer]She rowed back.[/softer]', unmade)).status).toBe(200)
    const refused = await edit('[slower]She rowed back.[/slower]', unmade)
    expect(refused.status).toBe(412)
    expect((await refused.json()).code).toBe('changed_since')

    const [mine, theirs] = [await read(), await read()]
    expect((await edit('[slower]She rowed[/slower] back.', mine)).status).toBe(200)
    expect((await edit('She rowed back.[pause 2s]', theirs)).status).toBe(412)
    expect(await operator.json(path)).toMatchObject({ script: '[slower]She rowed[/slower] back.' })
    const entries = await db.select().from(auditLog).where(eq(auditLog.subjectId, id))
    expect(entries.filter(({ action }) => action === 'edit_script')).toHaveLength(2)
  })

  test('rejects an edit that has not seen the script stored before the text was corrected', async () => {
    const { id } = await publishTestItem(services, { title: 'Slack Water', content: 'She rowed back.\n' })
    const path = `/api/stories/${id}/script`
    const seenNow = async () => (await operator.call(path)).headers.get('etag') ?? ''
    const edit = (script: string, seen: string) =>
      operator.call(path, { method: 'PUT', json: { script }, headers: { 'if-match': seen } })
    const unmade = await seenNow()
    expect((await edit('[softer]She rowed back.[/softer]', unmade)).status).toBe(200)
    await operator.json(`/api/premium-content/${id}`, {
      method: 'PUT',
      json: { content: 'She  rowed back.' },
    })
    expect((await edit('[slower]She rowed back.[/slower]', unmade)).status).toBe(412)
    expect((await edit('[slower]She rowed back.[/slower]', await seenNow())).status).toBe(200)
  })

  test('rejects a malformed or mismatched script with 422 and the position', async () => {
    for (const [script, problem] of [
      ['[whisper]x', 'Line 1, column 1: [whisper] is never closed'],
      ['The last ship left', "Line 1, column 10: the author's text has “boat”, the script “ship”"],
      ['', 'has “The”, the script nothing more'],
    ] as const) {
      const response = await operator.call(path, { method: 'PUT', json: { script } })
      expect(response.status).toBe(422)
      const { message, fields } = await response.json()
      expect(message).toContain(problem)
      expect(fields).toEqual([{ path: 'script', message }])
    }
    expect(await operator.json(path)).toMatchObject({ madeBy: 'operator' })
  })

  test('regenerates the script in one job when requested twice at once', async () => {
    const begin = Promise.withResolvers<void>()
    mayBegin = begin.promise
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await operator.json(`/api/stories/${id}/enhance`, { json: {} })).jobId),
    )
    begin.resolve()
    expect(second).toBe(first)
    expect(await over(first)).toMatchObject({ state: 'done', result: { madeBy: 'built-in' } })
    expect(await operator.json(path)).toMatchObject({ madeBy: 'built-in', isKept: true })
  })

  test('hides the script when the text changes, and shows it when the text is changed back', async () => {
    await change('Another text.')
    expect(await operator.json(path)).toMatchObject({ text: 'Another text.', isKept: false })
    await change(text)
    expect(await operator.json(path)).toMatchObject({ text, isKept: true })
  })

  test('carries an operator’s script over to a corrected text, but not a generated one', async () => {
    const corrected = text.replace('boat', 'ferry')
    const marked =
      'The last ferry left at ten.[pause 3s] “Come in,” she whispered.\n\nNobody slept \\[much\\].'
    await operator.json(path, { method: 'PUT', json: { script: marked.replace('ferry', 'boat') } })
    await change(corrected)
    expect(await operator.json(path)).toMatchObject({ script: marked, madeBy: 'operator', isKept: true })

    const { jobId } = await operator.json(`/api/stories/${id}/enhance`, { json: {} })
    expect(await over(jobId)).toMatchObject({ state: 'done', result: { madeBy: 'built-in' } })
    expect(await operator.json(path)).toMatchObject({ madeBy: 'built-in', isKept: true })
    await change(text.replace('boat', 'ship'))
    expect(await operator.json(path)).toMatchObject({ madeBy: 'built-in', isKept: false })
    await change(text)
  })

  test('rejects generating a script for an item without text', async () => {
    const empty = await publishTestItem(services, { title: 'Empty', content: '' })
    expect((await operator.call(`/api/stories/${empty.id}/enhance`, { json: {} })).status).toBe(422)
  })
})
