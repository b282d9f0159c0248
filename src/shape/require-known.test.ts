import { expect, test } from 'bun:test'
import { routes } from '#src/server/routes'
import { operatorBrowser, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const operator = await operatorBrowser(app)
const { id } = await publishTestItem(services)

const writes = Object.entries(routes).flatMap(([name, { access, kind }]) =>
  access === 'operator' && kind === 'api' && !name.startsWith('GET ') ? [name] : [],
)

test.each(writes)('%s rejects an unknown query parameter', async (name) => {
  const [method = '', path = ''] = name.split(' ')
  const refused = await operator.call(`${path.replace(/:\w+/g, id)}?dryrun=true`, { method })
  expect(refused.status).toBe(422)
  expect((await refused.json()).message).toStartWith('"dryrun" is not a parameter of this call. ')
})

test('the error lists the parameters that the call accepts', async () => {
  const messageOf = async (path: string, method: string) =>
    (await (await operator.call(`${path}?dryrun=true`, { method })).json()).message
  expect(await messageOf(`/api/imports/${id}/undo`, 'POST')).toEndWith('Use dryRun, edited, plan.')
  expect(await messageOf(`/api/premium-content/${id}`, 'DELETE')).toEndWith('It has none.')
})
