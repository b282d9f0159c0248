import { describe, expect, test } from 'bun:test'
import { favorites, users } from '#db/schema'
import { createChallenge } from '#src/challenge/edit'
import { saveProgress } from '#src/listening/save-progress'
import { attachAudio } from '#src/narration/attach'
import {
  type Browser,
  browser,
  markupOf,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { addViews } from '#src/trending/testing'

const { app, services } = await testApp()
const { db } = services

/** Items that together are in every list: heard, viewed, a favourite, begun, a day of a challenge. */
const titles = {
  plain: 'Plain evening',
  roped: 'Rope and silk',
  titled: 'The Café of needles',
  told: 'Told in passing',
  tagged: 'Tagged softly',
  phrased: 'In two words',
} as const
const drafts = [
  { title: titles.plain },
  { title: titles.roped, categories: ['romantic', 'bdsm'] },
  { title: titles.titled },
  { title: titles.told, content: `${'A lamp, a chair. '.repeat(60)}Then NÉEDLES, once.` },
  { title: titles.tagged, tags: ['Needles'] },
  { title: titles.phrased, content: 'They spoke of an Open – window, and of needlework. '.repeat(20) },
] satisfies Parameters<typeof publishTestItem>[1][]

const ines = await memberBrowser(app, 'ines@example.com')
const mara = await memberBrowser(app, 'mara@example.com')
const visitor = browser(app)
const operator = await operatorBrowser(app)
const members = await db.select().from(users)
const items: { id: string; slug: string; title: string }[] = []
for (const draft of drafts) {
  const item = await publishTestItem(services, { type: 'flow', ...draft })
  items.push({ ...item, title: draft.title })
  await attachAudio(db, {
    storyId: item.id,
    voice: 'female',
    file: { hash: 'a'.repeat(64), extension: 'mp3', sizeBytes: 1_000, durationSeconds: 60 },
    provider: 'upload',
    narrator: null,
    fileName: 'tone.mp3',
  })
  await addViews(db, item.id, 3)
  for (const { id } of members) {
    await db.insert(favorites).values({ userId: id, storyId: item.id })
    await saveProgress(
      db,
      { anonId: id, userId: id },
      { contentId: item.id, contentType: 'flow', lastPositionSec: 20, totalSec: 60 },
    )
  }
}
const first = await publishTestItem(services, { title: 'Where one begins', type: 'flow' })
const challenge = await createChallenge(
  db,
  { name: 'Six nights', items: items.map(({ id }) => id), isPublished: true },
  'Ada',
)
for (const who of [ines, mara])
  await who.call('/api/user/challenges', { json: { challengeId: challenge.id, timeZone: 'UTC' } })

const hide = (who: Browser, json: { hiddenCategories?: string[]; hiddenWords?: string[] }) =>
  who.call('/api/user/settings', {
    method: 'PATCH',
    json: { hiddenCategories: [], hiddenWords: [], ...json },
  })

/** Hidden categories and words, and the items that each of them hides. */
const wishes = [
  ['a category', { hiddenCategories: ['bdsm'] }, [titles.roped]],
  [
    'a word of titles, texts or tags in any letter case, with or without accents',
    { hiddenWords: ['needles'] },
    [titles.titled, titles.told, titles.tagged],
  ],
  ['a word that items write with an accent', { hiddenWords: ['Cafe'] }, [titles.titled]],
  ['two words in their order', { hiddenWords: ['open window'] }, [titles.phrased]],
  [
    'a category, a word and punctuation',
    { hiddenCategories: ['bdsm'], hiddenWords: ['café', '?!', "it's", '%'] },
    [titles.roped, titles.titled],
  ],
  ['words in another order, or a part of a word', { hiddenWords: ['window open', 'needle'] }, []],
] as const

const lists = [
  '/api/content?limit=50',
  '/api/content?type=flow&sort=duration',
  '/api/content?categories=romantic',
  '/api/stories',
  '/api/content/trending',
  '/api/content/trending?timeframe=all',
  `/api/content/${first.id}/next`,
  `/api/content/${first.id}/next?chosen=${items.map(({ id }) => id).join(',')}`,
  '/api/challenges',
  '/api/user/content',
]
const pages = [
  '/?type=flow',
  '/trending',
  '/home',
  '/my-content',
  '/challenges',
  `/challenge/${challenge.id}`,
]

/** The items that an answer contains. */
const namedIn = (text: string) => items.map(({ title }) => title).filter((title) => text.includes(title))

describe.each(wishes)('hiding %s', (_, wish, gone) => {
  const left = items.map(({ title }) => title).filter((title) => !gone.some((each) => each === title))

  test.each([...lists, ...pages])('leaves matching items out of %s, for this member only', async (path) => {
    await hide(ines, {
      hiddenCategories: 'hiddenCategories' in wish ? [...wish.hiddenCategories] : [],
      hiddenWords: 'hiddenWords' in wish ? [...wish.hiddenWords] : [],
    })
    const others = namedIn(await (await mara.call(path)).text())
    const named = namedIn(await (await ines.call(path)).text())
    expect(named).toEqual(others.filter((title) => left.includes(title)))
    if (lists.includes(path)) expect(others).toEqual(items.map(({ title }) => title))
    if (!path.includes('/user/') && !path.includes('/next') && path.startsWith('/api/')) {
      for (const who of [visitor, operator])
        expect(namedIn(await (await who.call(path)).text())).toHaveLength(items.length)
    }
  })
})

test('hidden items are left out of totals, searches, categories and favourites', async () => {
  await hide(ines, { hiddenCategories: ['bdsm'], hiddenWords: ['needles'] })
  const countFor = async (who: Browser, query: string) =>
    (await who.call(`/api/content?${query}`)).headers.get('x-total-count')
  expect(await countFor(ines, 'type=flow')).toBe('3')
  expect(await countFor(mara, 'type=flow')).toBe('7')
  expect(await countFor(ines, 'q=rope')).toBe('0')
  expect(await countFor(visitor, 'q=rope')).toBe('1')
  expect(await ines.json('/api/content/categories')).toEqual(['romantic'])
  expect(await mara.json('/api/content/categories')).toEqual(['romantic', 'bdsm'])
  expect(await ines.json('/api/content-favorites')).toHaveLength(2)
  expect(await mara.json('/api/content-favorites')).toHaveLength(6)
})

describe('hidden day of a challenge', () => {
  test('keeps its place and says that settings hide it, with a link once it is open', async () => {
    await hide(ines, { hiddenCategories: ['bdsm'] })
    const html = await markupOf(await ines.call(`/challenge/${challenge.id}`))
    expect(html).toContain('Hidden by your settings')
    const { days } = (await ines.json(`/api/challenges/${challenge.id}`)) as {
      days: { day: number; title: string; isHidden: boolean }[]
    }
    expect(days).toHaveLength(6)
    expect(days[1]).toMatchObject({ day: 2, title: 'Hidden by your settings', isHidden: true })
    expect(days[0]).toMatchObject({ title: titles.plain, isHidden: false })
    await hide(ines, { hiddenWords: ['plain'] })
    expect(await markupOf(await ines.call(`/challenge/${challenge.id}`))).toContain(
      `href="/flow/${items[0]?.slug}?show=once"`,
    )
  })
})

describe('page of a hidden item', () => {
  const address = `/flow/${items[1]?.slug}`

  test('says why the item is hidden, and shows it on request', async () => {
    await hide(ines, { hiddenCategories: ['bdsm'], hiddenWords: ['silk', 'needles'] })
    const html = await markupOf(await ines.call(address))
    expect(html).toContain('You chose not to see BDSM or the word “silk”.')
    expect(namedIn(html)).toEqual([])
    expect(html).toContain(`${address}?show=once`)
    expect(await markupOf(await ines.call(`${address}?show=once`))).toContain(
      `<h1 class="title-xl">${titles.roped}`,
    )
  })

  test('shows the item to everyone else, and the API to the member too', async () => {
    for (const who of [mara, visitor])
      expect(namedIn(await (await who.call(address)).text())).toContain(titles.roped)
    expect(await ines.json(`/api/content/${items[1]?.id}`)).toMatchObject({ title: titles.roped })
  })
})

test('a member’s own item is never hidden from them', async () => {
  await hide(ines, { hiddenWords: ['orchard'] })
  const made = await ines.call('/api/user/content', {
    json: {
      title: 'The orchard',
      content: 'The orchard belonged to us. '.repeat(20),
      categories: ['romantic'],
    },
  })
  expect(made.status).toBe(201)
  expect(await (await ines.call('/my-content')).text()).toContain('The orchard')
})

test('categories and words can be hidden and shown again without JavaScript', async () => {
  await hide(ines, {})
  const settings = async () => {
    const { hiddenCategories, hiddenWords } = (await ines.json('/api/user/settings')) as Record<
      string,
      string[]
    >
    return [hiddenCategories, hiddenWords]
  }
  const send = async (form: Record<string, string>) => {
    const answer = await ines.call('/settings/hide', { form })
    expect(answer.headers.get('location')).toBe('/settings?said=preferences#hide')
  }
  await send({ category: 'gay' })
  await send({ word: '  two   words ' })
  await send({ word: 'TWO words' })
  expect(await settings()).toEqual([['gay'], ['two words']])
  await send({ shownWord: 'two words' })
  await send({ category: 'gay' })
  expect(await settings()).toEqual([[], []])
})
