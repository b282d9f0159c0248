import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { attachAudio } from '#src/narration/attach'
import { browser, memberBrowser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const { db } = services
const operator = await operatorBrowser(app)
beforeEach(
  async () => void (await db.execute(sql`truncate stories, imports, import_changes, audit_log cascade`)),
)

const titles = async () =>
  (await db.select({ title: stories.title }).from(stories).orderBy(stories.title)).map(({ title }) => title)
const post = (path: string, json: unknown) => operator.call(path, { json })
const fieldsOf = async (response: Response): Promise<string[]> => {
  expect(response.status).toBe(422)
  return (await response.json()).fields.map(({ path }: { path: string }) => path)
}

test('creation and edit reject a title of invisible characters as empty', async () => {
  const { id } = await publishTestItem(services, { title: 'Reeds' })
  const title = '\u200B\u2060'
  const draft = {
    title,
    content: 'Wind.',
    categories: ['gay'],
    duration: 5,
    voice: 'male',
    source: 'pre_uploaded',
  }
  expect(await fieldsOf(await post('/api/stories', draft))).toEqual(['title'])
  const edited = await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { title } })
  expect(await fieldsOf(edited)).toEqual(['title'])
  expect(await titles()).toEqual(['Reeds'])
})

describe('POST /api/stories', () => {
  test('publishes the submitted story for everybody', async () => {
    const draft = {
      title: '  The   Lamp ',
      content: 'She lit it.\r\n\r\n\r\nIt burned.',
      categories: ['gay'],
      duration: 20,
      voice: 'male',
      source: 'pre_uploaded',
    }
    const response = await post('/api/stories', draft)
    expect(response.status).toBe(201)
    const item = await response.json()
    expect(item).toMatchObject({
      title: 'The Lamp',
      slug: 'the-lamp',
      content: 'She lit it.\n\nIt burned.',
      excerpt: 'She lit it. It burned.',
      type: 'story',
      status: 'published',
      categories: ['gay'],
      duration: 20,
      voice: 'male',
      wordCount: 5,
      generateAudio: false,
      audioUrl: null,
    })
    expect(await browser(app).json('/api/content')).toMatchObject([{ id: item.id, title: 'The Lamp' }])
  })

  test('defaults to 15 minutes, the category romantic and the female voice', async () => {
    const item = await (await post('/api/stories', { title: 'A', content: 'B' })).json()
    expect(item).toMatchObject({
      duration: 15,
      categories: ['romantic'],
      voice: 'female',
      narratorFemale: null,
    })
  })

  test('accepts a narrator’s name as voice and stores both narrator and voice', async () => {
    const item = await (await post('/api/stories', { title: 'A', content: 'B', voice: 'Josh' })).json()
    expect(item).toMatchObject({ voice: 'male', narratorMale: 'josh', narratorFemale: null })
  })

  test.each([
    ['without any field', {}, ['title', 'content']],
    ['with an empty title', { title: '', content: 'B' }, ['title']],
    ['of only white space', { title: ' ', content: '\n' }, ['title', 'content']],
    ['with a long title', { title: 'x'.repeat(201), content: 'B' }, ['title']],
    ['of four minutes', { title: 'A', content: 'B', duration: 4 }, ['duration']],
    ['of sixty-one minutes', { title: 'A', content: 'B', duration: 61 }, ['duration']],
    ['with an unknown category', { title: 'A', content: 'B', categories: ['poetry'] }, ['categories[0]']],
    ['with an unknown voice', { title: 'A', content: 'B', voice: 'nobody' }, ['voice']],
    [
      'with the source of members’ stories',
      { title: 'A', content: 'B', source: 'user_generated' },
      ['source'],
    ],
  ])('rejects a story %s', async (_, draft, fields) => {
    expect(await fieldsOf(await post('/api/stories', draft))).toEqual(fields)
    expect(await titles()).toEqual([])
  })

  test('adds a number to the slug when the title exists already', async () => {
    const slugs = []
    for (let time = 0; time < 3; time += 1)
      slugs.push((await (await post('/api/stories', { title: 'The Lamp', content: 'B' })).json()).slug)
    expect(slugs).toEqual(['the-lamp', 'the-lamp-2', 'the-lamp-3'])
  })
})

describe('POST /api/stories/bulk', () => {
  const row = (title: string, more = {}) => ({
    title,
    category: 'romantic',
    tags: 'sea, strangers',
    story: `${title} began.`,
    ...more,
  })

  test('creates all stories in order and returns their count and ids', async () => {
    const response = await post('/api/stories/bulk', {
      stories: [row('One'), row('Two', { category: 'gay, bdsm', tags: ['rain'] })],
    })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer).toEqual({
      count: 2,
      stories: [
        { id: expect.any(String), title: 'One' },
        { id: expect.any(String), title: 'Two' },
      ],
      warnings: expect.any(Array),
    })
    expect(await operator.json(`/api/content/${answer.stories[1].id}`)).toMatchObject({
      categories: ['gay', 'bdsm'],
      tags: ['rain'],
    })
  })

  test('rejects the whole request when one row is invalid, naming that row', async () => {
    for (const wrong of [row('Three', { category: 'poetry' }), row('Three', { story: ' ' })]) {
      const response = await post('/api/stories/bulk', {
        stories: [row('One'), row('Two'), wrong, row('Four')],
      })
      expect(response.status).toBe(422)
      expect((await response.json()).message).toMatch(/^Row 3: /)
      expect(await titles()).toEqual([])
    }
  })

  test('creates nothing when the same rows are sent again', async () => {
    const sent = { stories: [row('One'), row('Two')] }
    await post('/api/stories/bulk', sent)
    const again = await post('/api/stories/bulk', sent)
    expect(again.status).toBe(200)
    expect((await again.json()).count).toBe(0)
    expect(await titles()).toEqual(['One', 'Two'])
  })

  test('requires between 1 and 5,000 rows', async () => {
    expect(await fieldsOf(await post('/api/stories/bulk', { stories: [] }))).toEqual(['stories'])
    expect(
      await fieldsOf(await post('/api/stories/bulk', { stories: Array(5_001).fill(row('One')) })),
    ).toEqual(['stories'])
  })
})

describe('premium content API', () => {
  test('bulk creation creates the valid items and reports the others by index', async () => {
    const items = [
      {
        title: 'One',
        content: 'One began.',
        type: 'flow',
        categories: 'gay, romantic',
        duration: '20',
        voice: 'male',
      },
      { title: 'Two', content: 'Two began.', type: 'poem' },
      { title: 'Three', content: 'Three began.', tags: ['rain'], generateAudio: false },
    ]
    const response = await post('/api/premium-content/bulk', { items })
    expect(response.status).toBe(200)
    const { success, failures } = await response.json()
    expect(success).toMatchObject([
      { title: 'One', type: 'flow', categories: ['gay', 'romantic'], duration: 20, voice: 'male' },
      { title: 'Three', type: 'story', tags: ['rain'] },
    ])
    expect(failures).toEqual([{ index: 1, title: 'Two', error: expect.stringMatching(/type/) }])
    expect(await titles()).toEqual(['One', 'Three'])
  })

  test('creation accepts every field of the form', async () => {
    const draft = {
      title: 'The Tide',
      content: 'Breathe in.',
      type: 'flow',
      description: 'Slow.',
      excerpt: 'In.',
      categories: ['romantic', 'lesbian'],
      voice: 'bella',
      duration: 1,
      tags: 'sea, breath, sea',
      contentNotes: ['Hypnosis'],
      isFree: true,
      status: 'draft',
      publishedAt: '2030-01-01T00:00:00Z',
    }
    const response = await post('/api/premium-content', draft)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({
      ...draft,
      voice: 'female',
      narratorFemale: 'bella',
      tags: ['sea', 'breath'],
      publishedAt: '2030-01-01T00:00:00.000Z',
    })
    expect(await browser(app).json('/api/content')).toEqual([])
  })

  test.each([
    'yesterday',
    '',
    '2026-13-01',
    '05/06/2027',
    '2027-06-05T20:00',
    '2027-02-31T10:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
  ])('creation and edit reject %p as the publication time', async (publishedAt) => {
    expect(
      await fieldsOf(await post('/api/premium-content', { title: 'A', content: 'B', publishedAt })),
    ).toEqual(['publishedAt'])
    const { id } = await publishTestItem(services)
    const edit = await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { publishedAt } })
    expect(await fieldsOf(edit)).toEqual(['publishedAt'])
  })

  test('an edit changes only the fields it names and what is derived from them', async () => {
    const { id } = await publishTestItem(services, { description: 'Before.', tags: ['lamp'], duration: 30 })
    const { updatedAt: _, ...before } = await operator.json(`/api/content/${id}`)
    const response = await operator.call(`/api/premium-content/${id}`, {
      method: 'PUT',
      json: { title: 'The Lantern', content: 'She lit another.', duration: 5 },
    })
    expect(response.status).toBe(200)
    const { updatedAt: __, ...after } = await operator.json(`/api/content/${id}`)
    expect(after).toEqual({
      ...before,
      title: 'The Lantern',
      content: 'She lit another.',
      excerpt: 'She lit another.',
      wordCount: 3,
      readingMinutes: 1,
      duration: 5,
    })
    expect(await browser(app).json('/api/content?q=lantern')).toHaveLength(1)
    expect(await browser(app).json('/api/content?q=lamp')).toHaveLength(0)
  })

  test.each([
    ['', 'Anton met her at the quay.'],
    ['A teaser that somebody wrote.', 'A teaser that somebody wrote.'],
  ])('an edit of the text renews a derived excerpt and keeps a written one: “%s”', async (given, then) => {
    const text = { content: 'Secret Name met her at the quay.', excerpt: given }
    const made = await operator.json('/api/premium-content', { json: { title: 'The Quay', ...text } })
    const content = 'Anton met her at the quay.'
    const excerptOf = async () => (await operator.json(`/api/content/${made.id}`)).excerpt
    const edit = (json: object) => operator.call(`/api/premium-content/${made.id}`, { method: 'PUT', json })
    // The console's form sends the excerpt that it shows.
    await edit({ content, excerpt: await excerptOf() })
    expect(await excerptOf()).toBe(then)
    await edit({ content: 'Anton did not.' })
    expect(await excerptOf()).toBe(given || 'Anton did not.')
    await edit({ excerpt: '' })
    expect(await excerptOf()).toBe('Anton did not.')
  })

  test('approving a held item with a future publication time schedules it', async () => {
    const { id } = await publishTestItem(services, { content: 'A lantern.' })
    await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.id, id))
    const publishedAt = '2030-01-01T00:00:00.000Z'
    await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { publishedAt } })
    await operator.call('/api/held-content', { method: 'PATCH', json: { ids: [id], decision: 'approve' } })
    expect(await operator.json(`/api/premium-content/${id}`)).toMatchObject({
      status: 'scheduled',
      publishedAt,
    })
  })

  test('an edit accepts 5 to 60 minutes, or the item’s current duration', async () => {
    const { id } = await publishTestItem(services, { duration: 90 })
    const edit = (duration: unknown) =>
      operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { duration } })
    for (const wrong of [4, 61, 91, 0, 5.5, '10'])
      expect(await fieldsOf(await edit(wrong))).toEqual(['duration'])
    for (const right of [90, 60, 5]) expect((await edit(right)).status).toBe(200)
  })

  test('scheduling requires a future time; an item already due may resend its own', async () => {
    const passed = new Date(Date.now() - 3_600_000).toISOString()
    const draft = { title: 'Late', content: 'A wind.', status: 'scheduled' }
    for (const publishedAt of [passed, undefined]) {
      const made = await operator.call('/api/premium-content', { json: { ...draft, publishedAt } })
      expect(await fieldsOf(made)).toEqual(['publishedAt'])
    }
    const { id } = await publishTestItem(services, { status: 'draft' })
    const edit = (json: object) => operator.call(`/api/premium-content/${id}`, { method: 'PUT', json })
    expect(await fieldsOf(await edit({ status: 'scheduled' }))).toEqual(['publishedAt'])
    const refused = await edit({ status: 'scheduled', publishedAt: passed })
    expect(await refused.json()).toMatchObject({
      message: 'Appears: This time has passed. Choose a later one, or publish it now, without a time.',
      hasPassed: true,
    })
    const toCome = new Date(Date.now() + 3_600_000).toISOString()
    expect((await edit({ status: 'scheduled', publishedAt: toCome })).status).toBe(200)
    expect(await fieldsOf(await edit({ publishedAt: passed }))).toEqual(['publishedAt'])
    // The item is due by now, and its form sends its time again.
    await db
      .update(stories)
      .set({ publishedAt: new Date(passed) })
      .where(eq(stories.id, id))
    expect((await edit({ publishedAt: passed, title: 'The Lamp, lit' })).status).toBe(200)
  })

  test('a future time without a status schedules new and published items but not drafts', async () => {
    const publishedAt = '2099-01-01T20:00:00.000Z'
    const draft = { title: 'Early', content: 'A wind.', publishedAt }
    const edit = (id: string, json: object) =>
      operator.json(`/api/premium-content/${id}`, { method: 'PUT', json })
    expect(await operator.json('/api/premium-content', { json: draft })).toMatchObject({
      status: 'scheduled',
      publishedAt,
    })
    const { id } = await publishTestItem(services)
    expect(await edit(id, { publishedAt })).toMatchObject({ status: 'scheduled', publishedAt })
    expect(await browser(app).json('/api/content')).toEqual([])
    expect(await edit(id, { status: 'draft' })).toMatchObject({ status: 'draft' })
    expect(await edit(id, { publishedAt })).toMatchObject({ status: 'draft', publishedAt })
    expect(await edit(id, { publishedAt, status: 'published' })).toMatchObject({ status: 'published' })
  })

  test('editing or removing an unknown item returns 404', async () => {
    for (const id of [crypto.randomUUID(), 'nothing', 'x'.repeat(64)]) {
      expect(
        (await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { title: 'A' } })).status,
      ).toBe(404)
      expect((await operator.call(`/api/premium-content/${id}`, { method: 'DELETE' })).status).toBe(404)
    }
  })

  test('a removed item disappears from the API and the site; only its row stays', async () => {
    const { id, slug } = await publishTestItem(services)
    const response = await operator.call(`/api/premium-content/${id}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true })
    expect((await operator.call(`/api/premium-content/${id}`, { method: 'DELETE' })).status).toBe(404)
    for (const path of [`/api/content/${id}`, `/story/${slug}`])
      expect((await operator.call(path)).status).toBe(404)
    expect(await operator.json('/api/premium-content')).toEqual({ content: [] })
    expect(await db.select({ id: stories.id, status: stories.status }).from(stories)).toEqual([
      { id, status: 'removed' },
    ])
  })

  test('statistics leave out removed items and members’ items', async () => {
    expect(await operator.json('/api/premium-content-stats')).toEqual({
      totalStories: 0,
      totalFlows: 0,
      totalAudioFiles: 0,
      totalSize: '0 B',
    })
    await publishTestItem(services)
    await publishTestItem(services, { type: 'flow', status: 'draft' })
    const removed = await publishTestItem(services, { status: 'removed' })
    const ofMember = await publishTestItem(services, { title: 'Of a member' })
    await db.update(stories).set({ source: 'user_generated' }).where(eq(stories.id, ofMember.id))
    for (const { id } of [removed, ofMember]) {
      const file = { hash: id, extension: 'mp3', sizeBytes: 1_000, durationSeconds: 60 } as const
      await attachAudio(db, { storyId: id, voice: 'female', file, provider: 'upload' })
    }
    expect(await operator.json('/api/premium-content-stats')).toMatchObject({
      totalStories: 1,
      totalFlows: 1,
      totalAudioFiles: 0,
      totalSize: '0 B',
    })
  })
})

test('creating, editing and listing items return 401 to visitors and members', async () => {
  const { id } = await publishTestItem(services)
  const calls: [string, string, unknown][] = [
    ['POST', '/api/stories', { title: 'A', content: 'B' }],
    ['POST', '/api/stories/bulk', { stories: [{ title: 'A', story: 'B' }] }],
    ['POST', '/api/premium-content', { title: 'A', content: 'B' }],
    ['POST', '/api/premium-content/bulk', { items: [{ title: 'A', content: 'B' }] }],
    ['PUT', `/api/premium-content/${id}`, { title: 'A' }],
    ['DELETE', `/api/premium-content/${id}`, undefined],
    ['GET', '/api/premium-content', undefined],
    ['GET', '/api/premium-content-stats', undefined],
  ]
  for (const who of [browser(app), await memberBrowser(app, 'ana@example.com')]) {
    for (const [method, path, json] of calls) {
      const response = await who.call(path, { method, json })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        success: false,
        code: 'operator_required',
        error: expect.stringContaining('Admin session required'),
      })
    }
  }
  expect(await titles()).toEqual(['The Lamp'])
})

describe('operator’s library', () => {
  test('filters by text, type, category and status and returns the number of matches', async () => {
    const operator = await operatorBrowser(app)
    await operator.json('/api/premium-content', {
      json: { title: 'Zephyr', content: 'A wind.', type: 'flow', categories: ['gay'], status: 'draft' },
    })
    const found = async (query: string) => {
      const response = await operator.call(`/api/premium-content?${query}`)
      const { content } = await response.json()
      return [content.map(({ title }: { title: string }) => title), response.headers.get('x-total-count')]
    }
    expect(await found('q=zeph')).toEqual([['Zephyr'], '1'])
    expect(await found('q=zeph&type=story')).toEqual([[], '0'])
    expect(await found('q=zeph&category=gay&status=draft&type=flow')).toEqual([['Zephyr'], '1'])
    expect(await found('q=zeph&status=published')).toEqual([[], '0'])
    expect((await operator.call('/api/premium-content?status=gone')).status).toBe(422)
  })

  test('keeps removed items, which operators can read and restore once to their earlier status', async () => {
    const operator = await operatorBrowser(app)
    const { id } = await operator.json('/api/premium-content', {
      json: { title: 'Mistral', content: 'A wind.', status: 'draft' },
    })
    const restore = () => operator.call(`/api/premium-content/${id}/restore`, { json: {} })
    expect((await restore()).status).toBe(409)
    await operator.call(`/api/premium-content/${id}`, { method: 'DELETE' })
    expect(await operator.json(`/api/premium-content/${id}`)).toMatchObject({ status: 'removed' })
    expect(await (await restore()).json()).toMatchObject({ title: 'Mistral', status: 'draft' })
    expect((await restore()).status).toBe(409)
    expect((await operator.call(`/api/premium-content/${crypto.randomUUID()}`)).status).toBe(404)
    const visitor = browser(app)
    expect((await visitor.call(`/api/premium-content/${id}`)).status).toBe(401)
    expect((await visitor.call(`/api/premium-content/${id}/restore`, { json: {} })).status).toBe(401)
  })
})

test('concurrent publications of one title each get a distinct slug', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      operator.call(at % 2 ? '/api/stories' : '/api/premium-content', {
        json: { title: 'At the Same Moment', content: 'She lit the lamp.', categories: ['romantic'] },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  const slugs = await Promise.all(answers.map(async (answer) => (await answer.json()).slug))
  expect(new Set(slugs).size).toBe(20)
})
