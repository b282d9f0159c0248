import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { stories } from '#db/schema'
import { writeCursor } from '#src/shape/list-page'
import { libraryChanged } from '#src/story/library-changed'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

type Draft = Parameters<typeof publishTestItem>[1]
type Listed = { id: string; title: string; duration: number; publishedAt: string }

/** A separate library for each group, so that counts are independent. */
async function libraryOf(...drafts: NonNullable<Draft>[]) {
  const { app, services } = await testApp()
  const items = []
  for (const draft of drafts) items.push(await publishTestItem(services, draft))
  const visitor = browser(app)
  const fetchList = async (query = '') => {
    const response = await visitor.call(`/api/content${query}`)
    expect(response.status).toBe(200)
    const list: Listed[] = await response.json()
    return { response, list, titles: list.map(({ title }) => title) }
  }
  return { app, services, items, visitor, fetchList }
}

/** Follows the links of a list to its end. */
async function follow(visitor: Browser, first: string): Promise<Listed[][]> {
  const pages: Listed[][] = []
  let next: string | undefined = first
  while (next !== undefined && pages.length < 100) {
    const response = await visitor.call(next)
    expect(response.status).toBe(200)
    pages.push(await response.json())
    const url: string | undefined = /^<http:\/\/localhost:3000(\/[^>]+)>; rel="next"$/.exec(
      response.headers.get('link') ?? '',
    )?.[1]
    next = url
  }
  return pages
}

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

describe('an item', () => {
  test('has every field that integrators read, for a visitor and for a member', async () => {
    const { app, services, visitor } = await libraryOf()
    const { id, slug } = await publishTestItem(services, {
      title: 'The Lamp',
      description: 'A lamp, and who lit it.',
      excerpt: 'She lit it.',
      content: 'She lit the lamp and waited. '.repeat(100),
      categories: ['romantic', 'man and woman'],
      tags: ['lamp'],
      contentNotes: ['Longing'],
      duration: 12,
      voice: 'male',
      narratorMale: 'adam',
      publishedAt: day(1),
    })
    const item = {
      id,
      slug,
      source: 'pre_uploaded',
      type: 'story',
      title: 'The Lamp',
      description: 'A lamp, and who lit it.',
      excerpt: 'She lit it.',
      categories: ['romantic', 'man and woman'],
      tags: ['lamp'],
      contentNotes: ['Longing'],
      duration: 12,
      audioDurationSeconds: null,
      audioUrl: null,
      voice: 'male',
      premiumContentId: id,
      narratorMale: 'adam',
      narratorFemale: null,
      narrations: { female: false, male: false },
      isFree: false,
      isGenerating: false,
      wordCount: 600,
      readingMinutes: 3,
      upvotes: 0,
      downvotes: 0,
      publishedAt: '2026-01-01T00:00:00.000Z',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    }
    const [preview] = await visitor.json('/api/content')
    expect(preview).toEqual({
      ...item,
      content: expect.stringMatching(/^She lit the lamp .*…$/),
      contentTruncated: true,
    })
    expect(preview.content.length).toBeLessThanOrEqual(120)
    const whole = {
      ...item,
      content: 'She lit the lamp and waited. '.repeat(100).trim(),
      contentTruncated: false,
    }
    const ana = await memberBrowser(app, 'ana@example.com')
    for (const who of [ana, await operatorBrowser(app)]) {
      expect(await who.json('/api/content')).toEqual([whole])
      expect(await who.json(`/api/content/${id}`)).toEqual(whole)
    }
    expect(await visitor.json(`/api/content/${id}`)).toEqual(whole)
    // The operators' dashboards list published items, the same for everyone.
    for (const who of [visitor, ana]) expect(await who.json('/api/stories')).toEqual([preview])
  })

  test('returns 404 when it is not published or does not exist', async () => {
    const { services, visitor } = await libraryOf()
    const ids = [crypto.randomUUID(), 'nothing', '1', "' or true --"]
    for (const status of ['draft', 'scheduled', 'held', 'removed'] as const)
      ids.push((await publishTestItem(services, { status })).id)
    const own = await publishTestItem(services)
    await services.db.update(stories).set({ source: 'user_generated' }).where(eq(stories.id, own.id))
    for (const id of [...ids, own.id]) {
      const response = await visitor.call(`/api/content/${encodeURIComponent(id)}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ success: false, code: 'not_found' })
    }
  })

  test('leaves every list at once when it is removed', async () => {
    const { app, visitor, items, fetchList } = await libraryOf({ title: 'Stays' }, { title: 'Goes' })
    const pages = ['/', '/stories', '/sitemap.xml']
    for (const page of pages) expect(await (await visitor.call(page)).text()).toMatch(/goes/i)
    expect((await fetchList()).titles).toEqual(['Goes', 'Stays'])
    const operator = await operatorBrowser(app)
    expect((await operator.call(`/api/premium-content/${items[1]?.id}`, { method: 'DELETE' })).status).toBe(
      200,
    )
    expect((await fetchList()).titles).toEqual(['Stays'])
    expect((await fetchList('?q=goes')).list).toEqual([])
    for (const page of pages) expect(await (await visitor.call(page)).text()).not.toMatch(/goes/i)
    expect((await visitor.call(`/story/${items[1]?.slug}`)).status).toBe(404)
  })
})

describe('filters', async () => {
  const { fetchList, visitor, app } = await libraryOf(
    { title: 'Both', categories: ['romantic', 'gay'] },
    { title: 'Romantic', categories: ['romantic'] },
    { title: 'Tide', categories: ['bdsm'], type: 'flow' },
    { title: 'Draft', categories: ['lesbian'], status: 'draft' },
  )

  test.each([
    ['', ['Tide', 'Romantic', 'Both']],
    ['?type=story', ['Romantic', 'Both']],
    ['?type=flow', ['Tide']],
    ['?source=pre_uploaded', ['Tide', 'Romantic', 'Both']],
    ['?source=user_generated', []],
    ['?categories=romantic', ['Romantic', 'Both']],
    ['?categories=gay', ['Both']],
    ['?categories=gay,bdsm', ['Tide', 'Both']],
    ['?categories=Gay,%20BDSM%20,', ['Tide', 'Both']],
    ['?categories=lesbian', []],
    ['?categories=', ['Tide', 'Romantic', 'Both']],
    ['?categories=romantic&type=flow', []],
    ['?categories=gay&q=both', ['Both']],
    ['?q=tide&type=story', []],
  ])('%p lists the matching items and their total', async (query, expected) => {
    const { titles, response } = await fetchList(query)
    expect(titles).toEqual(expected)
    expect(response.headers.get('x-total-count')).toBe(String(expected.length))
    expect(response.headers.get('link')).toBeNull()
  })

  test.each([
    '?type=poem',
    '?source=else',
    '?categories=poetry',
    '?categories=romantic,poetry',
    '?sort=best',
    '?limit=0',
    '?limit=51',
    '?limit=-1',
    '?limit=x',
    '?limit=1.5',
  ])('%p is rejected with 422 and the field’s name', async (query) => {
    const response = await visitor.call(`/api/content${query}`)
    expect(response.status).toBe(422)
    const path = /\?(\w+)=/.exec(query)?.[1]
    expect((await response.json()).fields).toEqual([{ path, message: expect.stringContaining('Expected') }])
  })

  test('the categories are those with published items, in their fixed order', async () => {
    expect(await visitor.json('/api/content/categories')).toEqual(['gay', 'romantic', 'bdsm'])
    expect(await visitor.json('/api/content/categories?type=story')).toEqual(['gay', 'romantic'])
    expect(await visitor.json('/api/content/categories?type=flow&source=pre_uploaded')).toEqual(['bdsm'])
    expect(await visitor.json('/api/content/categories?source=user_generated')).toEqual([])
    expect((await visitor.call('/api/content/categories?type=poem')).status).toBe(422)
    expect(await (await memberBrowser(app, 'ana@example.com')).json('/api/content/categories')).toHaveLength(
      3,
    )
  })
})

describe('search', async () => {
  const { fetchList } = await libraryOf(
    {
      title: 'Café Déjà Vu',
      description: 'Lanterns over the water',
      excerpt: 'Slow rain',
      categories: ['one night stand'],
    },
    {
      title: 'The Beekeeper’s Veil',
      description: 'Honey & smoke',
      content: `${'Nothing but fog. '.repeat(20)}And gravel.`,
    },
    { title: 'Naïve 24 Hours', description: 'Straße, Ørsted, Łódź', excerpt: 'e-mail/letters' },
    { title: '서울의 밤', description: '雨の夜 Ночь в Одессе', excerpt: 'Ψυχή' },
  )
  const [cafe, bees, naive, seoul] = ['Café Déjà Vu', 'The Beekeeper’s Veil', 'Naïve 24 Hours', '서울의 밤']

  test.each([
    ['cafe', [cafe]],
    ['CAFÉ', [cafe]],
    ['caf\u0065\u0301', [cafe]],
    ['deja vu', [cafe]],
    ['vu deja', [cafe]],
    ['lant', [cafe]],
    ['lantern water', [cafe]],
    ['lantern gravel', []],
    ['rain', [cafe]],
    ['night stand', [cafe]],
    ['bee', [bees]],
    ["beekeeper's", [bees]],
    ['beekeeper’s veil', [bees]],
    ['honey smoke', [bees]],
    ['honey & smoke', [bees]],
    ['cafe | bee', []],
    ['cafe or bee', []],
    ['!cafe', [cafe]],
    ['-cafe', [cafe]],
    ['"vu deja"', [cafe]],
    ['naive', [naive]],
    ['24', [naive]],
    ['2', [naive]],
    ['lodz', []],
    ['서울', [seoul]],
    ['ночь', [seoul]],
    ['НОЧЬ', [seoul]],
    ['雨の夜', [seoul]],
    ['ψυχη', [seoul]],
    ['antern', []],
    ['gravel', []],
    ['nowhere', []],
  ])('%p finds %p', async (q, expected) => {
    expect((await fetchList(`?q=${encodeURIComponent(q)}`)).titles).toEqual(expected)
  })

  test.each(['', ' ', '&', '!!!', '---', '%%%', '…', '🌙', "'", '"', '\\', ':*', '()', '<->'])(
    '%p has no words and finds everything',
    async (q) => {
      expect((await fetchList(`?q=${encodeURIComponent(q)}`)).titles).toHaveLength(4)
    },
  )

  test.each([
    ...[
      "' or 1=1 --",
      "'); drop table stories; --",
      '" union select password from users',
      '\\',
      "\\'",
      "cafe' & 'vu",
    ],
    ...[
      'cafe:*',
      'cafe | bee',
      '!cafe',
      'cafe & !vu',
      'cafe <-> vu',
      '(cafe',
      'cafe)',
      'cafe:A',
      '*',
      'ca*fe',
      'a:b:c',
      '$1',
      '%',
      '_',
    ],
    ...[
      '\0',
      'cafe\0',
      '\ud800',
      '\u202ecafe',
      '\ufeffcafe',
      '𝒄𝒂𝒇𝒆',
      'ｃａｆｅ',
      'ﬁ',
      '½',
      'x'.repeat(200),
      'é'.repeat(200),
      'a '.repeat(100),
    ],
    ...Array.from({ length: 32 }, (_, code) => `cafe${String.fromCharCode(code)}x`),
  ])('%p is searched as words, without an error, and the total matches the list', async (q) => {
    const { titles, response } = await fetchList(`?q=${encodeURIComponent(q.toWellFormed())}`)
    expect(response.headers.get('x-total-count')).toBe(String(titles.length))
    // A search has no operators: with one word that occurs nowhere, nothing is found.
    const withUnknown = `nowhereatall ${q}`.slice(0, 200).toWellFormed()
    expect((await fetchList(`?q=${encodeURIComponent(withUnknown)}`)).titles).toEqual([])
  })

  test('full-width and mathematical letters match plain ones', async () => {
    expect((await fetchList(`?q=${encodeURIComponent('ｃａｆｅ')}`)).titles).toEqual([cafe])
    expect((await fetchList(`?q=${encodeURIComponent('𝒄𝒂𝒇𝒆')}`)).titles).toEqual([cafe])
  })

  test('the stories page shows the same results', async () => {
    const { visitor } = await libraryOf({ title: 'Café Déjà Vu' }, { title: 'Other' })
    const page = await (await visitor.call('/stories?q=deja')).text()
    expect(page).toContain('Café Déjà Vu')
    expect(page).not.toContain('Other')
    expect(page).toContain('Clear Filters')
  })
})

describe('sorting and pagination', async () => {
  const drafts = Array.from({ length: 23 }, (_, at) => ({
    title: `Item ${String(at).padStart(2, '0')}`,
    // Ties of every kind: several items with the same time, several with the same length.
    publishedAt: day(1 + Math.floor(at / 5)),
    duration: 5 + (at % 3),
  }))
  const { visitor, fetchList, app } = await libraryOf(...drafts)
  const all = (await fetchList()).list

  test('sorts newest first by default, oldest first and by duration', async () => {
    const moments = all.map(({ publishedAt }) => publishedAt)
    expect(moments).toEqual(moments.toSorted().reverse())
    expect((await fetchList('?sort=newest')).list).toEqual(all)
    expect((await fetchList('?sort=oldest')).list).toEqual(all.toReversed())
    const durations = (await fetchList('?sort=duration')).list.map(({ duration }) => duration)
    expect(durations).toEqual(durations.toSorted((a, b) => a - b))
  })

  test.each(['newest', 'oldest', 'duration'])(
    'pages by %s cover the whole list exactly once, also over ties',
    async (sort) => {
      const whole = (await fetchList(`?sort=${sort}`)).list
      for (const limit of [1, 2, 5, 7, 22, 23]) {
        const pages = await follow(visitor, `/api/content?sort=${sort}&limit=${limit}`)
        expect(pages.flat()).toEqual(whole)
        expect(pages.map((page) => page.length)).toEqual(
          Array.from({ length: Math.ceil(23 / limit) }, (_, at) => Math.min(limit, 23 - at * limit)),
        )
      }
    },
  )

  test('the next page keeps the filters and the total', async () => {
    const first = await visitor.call('/api/content?type=story&categories=romantic&q=item&limit=5&sort=oldest')
    const link = first.headers.get('link') ?? ''
    const next = new URL(/^<([^>]+)>/.exec(link)?.[1] ?? '')
    expect(next.origin).toBe('http://localhost:3000')
    expect(Object.fromEntries(next.searchParams)).toMatchObject({
      type: 'story',
      categories: 'romantic',
      q: 'item',
      limit: '5',
      sort: 'oldest',
    })
    const second = await visitor.call(next.pathname + next.search)
    expect([first, second].map(({ headers }) => headers.get('x-total-count'))).toEqual(['23', '23'])
  })

  test('an item published between two pages repeats and skips nothing', async () => {
    const own = await libraryOf(...drafts.slice(0, 9))
    const first = await own.visitor.call('/api/content?limit=4')
    const seen: Listed[] = await first.json()
    await publishTestItem(own.services, { title: 'In between' })
    const next = /localhost:3000(\/[^>]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const rest = await follow(own.visitor, next)
    expect([...seen, ...rest.flat()].map(({ title }) => title).sort()).toEqual(
      drafts.slice(0, 9).map(({ title }) => title),
    )
  })

  test('timestamps finer than a millisecond are not lost between two pages', async () => {
    const own = await libraryOf()
    for (let at = 0; at < 6; at += 1) await publishTestItem(own.services, { title: `Quick ${at}` })
    await own.services.db.execute(
      "update stories set published_at = timestamptz '2026-01-01 00:00:00.123' + right(title, 1)::int * interval '100 microseconds'",
    )
    await libraryChanged(own.services.db)
    expect((await follow(own.visitor, '/api/content?limit=2')).flat()).toHaveLength(6)
  })

  test('the operators’ lists are paged the same way', async () => {
    expect((await follow(visitor, '/api/stories?limit=4')).flat()).toEqual(all)
    const operator = await operatorBrowser(app)
    const titles: string[] = []
    let next: string | undefined = '/api/premium-content?limit=4'
    while (next) {
      const response: Response = await operator.call(next)
      expect(response.headers.get('x-total-count')).toBe('23')
      titles.push(...(await response.json()).content.map(({ title }: Listed) => title))
      next = /localhost:3000(\/[^>]+)/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(titles).toEqual(drafts.map(({ title }) => title).reverse())
  })

  const id = '019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57'
  const badCursors = [
    'x',
    '====',
    'é',
    Buffer.from('nothing').toString('base64url'),
    Buffer.from(`2026-01-01T00:00:00.000Z|${id}|x`).toString('base64url'),
    ...[
      '',
      'now',
      '0',
      '2026',
      '2026-01-01',
      '2026-02-30T00:00:00.000Z',
      '2026-13-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '9'.repeat(20),
    ].map((value) => writeCursor({ value, id })),
    ...['', 'x', '-'.repeat(36), id.slice(1)].map((each) =>
      writeCursor({ value: '2026-01-01T00:00:00.000Z', id: each }),
    ),
  ]

  test.each(badCursors)('rejects the cursor %p with 422', async (cursor) => {
    const operator = await operatorBrowser(app)
    for (const path of [
      '/api/content?sort=newest',
      '/api/content?sort=oldest',
      '/api/stories?limit=5',
      '/api/premium-content?limit=5',
      '/api/content?sort=duration',
    ]) {
      const response = await operator.call(`${path}&cursor=${encodeURIComponent(cursor)}`)
      // "0" is a valid length, though no item has it.
      if (path.endsWith('duration') && cursor === writeCursor({ value: '0', id })) continue
      if (path.endsWith('duration') && cursor === writeCursor({ value: '2026', id })) continue
      expect(response.status).toBe(422)
      expect((await response.json()).fields).toEqual([
        { path: 'cursor', message: 'Not a cursor of this list' },
      ])
    }
  })

  test('rejects a cursor of another sort order with 422', async () => {
    const cursorOf = async (sort: string) =>
      new URL(
        /^<([^>]+)>/.exec(
          (await visitor.call(`/api/content?limit=2&sort=${sort}`)).headers.get('link') ?? '',
        )?.[1] ?? '',
      ).searchParams.get('cursor')
    expect((await visitor.call(`/api/content?sort=duration&cursor=${await cursorOf('newest')}`)).status).toBe(
      422,
    )
    expect((await visitor.call(`/api/content?sort=newest&cursor=${await cursorOf('duration')}`)).status).toBe(
      422,
    )
  })

  test('an empty cursor returns the first page', async () => {
    expect((await fetchList('?cursor=')).list).toEqual(all)
  })
})

test('a list page has 50 items at most, and by default', async () => {
  const { services, fetchList, visitor } = await libraryOf()
  for (let at = 0; at < 53; at += 1) await publishTestItem(services, { title: `Item ${at}` })
  expect((await fetchList()).list).toHaveLength(50)
  expect((await fetchList('?limit=50')).list).toHaveLength(50)
  expect((await fetchList()).response.headers.get('x-total-count')).toBe('53')
  expect((await follow(visitor, '/api/content')).map((page) => page.length)).toEqual([50, 3])
})

test('the total is "at least" past 10,000 items', async () => {
  const { services, fetchList } = await libraryOf({ title: 'One' })
  await services.db.execute(`insert into stories (id, slug, title, title_key, source, status, type)
    select gen_random_uuid(), 'many-' || n, 'Many ' || n, 'many ' || n, 'pre_uploaded', 'published', 'story' from generate_series(1, 10000) n`)
  await libraryChanged(services.db)
  const { response } = await fetchList('?limit=1')
  expect(response.headers.get('x-total-count')).toBe('10000')
  expect(response.headers.get('x-total-count-relation')).toBe('gte')
  const exact = (await fetchList('?limit=1&q=one')).response
  expect([exact.headers.get('x-total-count'), exact.headers.get('x-total-count-relation')]).toEqual([
    '1',
    null,
  ])
})

test('the categories include those of older items behind a thousand newer ones, for their type only', async () => {
  const { services, visitor } = await libraryOf({
    categories: ['gay'],
    type: 'flow',
    publishedAt: day(1),
  })
  await services.db.execute(sql`
    insert into stories (id, type, source, status, slug, title, title_key, content, categories, published_at)
    select gen_random_uuid(), type, 'pre_uploaded', 'published', type || '-' || at, 'The Lamp', 'the lamp', 'She lit it.', '{romantic}', now()
    from generate_series(1, 501) as at, unnest(array['story', 'flow']) as type`)
  await libraryChanged(services.db)
  expect(await visitor.json('/api/content/categories')).toEqual(['gay', 'romantic'])
  expect(await visitor.json('/api/content/categories?type=flow')).toEqual(['gay', 'romantic'])
  expect(await visitor.json('/api/content/categories?type=story')).toEqual(['romantic'])
})
