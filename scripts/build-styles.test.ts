import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGenerator } from '@unocss/core'
import { openAssetFolder } from '#scripts/asset-folder'
import { buildStyles } from '#scripts/build-styles'
import { joinIcons } from '#scripts/icon-sprite'
import { rejectionOf } from '#src/testing/rejection'
import config from '../uno.config'

const generate = async (source: string) =>
  (await (await createGenerator(config)).generate(source, { preflights: false })).css

test('words in text and attributes other than class generate no CSS', async () => {
  expect(await generate('<p title="my block">Tell me of h2, hidden in a table</p>')).toBe('')
})

test('a utility class uses the value of its design token, and “table” generates no utility', async () => {
  const css = await generate('<p className="table gap-4 text-accent bg-surface-2">')
  expect(css).toContain('gap:var(--s-4)')
  expect(css).toContain('color:var(--accent)')
  expect(css).toContain('background-color:var(--surface-2)')
  expect(css).not.toContain('.table')
})

test('every shortcut generates a rule with its name', async () => {
  for (const name of Object.keys(config.shortcuts ?? {}))
    expect(await generate(`<p className="${name}">`)).toContain(`.${name}{`)
})

test('an icon class generates one mask, with the stroke width of its size', async () => {
  const css = await generate("const icons = { close: 'i-lucide-x', small: 'i-lucide-sm-x' }")
  expect(css).toMatch(/\.i-lucide-x\{--un-icon:url\("data:image\/svg\+xml[^}]*stroke-width='1\.6'[^}]*"\);\}/)
  expect(css).toMatch(/\.i-lucide-sm-x\{[^}]*stroke-width='1\.8'/)
  expect(await generate('<Icon name="i-lucide-solid-play" />')).not.toContain('stroke')
})

test('all icons of a stylesheet are joined into one image, each at its own position', async () => {
  const names = ['x', 'sm-x', 'solid-play', 'sm-solid-play', 'lg-heart']
  const { svg, rules } = joinIcons(await generate(names.map((name) => `'i-lucide-${name}'`).join()), '.icon')
  const css = rules('icons.svg')
  expect(css).not.toContain('--un-icon')
  expect(css.match(/url\(/g)).toHaveLength(1)
  const places = names.map(
    (name) => css.match(new RegExp(`\\.i-lucide-${name}[,{][^}]*mask-position:0 (\\d+)%`))?.[1],
  )
  expect(new Set(places)).toEqual(new Set(['0', '1', '2', '3']))
  expect(places[2]).toBe(places[3])
  // At place 2 the drawing of the third icon begins.
  expect(css).toMatch(/mask-size:100% 12600%/)
  expect(svg).toMatch(/viewBox='0 0 24 3024'.*translate\(0 60\)/)
})

test('the build fails for an icon that Lucide does not have', async () => {
  const root = await mkdtemp(join(tmpdir(), 'nocturne-styles-'))
  await mkdir(join(root, 'src/ui'), { recursive: true })
  await symlink(join(import.meta.dir, '../src/ui/look'), join(root, 'src/ui/look'))
  await Bun.write(join(root, 'src/page.tsx'), '<Icon name="i-lucide-no-such-thing" />')
  const target = { root, assets: openAssetFolder(join(root, 'out'), join(root, 'before')), minify: true }
  expect((await rejectionOf(buildStyles(target))).message).toContain(
    'Lucide has no such icons: i-lucide-no-such-thing.',
  )
  await rm(root, { recursive: true })
})

test('the stylesheets use :last-child and similar only on table cells, so that streaming shifts nothing', async () => {
  const look = new Bun.Glob('src/ui/look/*.css')
  const sheets = await Array.fromAsync(look.scan(), (path) => Bun.file(path).text())
  const rules = sheets.join('\n').replaceAll(/\/\*.*?\*\//gs, '')
  const asked = rules.match(/[\w)\]]*:(?:last|nth-last|only)-[\w-]+/g) ?? []
  expect(asked.filter((selector) => !/^t[dh]:/.test(selector))).toEqual([])
})
