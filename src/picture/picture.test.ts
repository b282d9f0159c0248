import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { stories } from '#db/schema'
import { browser, markupOf, memberBrowser, publishTestItem, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { urls } from '#src/urls'
import { rasterise } from './rasterise'
import { fitText } from './rasteriser/fit-text'
import {
  isDrawable,
  itemCard,
  itemSquare,
  ownCovers,
  type Picture,
  picturePath,
  picturesWaitingMax,
  pictureVersion,
  siteCard,
  siteSquare,
  squaresWaitingMax,
} from './rules'
import { pngSize, whenDrawn } from './testing'

const { app, services } = await testApp()
const { db, env } = services
const anyone = browser(app)
const ferry = await publishTestItem(services, { title: 'Salt & <Air> "]]>' })
const pageOf = ({ slug }: { slug: string }) => urls.item({ type: 'story', slug })
const html = { accept: 'text/html' }
const folder = join(env.dataDir, 'pictures')
const inodes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).ino)

async function readHead(path: string) {
  const markup = await markupOf(await anyone.call(path, { headers: html }))
  return new Map(
    [...markup.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g)].map(
      ([, name = '', content = '']) => [name, content] as const,
    ),
  )
}
const pathOf = (url: string | undefined) => (url ?? '').slice(env.publicUrl.length)

test('an item’s page links a 1200 × 630 PNG that is drawn once and cached as immutable', async () => {
  const head = await readHead(pageOf(ferry))
  expect(head.get('og:image:width')).toBe('1200')
  expect(head.get('og:image:height')).toBe('630')
  expect(head.get('og:image:alt')).toStartWith('Salt &amp; ')
  expect(head.get('twitter:card')).toBe('summary_large_image')
  const path = pathOf(head.get('og:image'))
  const answer = await whenDrawn(() => anyone.call(path))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(await pngSize(answer)).toEqual({ width: 1200, height: 630 })

  const drawn = inodes()
  const again = await anyone.call(path)
  expect([again.status, inodes()]).toEqual([200, drawn])
  const etag = answer.headers.get('etag') ?? ''
  expect((await anyone.call(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('other public pages share the site’s picture; sign-in and missing pages have none', async () => {
  const addresses = new Set<string | undefined>()
  for (const path of ['/', '/stories', '/trending', '/home', '/landing', '/help', '/terms'])
    addresses.add((await readHead(path)).get('og:image'))
  expect([...addresses]).toEqual([
    env.publicUrl + picturePath('site', pictureVersion(siteCard(env.siteName))),
  ])
  for (const path of ['/sign-in', '/admin-login', '/nothing'])
    expect([path, (await readHead(path)).has('og:image')]).toEqual([path, false])
  const answer = await whenDrawn(() => anyone.call(pathOf([...addresses][0])))
  expect(await pngSize(answer)).toEqual({ width: 1200, height: 630 })
})

test('pictures of hidden and unknown items return 404 to everybody', async () => {
  const draft = await publishTestItem(services, { title: 'Not Yet' })
  await db.update(stories).set({ status: 'draft' }).where(eq(stories.id, draft.id))
  const ana = await memberBrowser(app, 'ana@example.com')
  const own = await ana.json('/api/user/content', {
    json: { title: 'My own', content: 'He hummed.', categories: ['romantic'], voice: 'female' },
  })
  for (const who of [anyone, ana])
    for (const id of [draft.id, own.id, 'nothing', '019c0000-0000-7000-8000-000000000000'])
      expect((await who.call(picturePath(id, 'x'))).status).toBe(404)
  for (const file of ['x', 'x.jpg', '.png', 'X.png'])
    expect((await anyone.call(`/picture/${ferry.id}/${file}`)).status).toBe(404)
})

test('a changed title gets a new picture and address; the old address is revalidated', async () => {
  const item = await publishTestItem(services, { title: 'Before' })
  const before = pathOf((await readHead(pageOf(item))).get('og:image'))
  const first = await whenDrawn(() => anyone.call(before))
  await db.update(stories).set({ title: 'After' }).where(eq(stories.id, item.id))
  expect((await readHead(pageOf(item))).get('og:image')).not.toEndWith(before)
  const second = await whenDrawn(() => anyone.call(before))
  expect([second.status, second.headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
})

test('pictures omit titles that the font cannot draw and titles of members’ items', () => {
  expect(isDrawable('“Déjà vu” – 20 €, naïve…')).toBe(true)
  const source = 'pre_uploaded'
  for (const title of ['灯台', 'A lamp 🏮', 'Ночь', 'a\nb'])
    expect([itemCard({ title, source }, '灯'), itemSquare({ title, source })]).toMatchObject([
      { title: '', siteName: '' },
      { title: '' },
    ])
  expect(itemSquare({ title: 'My own', source: 'user_generated' }).title).toBe('')
})

test('fitText breaks a title at the largest fitting size, cuts it at the smallest, or omits it', () => {
  const box = { width: 100, linesMax: 2, sizeMax: 20, sizeMin: 10 }
  const measure = (text: string) => text.length / 2
  expect(fitText('The Tide', box, measure)).toEqual({ lines: ['The Tide'], size: 20 })
  const two = fitText('The Night Ferry Home', box, measure)
  expect(two.lines).toEqual(['The Night', 'Ferry Home'])
  const many = fitText('and so on '.repeat(20), box, measure)
  expect(many).toEqual({ size: 10, lines: ['and so on and so on', 'and so on and so…'] })
  expect(fitText('x'.repeat(60), box, measure).lines).toEqual([])
})

test('one picture is drawn at a time, cards first, from a bounded queue that an abort empties', async () => {
  const stop = new AbortController()
  const draw = async (picture: Picture) => {
    for await (const _ of rasterise(picture, stop.signal));
  }
  const [card, square] = [siteCard('Quiet'), siteSquare('Quiet')]
  const refused = { code: 'unavailable', retryAfterSeconds: 5 }
  const ended: string[] = []
  const begin = (picture: Picture) => rejectionOf(draw(picture).finally(() => ended.push(picture.shape)))
  const squares = Array.from({ length: squaresWaitingMax + 1 }, () => begin(square))
  expect(await rejectionOf(draw(square))).toMatchObject(refused)
  const cards = Array.from({ length: picturesWaitingMax - squaresWaitingMax }, () => begin(card))
  expect(await rejectionOf(draw(card))).toMatchObject(refused)
  stop.abort()
  for (const each of await Promise.all([...squares, ...cards]))
    expect(each).toMatchObject({ code: 'unavailable' })
  expect(ended).toEqual(['square', ...cards.map(() => 'card'), ...squares.slice(1).map(() => 'square')])
})

test('members’ items share a fixed number of pictures, whatever their titles', () => {
  const titles = Array.from({ length: 1_000 }, (_, at) => `Title ${at}`)
  const drawn = (source: 'pre_uploaded' | 'user_generated') =>
    new Set(titles.map((title) => pictureVersion(itemSquare({ title, source })))).size
  expect([drawn('user_generated'), drawn('pre_uploaded')]).toEqual([ownCovers, titles.length])
})
