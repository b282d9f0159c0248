import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openings } from '#db/schema'
import { signValue } from '#src/security/signed-value'
import type { App } from '#src/server/app'
import { routes } from '#src/server/routes'
import type { Services } from '#src/services'
import { countFreeStoriesLeft, openStory } from '#src/story/meter'
import { cookielessFactor, newVisitorsADay } from '#src/story/meter-rules'
import {
  type Browser,
  browser,
  type Call,
  markupOf,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'

const googlebot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }

/** Text near the end of every story here, beyond any preview and excerpt. */
const ending = 'and the last lantern went out over the water'
type Story = { id: string; slug: string; title: string }

async function libraryOf(count: number, environment: Record<string, string> = {}) {
  const { app, services } = await testApp(environment)
  const stories: Story[] = []
  for (let at = 0; at < count; at += 1) {
    stories.push(
      await publishTestItem(services, {
        title: `Evening ${at}`,
        content: `${'It was a long quiet evening. '.repeat(40)}${at} ${ending}.`,
      }),
    )
  }
  return { app, services, stories }
}

/** Whether a reader gets the whole text. The page and the call have to agree. */
async function opens(who: Browser, { id, slug }: Story, headers = {}): Promise<boolean> {
  const page = await markupOf(await who.call(`/story/${slug}`, { headers }))
  const item = await who.json(`/api/content/${id}`, { headers })
  expect(page.includes(ending)).toBe(item.content.includes(ending))
  expect(item.contentTruncated).toBe(!item.content.includes(ending))
  if (!item.content.includes(ending)) {
    expect(item.content.length).toBeLessThanOrEqual(120)
    expect(page).toContain('Sign Up to Continue Reading')
  }
  return item.content.includes(ending)
}

async function opensAll(who: Browser, stories: readonly Story[], headers = {}): Promise<boolean[]> {
  const answers = []
  for (const story of stories) answers.push(await opens(who, story, headers))
  return answers
}

describe('a visitor', () => {
  test('can open three stories but not a fourth', async () => {
    const { app, stories } = await libraryOf(6)
    expect(await opensAll(browser(app), stories)).toEqual([true, true, true, false, false, false])
  })

  test('can reopen opened stories any number of times', async () => {
    const { app, stories } = await libraryOf(5)
    const visitor = browser(app)
    await opensAll(visitor, stories)
    for (let time = 0; time < 3; time += 1) {
      expect(await opensAll(visitor, stories)).toEqual([true, true, true, false, false])
    }
  })

  test('sees how many free stories are left', async () => {
    const { app, stories } = await libraryOf(4)
    const visitor = browser(app)
    const left = async () =>
      /(\d) of 3 free stories left/.exec(await markupOf(await visitor.call('/stories')))?.[1]
    const seen = [await left()]
    for (const story of stories) {
      await visitor.call(`/story/${story.slug}`)
      seen.push(await left())
    }
    expect(seen).toEqual(['3', '2', '1', '0', '0'])
  })

  test('never gets the full text past the limit, on any page or by any API call', async () => {
    const { app, stories } = await libraryOf(4)
    const visitor = browser(app)
    await opensAll(visitor, stories)
    const locked = stories[3]
    const places = [
      `/story/${locked?.slug}`,
      `/api/content/${locked?.id}`,
      ...[
        '/',
        '/stories',
        '/stories?q=evening',
        '/?category=romantic',
        '/api/content',
        '/api/content?limit=50',
        '/api/content?q=evening',
      ],
      ...[
        '/api/stories',
        '/sitemap.xml',
        '/landing',
        '/api/openapi.json',
        '/robots.txt',
        `/cover?title=${locked?.title}`,
      ],
    ]
    for (const place of places) {
      const response = await visitor.call(place)
      expect(response.status).toBe(200)
      const text = await response.text()
      expect(text.includes(`3 ${ending}`) && place).toBe(false)
      expect(text.includes('went out over the water') && place).toBe(false)
    }
    for (const place of ['/api/premium-content', `/api/premium-audio/${locked?.id}/female`]) {
      expect(await (await visitor.call(place)).text()).not.toContain(ending)
    }
  })

  test('gets the excerpt and a link to sign up in place of the text', async () => {
    const { app, stories } = await libraryOf(4)
    const visitor = browser(app)
    await opensAll(visitor, stories)
    const page = await markupOf(await visitor.call(`/story/${stories[3]?.slug}`))
    expect(page).toContain('It was a long quiet evening.')
    expect(page).toContain('Sign Up Free')
    expect(page).toContain('href="/landing')
    expect(page).toContain('Continue Browsing')
  })

  test('cannot exceed the limit with concurrent requests', async () => {
    const { app, stories } = await libraryOf(10)
    const visitor = browser(app)
    await visitor.call(`/story/${stories[0]?.slug}`)
    const answers = await Promise.all(stories.map(({ id }) => visitor.json(`/api/content/${id}`)))
    expect(answers.filter(({ content }) => content.includes(ending))).toHaveLength(3)
    expect(await opensAll(visitor, stories)).toEqual(answers.map(({ content }) => content.includes(ending)))
  })

  test('uses up one story for one opened in two tabs at once', async () => {
    const { app, stories } = await libraryOf(4)
    const visitor = browser(app)
    await visitor.call('/api/analytics/progress', {
      json: { contentId: stories[0]?.id, contentType: 'story', lastPositionSec: 1 },
    })
    await Promise.all(Array.from({ length: 8 }, () => visitor.call(`/story/${stories[0]?.slug}`)))
    expect(await opensAll(visitor, stories)).toEqual([true, true, true, false])
  })

  test('uses up the limit with flows too', async () => {
    const { app, services, stories } = await libraryOf(3)
    const flow = await publishTestItem(services, {
      title: 'Tide',
      type: 'flow',
      content: `${'Breathe in. '.repeat(60)}${ending}`,
    })
    const visitor = browser(app)
    expect(await (await visitor.call(`/flow/${flow.slug}`)).text()).toContain(ending)
    expect(await opensAll(visitor, stories)).toEqual([true, true, false])
  })

  test('is not charged for pages that do not exist', async () => {
    const { app, stories } = await libraryOf(3)
    const visitor = browser(app)
    for (const path of [
      '/story/nothing',
      '/flow/nothing',
      `/api/content/${crypto.randomUUID()}`,
      `/flow/${stories[0]?.slug}`,
    ]) {
      expect((await visitor.call(path)).status).toBe(404)
    }
    expect(await opensAll(visitor, stories)).toEqual([true, true, true])
  })

  test('can open three more after thirty days', async () => {
    const { app, services, stories } = await libraryOf(7)
    const visitor = browser(app)
    await opensAll(visitor, stories)
    await letPass(services, '29 days 23 hours')
    expect(await opensAll(visitor, stories)).toEqual([true, true, true, false, false, false, false])
    await letPass(services, '2 hours')
    expect(await opensAll(visitor, stories.slice(3))).toEqual([true, true, true, false])
  })

  test('can read everything once signed in', async () => {
    const { app, stories } = await libraryOf(5)
    const visitor = browser(app)
    await opensAll(visitor, stories)
    await visitor.call('/api/auth/register', {
      json: { email: 'ana@example.com', password: memberPassword },
    })
    expect(await opensAll(visitor, stories)).toEqual(Array(5).fill(true))
    await visitor.call('/api/auth/logout', { method: 'POST' })
    expect(await opensAll(visitor, stories)).toEqual([true, true, true, false, false])
  })
})

async function letPass({ db }: Services, interval: string): Promise<void> {
  await db.execute(sql`update openings set opened_at = opened_at - ${interval}::interval`)
}

describe('a reader without cookies', () => {
  /** A visit whose cookies are dropped afterwards, so that every visit is a new one. */
  const visit = async (app: App, { id }: Story, address: string) =>
    (await browser(app, address).json(`/api/content/${id}`)).content.includes(ending)

  test('is counted by address, at ten times the limit', async () => {
    const { app, stories } = await libraryOf(33)
    const answers = []
    for (const story of stories) answers.push(await visit(app, story, '10.18.0.1'))
    expect(answers).toEqual([...Array(30).fill(true), false, false, false])
    // Stories opened from that address stay open there, and other addresses are counted separately.
    for (const story of stories.slice(0, 2)) expect(await visit(app, story, '10.18.0.1')).toBe(true)
    for (const story of stories.slice(30)) expect(await visit(app, story, '10.18.0.2')).toBe(true)
  })

  test('can open more after 24 hours', async () => {
    const { services, stories } = await libraryOf(4)
    const reader = { id: 'address:x', isCookieless: true }
    for (const { id } of stories.slice(0, 3))
      expect((await openStory(services.db, reader, id, 0.3)).isOpen).toBe(true)
    const fourth = stories[3]?.id ?? ''
    expect((await openStory(services.db, reader, fourth, 0.3)).isOpen).toBe(false)
    await letPass(services, '24 hours')
    expect((await openStory(services.db, reader, fourth, 0.3)).isOpen).toBe(true)
  })

  test('is stored as a hash of the address', async () => {
    const { app, services, stories } = await libraryOf(1)
    await opensAll(browser(app, '203.0.113.77'), stories)
    const [row] = await services.db.execute<{ rows: string }>(
      sql`select string_agg(openings::text, '') as rows from openings`,
    )
    expect(row?.rows).toMatch(/address:[\w-]{43}/)
    expect(row?.rows).not.toContain('203.0.113.77')
  })
})

describe('an address that collects visitor ids', () => {
  /**
   * The most that one address may read in a day: `dayMax` is its own openings, and those of the ids that are counted
   * for it.
   */
  const limit = 1
  const dayMax = limit * cookielessFactor + limit * newVisitorsADay

  /**
   * Counts the whole texts in the answers. Each visitor requests one story, without cookies or with a different cookie
   * each.
   */
  async function countWhole(
    app: App,
    stories: readonly Story[],
    cookies: readonly string[],
    address: string,
  ) {
    let whole = 0
    for (const [at, story] of stories.entries()) {
      const visitor = browser(app, address)
      const cookie = cookies[at]
      if (cookie) visitor.jar.set('nocturne_visitor', cookie)
      const page = await (await visitor.call(`/story/${story.slug}`)).text()
      if (page.includes(ending)) whole += 1
    }
    return whole
  }

  /** Collects the ids that new visitors get: from every public route, and from the one that saves positions. */
  async function collectIds(app: App, stories: readonly Story[], address: string): Promise<string[]> {
    const ids: string[] = []
    const visit = async (path: string, options: Call = {}) => {
      const visitor = browser(app, address)
      await visitor.call(path, options)
      const id = visitor.jar.get('nocturne_visitor')
      if (id) ids.push(id)
    }
    for (const { id } of stories)
      await visit('/api/analytics/progress', {
        json: { contentId: id, contentType: 'story', lastPositionSec: 1 },
      })
    for (const [name, route] of Object.entries(routes)) {
      const [method = 'GET', path = '/'] = name.split(' ')
      const filled = path.replace(':slug', stories[0]?.slug ?? '').replace(/:\w+/g, stories[0]?.id ?? '')
      const body = route.body === 'json' ? { json: {} } : route.body === 'form' ? { form: {} } : {}
      if (route.access === 'public') await visit(filled, { method, ...body })
    }
    return ids
  }

  test('cannot exceed its daily allowance, whichever route made the ids, whether reused, new or old', async () => {
    const { app, services, stories } = await libraryOf(80, { FREE_STORY_LIMIT: String(limit) })
    const [openings, ripe] = [
      await collectIds(app, stories, '10.19.0.1'),
      await collectIds(app, stories, '10.19.0.2'),
    ]
    expect(openings.length).toBeGreaterThan(80)
    const seen = {
      thrownAway: await countWhole(app, stories, [], '10.19.0.3'),
      keptAndUsedOnce: await countWhole(app, stories, openings, '10.19.0.1'),
    }
    await services.db.execute(sql`update throttles set window_start = window_start - interval '1 day'`)
    const ofYesterday = await countWhole(app, stories, ripe, '10.19.0.2')
    expect(seen.thrownAway).toBe(limit * cookielessFactor)
    expect(seen.keptAndUsedOnce).toBeLessThanOrEqual(dayMax)
    // The ids that were counted yesterday, and today's allowance.
    expect(ofYesterday).toBeLessThanOrEqual(dayMax + limit * newVisitorsADay)
    expect(ofYesterday).toBeLessThan(stories.length)
  })

  test('leaves its other visitors their allowance, and gives later ones ids of their own the next day', async () => {
    const { app, services, stories } = await libraryOf(40)
    const regular = browser(app, '10.19.1.1')
    expect(await opensAll(regular, stories.slice(0, 2))).toEqual([true, true])
    await collectIds(app, stories, '10.19.1.1')
    const late = browser(app, '10.19.1.1')
    expect(await opensAll(late, stories.slice(0, 4))).toEqual([true, true, true, false])
    for (const { id } of stories) await browser(app, '10.19.1.1').call(`/api/content/${id}`)
    expect(await opensAll(late, stories.slice(0, 4))).toEqual([true, true, true, false])
    const later = browser(app, '10.19.1.1')
    expect(await opensAll(later, stories.slice(39))).toEqual([false])
    expect(await opensAll(regular, stories.slice(0, 4))).toEqual([true, true, true, false])
    await services.db.execute(sql`update throttles set window_start = window_start - interval '1 day'`)
    await letPass(services, '24 hours')
    expect(await opensAll(later, stories.slice(36))).toEqual([true, true, true, false])
  })

  test('has uncounted old ids counted at their next opening', async () => {
    const { app, services, stories } = await libraryOf(5)
    const old = browser(app, '10.19.2.1')
    const id = crypto.randomUUID()
    old.jar.set('nocturne_visitor', signValue(services.secrets.session, 'nocturne_visitor', id))
    await services.db
      .insert(openings)
      .values(stories.slice(0, 1).map((story) => ({ readerId: id, storyId: story.id })))
    expect(await opensAll(old, stories)).toEqual([true, true, true, false, false])
    expect(await opensAll(old, stories)).toEqual([true, true, true, false, false])
  })
})

test('visitor ids are signed only in the module that counts them', async () => {
  const root = join(import.meta.dir, '../..')
  const files = await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(root))
  const naming = []
  for (const file of files.filter((each) => !each.includes('.test.')))
    if (/writeSignedCookie\(\s*context,\s*cookieNames\.visitor/.test(await Bun.file(join(root, file)).text()))
      naming.push(file)
  expect(naming.sort()).toEqual(['src/request/visitor-id.ts'])
})

describe('readers without a limit', () => {
  test('members and operators open everything, and nothing is counted', async () => {
    const { app, services, stories } = await libraryOf(6)
    const ana = await memberBrowser(app, 'ana@example.com')
    for (const who of [ana, await operatorBrowser(app)]) {
      expect(await opensAll(who, stories)).toEqual(Array(6).fill(true))
      expect(await markupOf(await who.call('/stories'))).not.toContain('free stories left')
    }
    expect(await services.db.execute(sql`select 1 from openings`)).toHaveLength(0)
  })
})

describe('crawlers', () => {
  test('see previews only, and are neither counted nor given a cookie', async () => {
    const { app, services, stories } = await libraryOf(5)
    const crawler = browser(app)
    expect(await opensAll(crawler, stories, googlebot)).toEqual(Array(5).fill(false))
    expect(crawler.jar.size).toBe(0)
    expect(await services.db.execute(sql`select 1 from openings`)).toHaveLength(0)
  })

  test('get structured data that marks the text as paywalled', async () => {
    const { app, stories } = await libraryOf(1)
    const page = await (await browser(app).call(`/story/${stories[0]?.slug}`, { headers: googlebot })).text()
    const [, data = '{}'] = /<script type="application\/ld\+json"[^>]*>([^<]*)<\/script>/.exec(page) ?? []
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'ShortStory',
      isAccessibleForFree: false,
      hasPart: { isAccessibleForFree: false, cssSelector: '.story-text' },
    })
  })
})

describe('FREE_STORY_LIMIT', () => {
  test('of 0 lets visitors open nothing', async () => {
    const { app, stories } = await libraryOf(2, { FREE_STORY_LIMIT: '0' })
    expect(await opensAll(browser(app), stories)).toEqual([false, false])
    expect(await opensAll(await memberBrowser(app, 'ana@example.com'), stories)).toEqual([true, true])
  })

  test('sets the number of free stories', async () => {
    const { app, stories } = await libraryOf(3, { FREE_STORY_LIMIT: '1' })
    expect(await opensAll(browser(app), stories)).toEqual([true, false, false])
    expect(await markupOf(await browser(app).call('/stories'))).toContain('1 of 1 free stories left')
  })
})

test('the number of free stories left never falls below zero', async () => {
  const { services, stories } = await libraryOf(5)
  const reader = { id: crypto.randomUUID(), isCookieless: false }
  const left = []
  for (const { id } of stories) left.push((await openStory(services.db, reader, id, 3)).left)
  expect(left).toEqual([2, 1, 0, 0, 0])
  expect(await countFreeStoriesLeft(services.db, reader.id, 3)).toBe(0)
  expect(await countFreeStoriesLeft(services.db, reader.id, 1)).toBe(0)
  expect(await countFreeStoriesLeft(services.db, reader.id, 10)).toBe(7)
})
