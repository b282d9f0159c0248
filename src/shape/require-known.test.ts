import { expect, test } from 'bun:test'
import { browser, operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const { id } = await publishTestItem(services)
const file = new FormData()
file.set('excel', new File(['Name,Text\nZeppelin,She lit it.\n'], 'a.csv'))

/** By call: what would be done. */
const bodies: Record<string, { json?: unknown; body?: FormData }> = {
  'PATCH /api/premium-content': { json: { change: 'remove', ids: [id] } },
  'POST /api/changes': { json: { kind: 'jobs', change: 'cancel', filter: {} } },
  'POST /api/imports/{id}/undo': { json: {} },
  'POST /api/stories/bulk': { json: { stories: [{ title: 'Zeppelin', story: 'She lit it.' }] } },
  'POST /api/premium-content/excel-import': { body: file },
}

type Operation = { parameters?: { name: string }[] }

test('every call that may be tried without a change refuses a parameter that it does not have', async () => {
  const { paths } = await browser(app).json('/api/openapi.json')
  const calls = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
      parameters.some(({ name }) => name === 'dryRun') ? `${method.toUpperCase()} ${path}` : [],
    ),
  )
  expect(calls.toSorted()).toEqual(Object.keys(bodies).toSorted())
  for (const call of calls) {
    const [method = '', path = ''] = call.split(' ')
    const refused = await operator.call(`${path.replace('{id}', id)}?dryrun=true`, {
      method,
      ...bodies[call],
    })
    expect([call, refused.status]).toEqual([call, 422])
    expect((await refused.json()).message).toContain('"dryrun" is no parameter of this call. Use dryRun')
  }
  expect(await (await operator.call('/api/premium-content?q=zeppelin')).json()).toMatchObject({ content: [] })
})
