import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Probe } from '#islands/runtime/testing'
import { preactForReact } from '#scripts/preact-for-react'
import { openPage, openSite, seeFocus } from '#src/testing/browser'
import { Island } from '#src/ui/island'

/** Islands in a browser do what React promises, with Preact in its place. */
const site = await openSite({ AGE_GATE: 'off' })
const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, '../islands/runtime/testing.tsx')],
  target: 'browser',
  plugins: [preactForReact],
  jsx: { runtime: 'automatic', development: false },
  define: { 'process.env.NODE_ENV': '"production"' },
})
const code = (await bundle.outputs[0]?.text()) ?? ''

/** The markup of an island that the loader does not know. */
function islandAt(at: number): string {
  const props = { label: `Name ${at}` }
  const island = () => Island({ name: 'probe', id: `probe-${at}`, of: Probe, props, when: 'press' })
  return renderToStaticMarkup(createElement(island))
}

async function openProbes(markup: string, { throws = false } = {}) {
  const opened = await openPage(site)
  const { page } = opened
  await page.route('**/probes*', (route) =>
    route.fulfill({
      contentType: route.request().url().endsWith('.js') ? 'text/javascript' : 'text/html',
      body: route.request().url().endsWith('.js') ? code : `<!doctype html><title>Probes</title>${markup}`,
    }),
  )
  await page.goto('/probes')
  const started = await page.evaluate(async (throws) => {
    // The browser itself follows the attribute in the markup.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const { mountProbes } = await import(`${location.origin}/probes.js`)
    return mountProbes(throws)
  }, throws)
  return { ...opened, started }
}

test('a field keeps what its handler accepts, and shows its old value otherwise', async () => {
  const { page, complaints } = await openProbes('<nocturne-root></nocturne-root>')
  const name = page.getByLabel('Name 0')
  await name.fill('')
  await name.pressSequentially('Mara 42')
  expect(await name.inputValue()).toBe('Mara ')
  await page.getByLabel('Accepts').click()
  expect(await page.getByLabel('Accepts').isChecked()).toBe(true)
  await page.getByLabel('Refuses').click()
  expect(await page.getByLabel('Refuses').isChecked()).toBe(false)
  await page.getByLabel('Stays').selectOption('second')
  expect(await page.getByLabel('Stays').inputValue()).toBe('first')
  await page.getByLabel('two').click()
  expect(await page.getByLabel('one').isChecked()).toBe(true)
  expect(complaints).toEqual([])
})

test('an island has run its effects when it is mounted, and its field takes the focus', async () => {
  const { page, started } = await openProbes('<nocturne-root></nocturne-root>')
  expect(started).toBe('Name 0')
  await seeFocus(page.getByLabel('Name 0'))
  await page.getByRole('button', { name: 'Open Name 0' }).click()
  await seeFocus(page.getByLabel('New'))
})

test('resetting a form leads back to the choice of a select that it was rendered with', async () => {
  const { page } = await openProbes('<nocturne-root></nocturne-root>')
  const select = page.getByLabel('Begins')
  await select.selectOption('first')
  await page.locator('form').evaluate((form: HTMLFormElement) => form.reset())
  expect(await select.inputValue()).toBe('second')
})

test('an effect that throws is reported, and those of other islands run', async () => {
  const root = '<nocturne-root></nocturne-root>'
  const { started, complaints } = await openProbes(root + root, { throws: true })
  expect(started).toBe('Name 1')
  expect(complaints).toEqual(['exception: This effect fails.', 'exception: This effect fails.'])
})

test('islands are hydrated with the ids of the server, and without moving the focus', async () => {
  const { page, started, complaints } = await openProbes(islandAt(0) + islandAt(1))
  expect(started).toBe('Name 1')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await page.getByLabel('Name 1').fill('Iris')
  expect(await page.getByLabel('Name 0').inputValue()).toBe('Ada')
  const ids = await page.locator('[id]').evaluateAll((fields) => fields.map(({ id }) => id))
  expect(ids).toEqual(['probe-0-0', 'probe-1-0'])
  expect(complaints).toEqual([])
})

test('an element that the server’s markup lacks is reported', async () => {
  const { complaints } = await openProbes(islandAt(0).replace(/<select.*?<\/select>/, ''))
  expect(complaints).toEqual([expect.stringContaining('Hydration found no <select>')])
})
