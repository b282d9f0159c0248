import { expect, test } from 'bun:test'
import { renderToString } from 'react-dom/server'
import { toDataBlock } from '#src/ui/data-block'
import { useElementId } from '#src/ui/element-id'
import { Island } from '#src/ui/island'

function Probe({ label }: { label: string }) {
  return <b id={useElementId()}>{label}</b>
}

const hostile = '</script><script>alert(1)</script><!--\u2028\u2029'

test('island props cannot close their data block, and are parsed unchanged', () => {
  const block = toDataBlock({ label: hostile })
  expect(block).not.toMatch(/[<\u2028\u2029]/)
  expect(JSON.parse(block)).toEqual({ label: hostile })
})

test('an island has one data block with its props, and the moment of its hydration', () => {
  const html = renderToString(<Island name="probe" of={Probe} props={{ label: hostile }} when="visible" />)
  expect(html).toStartWith('<nocturne-island data-name="probe" data-when="visible"')
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).not.toContain('<!--')
})

test('ids in an island do not depend on the page around it, so that hydration matches', () => {
  const island = <Island name="probe" of={Probe} props={{ label: 'x' }} id="probe-7" />
  const rootOf = (html: string) => html.match(/<nocturne-root>.*<\/nocturne-root>/)?.[0]
  const within = renderToString(
    <main>
      <Probe label="first" />
      {island}
    </main>,
  )
  expect(rootOf(within)).toBe(rootOf(renderToString(island)) ?? '')
  expect(rootOf(within)).toContain('probe-7-')
})
