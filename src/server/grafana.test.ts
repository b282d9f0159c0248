import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findProgram } from '#scripts/debian-package'
import { browser, testApp } from '#src/testing/app'
import board from '../../docs/deploy/grafana.json'

const { app, services } = await testApp()
const promtool = await findProgram({ program: 'promtool', packageName: 'prometheus' }, (line) =>
  console.warn(line),
)

const targets = board.panels.flatMap((panel) => panel.targets ?? [])
const expressions = targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'))

/** Metrics that the board leaves out: the sum of another one's samples by state, and a timestamp. */
const leftOut = ['nocturne_jobs_queued', 'process_start_time_seconds']

test('the Grafana board covers all metrics but two, and refers to no unknown one', async () => {
  const text = await (await browser(app).call('/metrics')).text()
  const ours = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }))
  const series = ours.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  )
  const shown = expressions.flatMap((each) => each.match(/\b(nocturne|process)_\w+/g) ?? [])
  expect(shown.filter((name) => !series.includes(name))).toEqual([])
  const bases = new Set(shown.map((name) => name.replace(/_(bucket|sum|count)$/, '')))
  expect(
    ours
      .map(({ name }) => name)
      .filter((name) => !bases.has(name))
      .sort(),
  ).toEqual(leftOut)
})

test('panels of the Grafana board have unique ids and positions', () => {
  const places = board.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(places.length)
})

test.skipIf(promtool === null)('promtool accepts every expression of the Grafana board', async () => {
  const rules = expressions.map((expr, at) => ({ record: `board:${at}`, expr }))
  const file = join(services.env.dataDir, 'board.yml')
  await Bun.write(file, JSON.stringify({ groups: [{ name: 'board', rules }] }))
  const child = Bun.spawn([promtool ?? '', 'check', 'rules', '--lint=none', file], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complaint] = await Promise.all(
    [child.stdout, child.stderr].map((each) => new Response(each).text()),
  )
  expect(complaint).toBe('')
  expect(said).toContain(`SUCCESS: ${rules.length} rules found`)
  expect(await child.exited).toBe(0)
})
