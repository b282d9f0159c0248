import { afterAll, expect, test } from 'bun:test'
import { publishTestItem } from '#src/testing/app'
import { narrateWithTone, openMemberPage, openPage, openSite, seeToast } from '#src/testing/browser'

const site = await openSite()
const item = await publishTestItem(site.services, { title: 'The Lantern' })
await narrateWithTone(site.services, item.id, 2)
/** A web player of a third party, on an origin of its own. */
const player = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response('<!doctype html><title>A player</title>', { headers: { 'content-type': 'text/html' } }),
})
afterAll(async () => player.stop(true))

test('a copied feed address can be read by a player on another origin, with its art and enclosures', async () => {
  const { page: settings, context } = await openMemberPage(site, '/settings')
  await settings.getByRole('button', { name: 'Make My Feeds' }).click()
  const address = await settings.getByLabel('Podcast apps (RSS)', { exact: true }).inputValue()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await settings.getByRole('button', { name: 'Copy: Podcast apps (RSS)' }).click()
  await seeToast(settings, 'Link copied')
  expect(await settings.evaluate(() => navigator.clipboard.readText())).toBe(address)

  const { page } = await openPage(site)
  await page.goto(`http://127.0.0.1:${player.port}/`)
  const played = await page.evaluate(
    async ({ feedUrl, publicUrl, siteUrl }) => {
      const here = (url: string | null) => (url ?? '').replace(publicUrl, siteUrl)
      const feed = new DOMParser().parseFromString(await (await fetch(here(feedUrl))).text(), 'text/xml')
      const picture = here(feed.getElementsByTagName('itunes:image')[0]?.getAttribute('href') ?? null)
      // On a busy machine the server asks to try again while it draws the picture.
      while (!(await fetch(picture)).ok) await new Promise((resolve) => setTimeout(resolve, 1_000))
      const art = new Image()
      art.src = picture
      await art.decode()
      const enclosure = here(feed.querySelector('enclosure')?.getAttribute('url') ?? null)
      const audio = document.body.appendChild(document.createElement('audio'))
      audio.muted = true
      audio.src = enclosure
      const ended = new Promise((resolve) => audio.addEventListener('ended', resolve))
      await audio.play()
      await ended
      // With a header that requires a CORS preflight.
      const part = await fetch(enclosure, { headers: { range: 'bytes=10-19', 'if-none-match': '"x"' } })
      return {
        titles: [...feed.querySelectorAll('item > title')].map(({ textContent }) => textContent),
        isDrawn: art.naturalWidth > 0,
        duration: Math.round(audio.duration),
        part: [part.status, part.headers.get('content-range')?.startsWith('bytes 10-19/')],
      }
    },
    { feedUrl: address, publicUrl: site.services.env.publicUrl, siteUrl: site.url },
  )
  expect(played).toEqual({ titles: ['The Lantern'], isDrawn: true, duration: 2, part: [206, true] })
})
