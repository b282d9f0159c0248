import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { openNotice, renewSubscription, showNotice } from '#islands/offline/notice'
import type { WorkerScope } from '#islands/offline/worker-scope'
import { newsWords } from '#src/push/rules'

const keys = { p256dh: 'a point', auth: 'a secret' }
const origin = 'https://stories.example.com'
type Shown = { title: string; body?: string; data?: unknown }

/** A stub of the browser around the worker, as far as notifications need it, with these pages open. */
function browserWith(...open: string[]) {
  const [opened, focused, shown]: [string[], string[], Shown[]] = [[], [], []]
  const scope = {
    location: { origin },
    clients: {
      matchAll: async () => open.map((url) => ({ url, focus: async () => focused.push(url) })),
      openWindow: async (url: string) => opened.push(url),
    },
    registration: {
      showNotification: async (title: string, options: object) => void shown.push({ title, ...options }),
      pushManager: {
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => ({
          toJSON: () => ({ endpoint: `https://push.example.com/${applicationServerKey}`, keys }),
        }),
      },
    },
  } as Partial<Record<keyof WorkerScope, unknown>> as WorkerScope
  return { scope, opened, focused, shown }
}

const press = (scope: WorkerScope, data: unknown) => openNotice(scope, { data, close: () => {} })

describe('click on a notification', () => {
  test('opens its page in a new window when only other pages are open', async () => {
    const { scope, opened, focused } = browserWith(`${origin}/stories`)
    await press(scope, '/my-content')
    expect([opened, focused]).toEqual([[`${origin}/my-content`], []])
  })

  test('focuses its page when that is already open', async () => {
    const { scope, opened, focused } = browserWith(`${origin}/stories`, `${origin}/my-content#top`)
    await press(scope, '/my-content')
    expect([opened, focused]).toEqual([[], [`${origin}/my-content#top`]])
  })

  test.each([
    '//evil.example/x',
    'https://evil.example/x',
    '\\\\evil.example/x',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://[broken',
    { path: '/' },
  ])('stays on this site for the address %j', async (data) => {
    const { scope, opened } = browserWith()
    await press(scope, data)
    expect(opened.map((url) => new URL(url).origin)).toEqual([origin])
  })
})

test.each([
  ['no data', null],
  ['data that is not JSON', { json: () => JSON.parse('not ours') }],
  ['null as JSON', { json: () => null }],
])('a push message with %s is shown with the default text', async (_, data) => {
  const { scope, shown } = browserWith()
  await showNotice(scope, data)
  expect(shown).toMatchObject([{ title: 'Library', body: newsWords }])
})

describe('push subscription that the browser has expired', () => {
  let restore = () => {}
  afterEach(() => restore())
  /** Stubs the server: it answers every request with `answer`. Returns the requests that it received. */
  function serverWith(answer: Response) {
    const requests = spyOn(globalThis, 'fetch')
    restore = () => requests.mockRestore()
    requests.mockImplementation(Object.assign(async () => answer.clone(), { preconnect: () => {} }))
    return requests.mock.calls
  }

  test('is renewed with the server’s key and sent to the server', async () => {
    const calls = serverWith(Response.json({ publicKey: 'key' }))
    await renewSubscription(browserWith().scope)
    const [, [path, sent] = []] = calls
    expect([path, sent?.method]).toEqual(['/api/user/push', 'POST'])
    expect(JSON.parse(String(sent?.body))).toEqual({
      endpoint: 'https://push.example.com/key',
      keys,
      timeZone: expect.any(String),
    })
  })

  test('is not renewed when nobody is signed in', async () => {
    const calls = serverWith(new Response(null, { status: 401 }))
    await renewSubscription(browserWith().scope)
    expect(calls).toHaveLength(1)
  })
})
