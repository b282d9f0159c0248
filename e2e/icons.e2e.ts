import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { seedDemo } from '#src/demo/seed'
import { openMemberPage, openPage, openSite } from '#src/testing/browser'
import { until } from '#src/testing/until'

/** Icons are masks over a colour. The colour must be there even in forced-colors mode, and in print. */
const site = await openSite()

beforeAll(async () => void (await seedDemo(site.services.db)))

test('icons have the colour of the text beside them in forced-colors mode', async () => {
  const { page, complaints } = await openPage(site, { forcedColors: 'active' })
  await page.goto('/')
  const colors = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const system = (name: string) => {
      probe.style.setProperty('background', name)
      return getComputedStyle(probe).backgroundColor
    }
    const icon = (selector: string) => {
      const { backgroundColor, maskImage } = getComputedStyle(
        document.querySelector(`${selector} .icon`) ?? probe,
      )
      return /^url\(.*\/icons-/.test(maskImage) ? backgroundColor : `no mask in ${selector}`
    }
    return {
      button: [icon('button.favourite'), system('ButtonText')],
      link: [icon('a.nav-item'), system('LinkText')],
      text: [icon('.notes summary'), system('CanvasText')],
      ground: system('Canvas'),
    }
  })
  for (const [found, wanted] of [colors.button, colors.link, colors.text]) {
    expect(found).toBe(wanted)
    expect(found).not.toBe(colors.ground)
  }
  expect(complaints).toEqual([])
})

test('icons of a page take one request, and are blank until it is answered', async () => {
  const { page, complaints } = await openPage(site)
  const answer = Promise.withResolvers<void>()
  await page.route('**/assets/icons-*', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.goto('/stories', { waitUntil: 'commit' })
  const icon = page.locator('.nav-item .icon:visible').first()
  await icon.waitFor()
  const before = await icon.screenshot()
  answer.resolve()
  await until(async () => !before.equals(await icon.screenshot()))
  await icon.evaluate((element) => element.style.setProperty('background', 'none'))
  expect(before.equals(await icon.screenshot())).toBe(true)
  const requests = await page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/icons-')).length,
  )
  expect(requests).toBe(1)
  expect(complaints).toEqual([])
})

test('icons of every size share one layout size of the image', async () => {
  const { page } = await openPage(site)
  await page.goto('/')
  const sizes = await page.locator('.icon').evaluateAll((icons) =>
    icons.map((icon) => ({
      laidOut: getComputedStyle(icon).height,
      shown: Math.round(icon.getBoundingClientRect().height),
    })),
  )
  expect(new Set(sizes.map(({ laidOut }) => laidOut))).toEqual(new Set(['20px']))
  expect(new Set(sizes.map(({ shown }) => shown).filter(Boolean))).toEqual(new Set([15, 16, 20]))
})

test('icons are printed although backgrounds are not', async () => {
  const { page } = await openPage(site)
  await page.goto('/stories')
  await page.emulateMedia({ media: 'print' })
  const adjust = await page.evaluate(() =>
    [...document.querySelectorAll('.icon')].map((icon) =>
      getComputedStyle(icon).getPropertyValue('print-color-adjust'),
    ),
  )
  expect(new Set(adjust)).toEqual(new Set(['exact']))
})

test('current, switched-on and filled controls differ in forced-colors mode, in both colour schemes', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const { page, complaints } = await openMemberPage(site, '/?category=romantic', {
      forcedColors: 'active',
      colorScheme,
    })
    const colors = (...selectors: string[]) =>
      page.evaluate(
        (all) =>
          all.map((each) => getComputedStyle(document.querySelector(each) ?? document.body).backgroundColor),
        selectors,
      )
    const highlight = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.setProperty('background', 'Highlight')
      return getComputedStyle(probe).backgroundColor
    })
    expect(await colors('.chip[aria-current]', '.segment [aria-current]')).toEqual([highlight, highlight])
    const others = await colors('.chip:not([aria-current])', '.segment :not([aria-current])')
    for (const other of others) expect(other).not.toBe(highlight)
    const pictures = new Set<string>()
    for (const share of [0, 0.5, 1]) pictures.add(await pictureOfSlider(page, share))
    expect(pictures.size).toBe(3)
    await page.goto('/settings')
    const [isOn, isOff] = await colors('.switch :checked + span', '.switch :not(:checked) + span')
    expect(isOn).toBe(highlight)
    expect(isOff).not.toBe(highlight)
    expect(complaints).toEqual([])
  }
})

/** Takes a picture of a slider like the player's, filled to a share. */
async function pictureOfSlider(page: Page, share: number): Promise<string> {
  await page.evaluate((share) => {
    const slider = document.createElement('span')
    slider.className = 'slider'
    slider.id = 'filled'
    slider.append(Object.assign(document.createElement('progress'), { value: share }))
    document.querySelector('#filled')?.remove()
    document.querySelector('main')?.prepend(slider)
  }, share)
  return (await page.locator('#filled').screenshot()).toString('base64')
}
