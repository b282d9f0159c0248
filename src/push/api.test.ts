import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { jobs, pushDevices } from '#db/schema'
import { suspendMember } from '#src/member/console/suspend'
import { deleteMember } from '#src/member/data/delete'
import { sha256 } from '#src/security/keyed-hash'
import { type Browser, browser, memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { until } from '#src/testing/until'
import { addDevice } from './add-device'
import { pushKind, queuePush } from './queue'
import { devicesMax, newsWords, trialWords } from './rules'
import type { PushState } from './schema'
import { startPushing } from './start'
import { openPushService, sendDuePushes, testBrowserKeys, zoneWhere } from './testing'

const publicKey = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'
const service = openPushService(publicKey)
afterAll(service.stop)
const unreachable = 'http://127.0.0.1:9'
const { app, services } = await testApp({
  ALLOW_PRIVATE_PUSH_URLS: `${service.origin}, ${unreachable}`,
  CONTACT_EMAIL: 'hello@example.com',
})
const { db } = services
const password = 'lanterns on the water'
const noon = zoneWhere(12)
let people = 0

beforeEach(async () => {
  service.received.length = 0
  service.answerWith(() => new Response(null, { status: 201 }))
  await db.delete(jobs)
  await db.delete(pushDevices)
})

async function newMember() {
  people += 1
  const email = `push${people}@example.com`
  const who = await memberBrowser(app, email, `10.40.0.${people}`)
  const { id } = who
  return { who, id, email }
}

/** Signs in to the same account from another browser. */
async function elsewhere(email: string): Promise<Browser> {
  people += 1
  const who = browser(app, `10.41.0.${people}`)
  await who.call('/api/auth/login', { json: { email, password } })
  return who
}

let endpoints = 0
/** Creates the subscription of a browser. */
function newSubscription(timeZone = noon, origin = service.origin) {
  endpoints += 1
  const { keys, read } = testBrowserKeys()
  return { read, json: { endpoint: `${origin}/push/${endpoints}`, keys, timeZone } }
}

const turnOn = async (who: Browser, { json } = newSubscription()): Promise<PushState> => {
  const answer = await who.call('/api/user/push', { json })
  expect(answer.status).toBe(201)
  return answer.json()
}
const stateOf = (who: Browser): Promise<PushState> => who.json('/api/user/push')
const statesOf = () => db.select({ state: jobs.state }).from(jobs).where(eq(jobs.kind, pushKind))
const tryIt = (who: Browser) => who.call('/api/user/push/test', { json: {} })

describe('push subscription API', () => {
  test('returns 401 to visitors and operators', async () => {
    const operator = await operatorBrowser(app)
    for (const who of [browser(app), operator])
      for (const [path, call] of [
        ['/api/user/push', {}],
        ['/api/user/push', { json: newSubscription().json }],
        ['/api/user/push/test', { json: {} }],
        ['/api/user/push/019c2f6e-5b7a-7c31-9a4e-0d2f6b8c1e57', { method: 'DELETE', json: {} }],
      ] as const)
        expect((await who.call(path, call)).status).toBe(401)
  })

  test('turns notifications on and off for a browser; they are off by default', async () => {
    const { who } = await newMember()
    expect(await stateOf(who)).toEqual({ publicKey, isOn: false, devices: [] })
    const { isOn, devices } = await turnOn(who)
    expect(isOn).toBe(true)
    expect(devices).toMatchObject([{ isCurrent: true, lastSuccessAt: null, device: 'Unknown device' }])
    expect((await who.json('/api/user/settings')).pushNotifications).toBe(true)
    const off = await who.json(`/api/user/push/${devices[0]?.id}`, { method: 'DELETE', json: {} })
    expect(off).toEqual({ publicKey, isOn: false, devices: [] })
  })

  test('neither shows nor removes another member’s browsers', async () => {
    const [ana, ben] = [await newMember(), await newMember()]
    const [device] = (await turnOn(ana.who)).devices
    expect((await stateOf(ben.who)).devices).toEqual([])
    expect((await ben.who.call(`/api/user/push/${device?.id}`, { method: 'DELETE', json: {} })).status).toBe(
      404,
    )
    expect((await stateOf(ana.who)).devices).toHaveLength(1)
    expect((await tryIt(ben.who)).status).toBe(409)
  })

  test('removes a browser by a form without JavaScript', async () => {
    const { who } = await newMember()
    const [device] = (await turnOn(who)).devices
    const answer = await who.call('/settings/remove-device', { form: { id: device?.id ?? '' } })
    expect(answer.status).toBe(303)
    expect((await stateOf(who)).devices).toEqual([])
  })

  test('is replaced by a note in Settings when OFFLINE is off', async () => {
    const { app: off } = await testApp({ OFFLINE: 'off' })
    const who = await memberBrowser(off, 'off@example.com')
    expect(await (await who.call('/settings')).text()).toContain(
      'Notifications are switched off on this site.',
    )
  })

  test('keeps at most ten browsers of a member and drops the oldest', async () => {
    const { who, email } = await newMember()
    const [first] = (await turnOn(who)).devices
    for (let more = 0; more < devicesMax; more += 1) await turnOn(await elsewhere(email))
    const { devices } = await stateOf(who)
    expect(devices).toHaveLength(devicesMax)
    expect(devices.map(({ id }) => id)).not.toContain(first?.id ?? '')
  })
})

describe('push endpoint validation', () => {
  test.each([
    'http://127.0.0.1:1/push',
    'https://127.0.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/push',
    'https://10.0.0.8/push',
    'https://localhost/push',
    'https://metadata.internal/push',
    'http://push.example.com/push',
    'https://ana:secret@push.example.com/push',
    'file:///etc/passwd',
    'data:text/plain,x',
    'not an address',
    '',
  ])('rejects the endpoint %j', async (endpoint) => {
    const { who } = await newMember()
    const { json } = newSubscription()
    const answer = await who.call('/api/user/push', { json: { ...json, endpoint } })
    expect(answer.status).toBe(422)
    expect((await answer.json()).fields[0].path).toBe('endpoint')
    expect((await stateOf(who)).devices).toEqual([])
  })

  test('rejects a key that is not a point on the curve', async () => {
    const { who } = await newMember()
    const { json } = newSubscription()
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
    const answer = await who.call('/api/user/push', { json: { ...json, keys: { ...json.keys, p256dh } } })
    expect(answer.status).toBe(422)
    expect((await answer.json()).fields[0].path).toBe('keys.p256dh')
  })
})

describe('push subscription of a browser', () => {
  const left = async (id: string) =>
    (await db.select().from(pushDevices).where(eq(pushDevices.userId, id))).length

  test('ends when the browser signs out', async () => {
    const { who, id } = await newMember()
    await turnOn(who)
    await who.call('/api/auth/logout', { json: {} })
    expect(await left(id)).toBe(0)
  })

  test('ends when another browser signs it out, which keeps its own', async () => {
    const { who, id, email } = await newMember()
    await turnOn(await elsewhere(email))
    await turnOn(who)
    await who.call('/api/user/sessions', { method: 'DELETE', json: {} })
    expect((await stateOf(who)).devices).toMatchObject([{ isCurrent: true }])
    expect(await left(id)).toBe(1)
  })

  test('survives in the browser that changes the password or signs in again', async () => {
    const { who, email } = await newMember()
    await turnOn(await elsewhere(email))
    await turnOn(who)
    const json = { currentPassword: password, newPassword: 'a quieter evening' }
    expect((await who.call('/api/user/password', { json })).status).toBe(200)
    expect((await stateOf(who)).devices).toMatchObject([{ isCurrent: true }])
    await who.call('/api/auth/login', { json: { email, password: 'a quieter evening' } })
    expect((await stateOf(who)).devices).toMatchObject([{ isCurrent: true }])
  })

  test('ends when another member signs in on the browser or subscribes with it', async () => {
    const [ana, ben] = [await newMember(), await newMember()]
    const subscription = newSubscription()
    await turnOn(ana.who, subscription)
    await turnOn(ben.who, subscription)
    expect([await left(ana.id), await left(ben.id)]).toEqual([0, 1])
    await ben.who.call('/api/auth/login', { json: { email: ana.email, password } })
    expect([await left(ana.id), await left(ben.id)]).toEqual([0, 0])
  })

  test('is refused for a session that ended meanwhile', async () => {
    const { who, id } = await newMember()
    const { json } = newSubscription()
    const sid = sha256(who.jar.get('nocturne_session') ?? '')
    await who.call('/api/auth/logout', { json: {} })
    const late = addDevice(services, { userId: id, sid, device: 'Firefox on Linux' }, json)
    expect(await rejectionOf(late)).toMatchObject({ code: 'sign_in_required' })
    expect(await left(id)).toBe(0)
  })

  test('ends when the member is suspended or deleted', async () => {
    const [ana, ben] = [await newMember(), await newMember()]
    await turnOn(ana.who)
    await turnOn(ben.who)
    await suspendMember(db, ana.id, 'A test', 'Ada')
    await deleteMember(services, ben.id, null)
    expect([await left(ana.id), await left(ben.id)]).toEqual([0, 0])
  })
})

test('push endpoints and keys are not readable in the database', async () => {
  const { who } = await newMember()
  const { json } = newSubscription()
  await turnOn(who, { json, read: testBrowserKeys().read })
  const [row] = await db.execute<{ row: string }>(sql`select push_devices::text as row from push_devices`)
  for (const secret of [json.endpoint, json.keys.p256dh, json.keys.auth])
    expect(row?.row).not.toContain(secret)
})

describe('test notification', () => {
  test('is sent at once with a neutral text, even in quiet hours', async () => {
    const { who } = await newMember()
    const subscription = newSubscription(zoneWhere(3))
    await turnOn(who, subscription)
    const answer = await tryIt(who)
    expect([answer.status, (await answer.json()).message]).toEqual([200, 'Sent. It appears in a moment.'])
    const [push] = service.received
    expect(push?.headers.get('urgency')).toBe('high')
    expect(subscription.read(push?.body ?? new Uint8Array())).toEqual({
      title: 'Nocturne',
      body: trialWords,
      path: '/settings',
      tag: 'trial',
    })
    expect((await stateOf(who)).devices[0]?.lastSuccessAt).not.toBeNull()
  })

  test('says what to do when the browser has no subscription or an expired one', async () => {
    const { who } = await newMember()
    expect((await tryIt(who)).status).toBe(409)
    await turnOn(who)
    service.answerWith(() => new Response(null, { status: 410 }))
    const gone = await tryIt(who)
    expect([gone.status, (await gone.json()).message]).toEqual([
      409,
      'This browser no longer accepts notifications. Turn them on again.',
    ])
    expect((await stateOf(who)).devices).toEqual([])
  })

  test('reports the push service’s answer and is rate-limited', async () => {
    const { who } = await newMember()
    await turnOn(who)
    service.answerWith(() => new Response(null, { status: 429, headers: { 'retry-after': '90' } }))
    const later = await tryIt(who)
    expect([later.status, later.headers.get('retry-after')]).toEqual([429, '90'])
    service.answerWith(() => new Response(null, { status: 500 }))
    expect((await tryIt(who)).status).toBe(409)
    service.answerWith(() => new Response(null, { status: 201 }))
    const statuses: number[] = []
    for (let more = 0; more < 9; more += 1) statuses.push((await tryIt(who)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
  })
})

describe('push notification', () => {
  const news = { topic: 'narration', path: '/my-content' } as const

  test('is encrypted for its browser, signed with VAPID, and neutral in its text', async () => {
    const { who, id } = await newMember()
    const subscription = newSubscription()
    await turnOn(who, subscription)
    await queuePush(db, id, news)
    expect(await sendDuePushes(services)).toEqual(['device'])
    const [push, ...others] = service.received
    expect(others).toEqual([])
    const body = push?.body ?? new Uint8Array()
    expect(subscription.read(body)).toEqual({
      title: 'Nocturne',
      body: newsWords,
      path: '/my-content',
      tag: 'narration',
    })
    expect(() => newSubscription().read(body)).toThrow()
    expect(Object.fromEntries(push?.headers ?? [])).toMatchObject({
      ttl: '259200',
      urgency: 'normal',
      topic: 'narration',
      'content-type': 'application/octet-stream',
    })
  })

  test('has the same length whatever it is about', async () => {
    const { who, id } = await newMember()
    await turnOn(who)
    await queuePush(db, id, news)
    await queuePush(db, id, { topic: 'challenge', path: `/challenge/${id}` })
    await who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
    await sendDuePushes(services)
    await queuePush(db, id, news)
    await sendDuePushes(services)
    expect(new Set(service.received.map(({ body }) => body.length)).size).toBe(1)
    expect(service.received).toHaveLength(3)
  })

  test('omits the site’s name in discreet mode', async () => {
    const { who, id } = await newMember()
    const subscription = newSubscription()
    await turnOn(who, subscription)
    await who.call('/api/user/settings', { method: 'PATCH', json: { discreetMode: true } })
    await queuePush(db, id, news)
    await sendDuePushes(services)
    expect(subscription.read(service.received[0]?.body ?? new Uint8Array())).toMatchObject({
      title: 'Library',
      body: newsWords,
    })
  })

  test('goes to every browser of members who want notifications, and to nobody else', async () => {
    const [ana, ben, carl] = [await newMember(), await newMember(), await newMember()]
    await turnOn(ana.who)
    await turnOn(await elsewhere(ana.email))
    await turnOn(ben.who)
    await ben.who.call('/api/user/settings', { method: 'PATCH', json: { pushNotifications: false } })
    for (const { id } of [ana, ben, carl]) await queuePush(db, id, news)
    expect(await sendDuePushes(services)).toEqual(['device', 'device'])
    // A queued notification is not sent to a member who has turned notifications off meanwhile.
    await queuePush(db, ana.id, news)
    await ana.who.call('/api/user/settings', { method: 'PATCH', json: { pushNotifications: false } })
    expect(await sendDuePushes(services)).toEqual(['nobody', 'nobody'])
    expect(service.received).toHaveLength(2)
  })

  test('is not queued twice for one topic', async () => {
    const { who, id } = await newMember()
    await turnOn(who)
    for (let often = 0; often < 3; often += 1) await queuePush(db, id, news)
    expect(await sendDuePushes(services)).toEqual(['device'])
  })

  test.each([404, 410])('removes the browser when the push service answers %p', async (status) => {
    const { who, id } = await newMember()
    await turnOn(who)
    service.answerWith(() => new Response(null, { status }))
    await queuePush(db, id, news)
    expect(await sendDuePushes(services)).toEqual(['nobody'])
    expect((await stateOf(who)).devices).toEqual([])
  })

  test.each([
    [429, 'The push service asks for patience (429).', 'queued'],
    [500, 'The push service does not work at the moment (500).', 'queued'],
    [503, 'The push service does not work at the moment (503).', 'queued'],
    [413, 'The push service says that the message is too long (413).', 'failed'],
    [400, 'The push service refused the message (400).', 'failed'],
    [403, 'The push service refused the message (403).', 'failed'],
    [302, 'This is not the address of a push service.', 'failed'],
  ])(
    'records the reason when the push service answers %p, and retries or fails',
    async (status, words, state) => {
      const { who, id } = await newMember()
      await turnOn(who)
      service.answerWith(() => new Response(null, { status, headers: { location: '/elsewhere' } }))
      await queuePush(db, id, news)
      expect(await sendDuePushes(services)).toEqual([words])
      expect(await statesOf()).toMatchObject([{ state }])
      expect((await stateOf(who)).devices).toHaveLength(1)
      expect(service.received).toHaveLength(1)
    },
  )

  test.each([
    ['does not answer', service.origin],
    ['cannot be reached', unreachable],
  ])('is queued again when the push service %s', async (_, origin) => {
    const { who, id } = await newMember()
    await turnOn(who, newSubscription(noon, origin))
    await queuePush(db, id, news)
    service.answerWith(() => new Promise(() => {}))
    expect(await sendDuePushes(services, { timeoutMs: 100 })).toEqual(['The push service does not answer.'])
    expect(await statesOf()).toEqual([{ state: 'queued' }])
  })

  test('is sent by the worker, which waits as long as Retry-After asks', async () => {
    const { who, id } = await newMember()
    await turnOn(who)
    const jobOf = async () => (await db.select().from(jobs).where(eq(jobs.kind, pushKind)))[0]
    const later = new Date(Date.now() + 7_200_000).toUTCString()
    service.answerWith(() => new Response(null, { status: 429, headers: { 'retry-after': later } }))
    const worker = startPushing(services)
    try {
      await queuePush(db, id, news)
      await until(async () => (await jobOf())?.error !== null)
      const waiting = await jobOf()
      expect(waiting).toMatchObject({ state: 'queued', attempts: 1 })
      const seconds = ((waiting?.runAfter.getTime() ?? 0) - Date.now()) / 1_000
      expect(seconds).toBeGreaterThan(7_100)
      expect(seconds).toBeLessThan(7_210)
      service.answerWith(() => new Response(null, { status: 201 }))
      await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.kind, pushKind))
      await until(async () => (await jobOf())?.state === 'done')
      expect((await jobOf())?.result).toEqual({ sentTo: 'device' })
    } finally {
      await worker.stop()
    }
  })

  test('is never sent to a private address', async () => {
    const { who, id } = await newMember()
    await turnOn(who)
    await queuePush(db, id, news)
    const strict = { ...services, env: { ...services.env, allowPrivatePushUrls: [] } }
    expect(await sendDuePushes(strict)).toEqual(['This is not the address of a push service.'])
    expect(service.received).toEqual([])
  })

  test('waits for the end of the browser’s night, except the daily one, which is dropped', async () => {
    const { who, id } = await newMember()
    await turnOn(who, newSubscription('Europe/Berlin'))
    await queuePush(db, id, news)
    await queuePush(db, id, { topic: 'challenge', path: '/challenges' })
    const at = (date: string) => ({ now: () => new Date(date) })
    expect(await sendDuePushes(services, at('2026-11-20T21:30:00Z'))).toEqual([
      'Not before 34200 seconds from now.',
      'nobody',
    ])
    const [waiting] = await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.kind, pushKind), eq(jobs.state, 'queued')))
    expect(waiting).toMatchObject({ attempts: 0, error: null })
    expect(await sendDuePushes(services, at('2026-11-21T06:59:59Z'))).toEqual([
      'Not before 1 seconds from now.',
    ])
    expect(await sendDuePushes(services, at('2026-11-21T07:00:00Z'))).toEqual(['device'])
  })
})
