import { beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { lazyIslands } from '#islands/runtime/lazy-island-names'
import { openAssetFolder } from '#scripts/asset-folder'
import { buildStyles } from '#scripts/build-styles'
import { type ClassNames, findClassNames } from '#scripts/class-names'
import { seedDemo } from '#src/demo/seed'
import { cookieNames } from '#src/request/cookies'
import { routes } from '#src/server/routes'
import { type Browser, browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { addViews } from '#src/trending/testing'
import config from '../../uno.config'

/**
 * Checks that every style rule is used: at least one of its selectors has to be. A selector is used if every class, id
 * and element that it names occurs either in a page of the table of routes or one of `states`, as rendered for one of
 * `people`, or in the sources of islands and their imports, since islands render more than the server sends. Names
 * inside `:not(…)` need not occur. A class in a source counts if a class attribute contains it, whole or as a prefix
 * (`badge-${kind}`).
 */
const root = join(import.meta.dir, '../..')
const { app, services } = await testApp({ AGE_GATE: 'confirm', FREE_STORY_LIMIT: '0' })
/** Other addresses at which pages show further content. */
const states = [
  '/admin?tab=overview',
  '/admin?tab=signups',
  '/training?tab=analytics',
  '/training?tab=examples',
  '/training?tab=held',
]
const used: ClassNames & { ids: Set<string>; elements: Set<string> } = {
  names: new Set(),
  beginnings: new Set(),
  ids: new Set(),
  elements: new Set(['html', 'body', 'dialog']),
}

/** Icons and islands of pages that do not load the console's stylesheet. */
const member = { icons: new Set<string>(), islands: new Set<string>(lazyIslands) }

beforeAll(async () => {
  await seedDemo(services.db)
  await readPages()
  await readIslands()
})

const styles = await readStyles()

test('every rule of the stylesheets is used', () => {
  const rules = Object.values(styles).flatMap(listRules)
  expect(rules.length).toBeGreaterThan(500)
  expect(rules.filter((rule) => !rule.some(isUsed)).map((rule) => rule.join(', '))).toEqual([])
})

test('no selector uses :has() on the root, which would restyle the page on each change', () => {
  const asking = Object.values(styles).flatMap(
    (css) => css.match(/(?:html|body|:root)[^\s{},>+~]*:has\(/g) ?? [],
  )
  expect(asking).toEqual([])
})

test('every icon of a member’s page is in the stylesheet that members load', async () => {
  const islands = (await listIslands()).filter((path) => member.islands.has(basename(path, '.tsx')))
  for (const source of await sourcesOf(islands)) for (const icon of iconsOf(source)) member.icons.add(icon)
  expect(member.icons.size).toBeGreaterThan(30)
  expect([...member.icons].filter((icon) => !styles.member.includes(`.${icon}{`))).toEqual([])
})

test('every shortcut of the stylesheets is used', () => {
  expect(Object.keys(config.shortcuts ?? {}).filter((name) => !used.names.has(name))).toEqual([])
})

type Item = { id: string; slug: string; type: string; source: string }

/**
 * One browser for each way to see pages, including a person who has not confirmed an age and one who has to enter a
 * PIN.
 */
async function people(items: readonly Item[]): Promise<Browser[]> {
  const [stranger, visitor, operator] = [browser(app), browser(app), await operatorBrowser(app)]
  const ana = await memberBrowser(app, 'ana@example.com')
  const ben = await memberBrowser(app, 'ben@example.com')
  for (const person of [visitor, operator, ana, ben]) await person.call('/age', { form: { next: '/' } })
  for (const { id, type, source } of items) {
    const place = { contentId: id, contentType: type, lastPositionSec: 60, totalSec: 300 }
    await ana.call('/api/content-favorites', { json: { contentKey: `${source}:${type}:${id}` } })
    await ana.call('/api/analytics/progress', { json: place })
    await addViews(services.db, id, 5)
    await operator.call(`/api/premium-content/${id}`, { method: 'PUT', json: { title: `A Late ${type}` } })
  }
  await ben.call('/settings/pin', { form: { pin: '2468' } })
  // A member who has just signed in is not asked for the PIN.
  await services.db.execute(
    sql`update sessions set sess = sess || '{"startedAt": "2026-01-01T00:00:00.000Z"}'`,
  )
  ben.jar.delete(cookieNames.unlock)
  return [stranger, visitor, operator, ana, ben]
}

async function readPages(): Promise<void> {
  const [ferry]: Item[] = await browser(app).json('/api/content?q=ferry')
  const [flow]: Item[] = await browser(app).json('/api/content?q=breaths')
  const routed = Object.keys(routes).flatMap((name) => (/^GET (?!\/api\/)/.test(name) ? [name.slice(4)] : []))
  if (!ferry || !flow) throw new Error('The demo library has no ferry, or no breaths.')
  for (const person of await people([ferry, flow])) {
    for (const route of [...routed, ...states]) {
      const slug = route.startsWith('/flow') ? flow.slug : ferry.slug
      const path = route.replace(':slug', slug).replace(':id', ferry.id)
      const answer = await person.call(path, { headers: { accept: 'text/html' } })
      if (answer.headers.get('content-type')?.startsWith('text/html')) readPage(await answer.text())
    }
  }
}

function readPage(html: string): void {
  readMarkup(html)
  if (html.includes('href="/assets/console.css"')) return
  for (const icon of iconsOf(html)) member.icons.add(icon)
  for (const [, name = ''] of html.matchAll(/data-name="([^"]+)"/g)) member.islands.add(name)
}

const iconsOf = (source: string) => source.match(/\bi-lucide-[\w-]+/g) ?? []

async function readStyles(): Promise<Record<'member' | 'console', string>> {
  const folder = await mkdtemp(join(tmpdir(), 'nocturne-styles-'))
  const built = await buildStyles({ root, assets: openAssetFolder(folder, folder), minify: false })
  const read = (name: string) => Bun.file(join(folder, name)).text()
  const [member, console] = await Promise.all([read(built.member), read(built.console)])
  await rm(folder, { recursive: true })
  return { member, console }
}

async function listIslands(): Promise<string[]> {
  const paths = await Array.fromAsync(new Bun.Glob('islands/**/*.{ts,tsx}').scan(root))
  return paths.filter((path) => !path.includes('.test.'))
}

async function readIslands(): Promise<void> {
  for (const source of await sourcesOf(await listIslands())) {
    readMarkup(source)
    for (const icon of iconsOf(source)) used.names.add(icon)
  }
}

/** The texts of files and of everything that they import. */
async function sourcesOf(paths: readonly string[]): Promise<Iterable<string>> {
  const transpiler = new Bun.Transpiler({ loader: 'tsx' })
  const queue = paths.map((path) => join(root, path))
  const sources = new Map<string, string>()
  for (const path of queue) {
    if (sources.has(path)) continue
    const source = await Bun.file(path).text()
    sources.set(path, source)
    for (const { path: specifier } of transpiler.scanImports(source))
      if (/^[#.]/.test(specifier)) queue.push(Bun.resolveSync(specifier, dirname(path)))
  }
  return sources.values()
}

function readMarkup(text: string): void {
  const { names, beginnings } = findClassNames(text)
  for (const name of names) used.names.add(name)
  for (const beginning of beginnings) used.beginnings.add(beginning)
  for (const [, id = ''] of text.matchAll(/\sid="([^"]+)"/g)) used.ids.add(id)
  for (const [, element = ''] of text.matchAll(/<([a-z][a-z0-9-]*)/g)) used.elements.add(element)
}

/** The selectors of each rule. */
function listRules(css: string): string[][] {
  const preludes = [...css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)].map(([, prelude = '']) =>
    prelude.trim(),
  )
  return preludes.filter((prelude) => !prelude.startsWith('@')).map(splitSelectors)
}

function splitSelectors(list: string): string[] {
  const selectors = ['']
  let depth = 0
  for (const character of list) {
    if ('(['.includes(character)) depth += 1
    if (')]'.includes(character)) depth -= 1
    if (character === ',' && depth === 0) selectors.push('')
    else selectors[selectors.length - 1] += character
  }
  return selectors.map((selector) => selector.trim())
}

function isUsed(selector: string): boolean {
  const plain = withoutNegations(selector).replace(/\[[^\]]*\]|::[\w-]+\([^)]*\)/g, '')
  const namesOf = (pattern: RegExp) => [...plain.matchAll(pattern)].map(([, name = '']) => name)
  return (
    namesOf(/\.([\w-]+)/g).every(
      (name) => used.names.has(name) || [...used.beginnings].some((beginning) => name.startsWith(beginning)),
    ) &&
    namesOf(/#([\w-]+)/g).every((id) => used.ids.has(id)) &&
    namesOf(/(?<![\w.#:-])([a-z][a-z0-9-]*)/g).every((element) => used.elements.has(element))
  )
}

function withoutNegations(selector: string): string {
  const at = selector.indexOf(':not(')
  if (at < 0) return selector
  let depth = 0
  let end = at + 4
  do {
    if (selector[end] === '(') depth += 1
    if (selector[end] === ')') depth -= 1
    end += 1
  } while (depth > 0 && end < selector.length)
  return withoutNegations(selector.slice(0, at) + selector.slice(end))
}
