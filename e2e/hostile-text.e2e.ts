import { expect, test } from 'bun:test'
import { storyFeedback, users } from '#db/schema'
import { createChallenge } from '#src/challenge/edit'
import { publish } from '#src/story/publish'
import { join, openOperatorPage, openPage, openSite } from '#src/testing/browser'
import { addViews } from '#src/trending/testing'

const site = await openSite({ AGE_GATE: 'off' })

const run = 'window.hit=1'
/** Payloads that run if a text is inserted into a page as markup, after the cheat sheets of OWASP and PortSwigger. */
const vectors = [
  `<script>${run}</script>`,
  `<ScRiPt>${run}</sCrIpT>`,
  `<script/x>${run}</script>`,
  `<script src="data:text/javascript,${run}"></script>`,
  `<img src=x onerror=${run}>`,
  `<img/src=x/onerror=${run}>`,
  `<img src=x onerror="&#119;indow.hit=1">`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
  `<body onload=${run}>`,
  `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `<iframe src="javascript:parent.hit=1"></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<details open ontoggle=${run}>x</details>`,
  `<input autofocus onfocus=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}></audio>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<a href="javascript:${run}">x</a>`,
  `<form action="javascript:${run}"><button>x</button></form>`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<base href="//elsewhere.example/">`,
  `<link rel=stylesheet href="//elsewhere.example/x.css">`,
  `<style>@import "//elsewhere.example/x.css";</style>`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `{{constructor.constructor('${run}')()}}`,
  `\${${run}}`,
]
/** Strings that close the context of a text: plain text, an attribute, a data block, a title, a comment. */
const openings = ['', '">', "'>", '</script>', '</title></textarea>', '-->', '\u2028]}</script>']
const payloads = openings.flatMap((opening) => vectors.map((vector) => opening + vector))
const perItem = 10
const groups = Array.from({ length: Math.ceil(payloads.length / perItem) }, (_, at) =>
  payloads.slice(at * perItem, (at + 1) * perItem),
)

test('script injected into an item’s texts never runs on any page that shows it', async () => {
  expect(payloads.length).toBeGreaterThanOrEqual(200)
  for (const [at, group] of groups.entries()) {
    await publish(site.services.db, {
      title: `${group[at % perItem]} ${at}`.slice(0, 190),
      content: group.join('\n\n'),
      description: group.join(' '),
      excerpt: group.join(' ').slice(0, 400),
      tags: group.map((payload) => payload.slice(0, 40)),
      contentNotes: group.slice(0, 5).map((payload) => payload.slice(0, 60)),
      categories: ['roleplay'],
      type: at % 2 === 0 ? 'story' : 'flow',
    })
  }
  const items = await (await fetch(`${site.url}/api/content?categories=roleplay&limit=50`)).json()
  const ours = items.filter((item: { title: string }) => /[<{$]/.test(item.title))
  expect(ours.length).toBe(groups.length)
  for (const { id } of ours) await addViews(site.services.db, id, 1)
  const challenge = await createChallenge(
    site.services.db,
    {
      name: payloads[7]?.slice(0, 80) ?? '',
      description: groups[1]?.join(' ').slice(0, 400),
      items: ours.slice(0, 3).map(({ id }: { id: string }) => id),
      isPublished: true,
    },
    'Ada',
  )
  await expectQuiet([
    '/challenges',
    `/challenge/${challenge.id}`,
    ...ours.slice(0, 3).map(({ id }: { id: string }) => `/report/${id}`),
    '/?category=roleplay',
    '/?type=flow&category=roleplay',
    '/stories?category=roleplay',
    '/trending',
    '/home',
    ...ours.map((item: { type: string; slug: string }) => `/${item.type}/${item.slug}`),
  ])
})

test('script injected into titles never runs on the pages of a member who saved and started them', async () => {
  const { page, complaints } = await openMember()
  const items = await (await page.request.get('/api/content?categories=roleplay&limit=50')).json()
  const headers = { 'sec-fetch-site': 'same-origin' }
  for (const { id, type, source } of items) {
    const contentKey = `${source}:${type}:${id}`
    const saved = await page.request.post('/api/content-favorites', { headers, data: { contentKey } })
    expect(saved.ok()).toBe(true)
    const place = { contentId: id, contentType: type, lastPositionSec: 20, totalSec: 60 }
    await page.request.post('/api/analytics/progress', { headers, data: place })
  }
  for (const address of ['/my-content', '/home']) {
    await page.goto(address, { waitUntil: 'load' })
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => done(null), { timeout: 1_000 })),
    )
    expect([address, await page.evaluate(() => 'hit' in window)]).toEqual([address, false])
  }
  expect(complaints).toEqual([])
})

/** German has words of this length, and so do addresses. */
const long = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenamts'

test('words of 60 letters and text at 200 % neither widen a page nor cover its controls', async () => {
  const { db } = site.services
  const words = { title: `The ${long}`, content: `${long} `.repeat(400), description: long, excerpt: long }
  const item = { ...words, tags: [long, long.slice(1)], contentNotes: [long], categories: ['lesbian'] }
  const { id, slug } = await publish(db, item)
  const flow = await publish(db, { ...item, title: long, type: 'flow' })
  for (const each of [id, flow.id]) await addViews(db, each, 1)
  const challenge = { name: long, description: long, items: [flow.id], isPublished: true }
  const { id: challengeId } = await createChallenge(db, challenge, 'Ada')
  await db.insert(storyFeedback).values({ storyId: id, rating: 5, comments: long, tags: [long.slice(0, 40)] })
  const { page } = await openOperatorPage(site, '/admin')
  await join(site, page, { firstName: long })
  const headers = { 'sec-fetch-site': 'same-origin' }
  await page.request.post('/api/content-favorites', {
    headers,
    data: { contentKey: `pre_uploaded:story:${id}` },
  })
  const place = { contentId: id, contentType: 'story', lastPositionSec: 20, totalSec: 60 }
  await page.request.post('/api/analytics/progress', { headers, data: place })
  // Without animation, so that the drawer disappears at once when the window narrows.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const faults: string[] = []
  for (const address of [
    ...['/?category=lesbian', '/stories?category=lesbian', `/story/${slug}`, `/flow/${flow.slug}`],
    ...['/trending?timeframe=all', '/home', '/my-content', '/settings', '/create', '/challenges'],
    ...[`/challenge/${challengeId}`, `/report/${id}`, '/help', '/sign-in', `/stories?q=${long}`],
    ...['/admin', '/admin?tab=overview', '/premium-content', '/analytics?tab=content', '/feedback'],
    ...[
      '/members',
      '/challenge-editor',
      `/studio/${id}`,
      '/audit',
      '/setup',
      '/training',
      '/jobs',
      '/moderation',
    ],
  ]) {
    await page.goto(address)
    for (const [width, textSize] of [
      [320, '100%'],
      [1280, '200%'],
      [640, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const misplaced = await page.evaluate(findMisplaced, textSize)
      faults.push(...misplaced.map((each) => `${address} at ${width} px, text ${textSize}: ${each}`))
    }
  }
  expect(faults).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  await page.evaluate((detail) => document.dispatchEvent(new CustomEvent('nocturne:toast', { detail })), {
    title: long.repeat(4),
    description: long.repeat(4),
  })
  const toast = page.locator('.toast')
  await toast.waitFor()
  expect(await toast.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

/**
 * Returns what makes the page wider than its window, and what covers a control, at this text size. Runs in the page.
 */
function findMisplaced(textSize: string): string[] {
  const root = document.documentElement
  root.style.fontSize = textSize
  const isWide = root.scrollWidth > innerWidth
  const wide = isWide
    ? [...document.querySelectorAll('body *')].filter(
        (each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.visually-hidden'),
      )
    : []
  const words = wide
    .slice(-3)
    .map((each) => `${each.tagName}.${each.getAttribute('class')} ${each.textContent?.slice(0, 30)}`)
  const found = isWide ? [`${root.scrollWidth} px wide`, ...words] : []
  for (const control of document.querySelectorAll('main :is(a, button, input, select, textarea)')) {
    const { left, right, top, bottom, width, height } = control.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    const isSeen = width > 8 && height > 8 && x > 0 && x < innerWidth && y > 120 && y < innerHeight - 120
    const over = isSeen && document.elementFromPoint(x, y)
    if (
      over &&
      !over.contains(control) &&
      !control.contains(over) &&
      !control.closest('label')?.contains(over)
    )
      found.push(
        `${over.tagName}.${over.getAttribute('class')} stands over ${control.outerHTML.slice(0, 80)}`,
      )
  }
  root.style.fontSize = ''
  return found
}

test('script injected into comments never runs in the console', async () => {
  const { db } = site.services
  const { id: storyId } = await publish(db, { title: 'Reeds', content: 'Wind.', categories: ['romantic'] })
  // Inserted directly, because the members' form has its own limits.
  await db.insert(storyFeedback).values(
    groups.map((group) => ({
      storyId,
      rating: 5,
      comments: group.join('\n'),
      tags: group.map((payload) => payload.slice(0, 40)),
    })),
  )
  const { page, complaints } = await openOperatorPage(site, '/feedback')
  await page.getByRole('button', { name: 'Remove: Reeds' }).first().click()
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  expect(complaints).toEqual([])
})

test('script injected into a URL never runs', async () => {
  const some = payloads.filter((_, at) => at % 12 === 0).map(encodeURIComponent)
  await expectQuiet([
    ...some.map((payload) => `/stories?q=${payload}`),
    ...some.map((payload) => `/sign-in?next=${payload}`),
    ...some.slice(0, 5).flatMap((payload) => [`/?category=${payload}`, `/${payload}`, `/story/${payload}`]),
  ])
})

test('script injected into a member’s name never runs', async () => {
  const { page, complaints } = await openMember()
  // A third of the vectors after each opening, so that every vector follows some opening.
  const names = groups.filter((_, at) => at % 3 === Math.floor(at / 3) % 3)
  for (const name of names) {
    await site.services.db.update(users).set({ firstName: name.join(' '), lastName: `">${name.join(' ')}` })
    for (const address of ['/settings', '/my-content', '/home', '/']) {
      await page.goto(address, { waitUntil: 'load' })
      expect([name, await page.evaluate(() => 'hit' in window)]).toEqual([name, false])
    }
  }
  // This many pages in a minute from one address can exceed the rate limit of the analytics.
  expect(complaints.filter((each) => !each.includes('429'))).toEqual([])
})

/** Opens a page as a member, who sees whole texts, even past the free limit. */
async function openMember() {
  const opened = await openPage(site)
  await join(site, opened.page)
  return opened
}

async function expectQuiet(addresses: readonly string[]): Promise<void> {
  const { page, complaints } = await openMember()
  for (const address of addresses) {
    await page.goto(address, { waitUntil: 'load' })
    // Islands render the same texts again when they hydrate.
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => done(null), { timeout: 1_000 })),
    )
    expect([address, await page.evaluate(() => 'hit' in window)]).toEqual([address, false])
  }
  // An unknown category is an invalid request with an error message, which is no failure here.
  expect(complaints.filter((each) => !/status of (400|422)/.test(each))).toEqual([])
}
