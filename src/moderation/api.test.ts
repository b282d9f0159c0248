import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Transaction } from '#db/db'
import { lock } from '#db/locks'
import { auditLog, reports, stories, throttles, userSettings } from '#db/schema'
import { commitMeanwhile } from '#src/library/testing'
import { takeMails } from '#src/mail/testing'
import { toneMp3 } from '#src/narration/testing'
import { tidyUp } from '#src/server/housekeeping'
import { publish } from '#src/story/publish'
import {
  type Browser,
  browser,
  memberBrowser,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { rejectionOf } from '#src/testing/rejection'
import { decideReport } from './decide'
import { reopenReport } from './reopen'
import { reportTypes } from './rules'
import type { ContentFlag } from './schema'

const { app, services } = await testApp({ CONTACT_EMAIL: 'people@example.com' })
const { db } = services
const ana = await memberBrowser(app, 'ana@example.com')
const ben = await memberBrowser(app, 'ben@example.com', '10.20.0.2')
const operator = await operatorBrowser(app)
let addresses = 0
const stranger = () => {
  addresses += 1
  return browser(app, `10.20.1.${addresses}`)
}

beforeEach(async () => void (await db.delete(throttles)))
afterEach(async () => {
  await db.delete(reports)
  await takeMails(services)
})

const report = (who: Browser, storyId: string, more: object = {}) =>
  who.call(`/api/stories/${storyId}/flags`, {
    json: { flagType: 'not_as_described', flagReason: 'There is an argument in the middle.', ...more },
  })
const reportIdOf = async (who: Browser, storyId: string, more: object = {}): Promise<string> => {
  const response = await report(who, storyId, more)
  expect(response.status).toBe(201)
  return (await response.json()).id
}
const listed = (query = ''): Promise<ContentFlag[]> => operator.json(`/api/content-flags${query}`)
const decide = (id: string, moderatorAction: string, moderatorNotes?: string, who = operator) =>
  who.call(`/api/content-flags/${id}`, { method: 'PATCH', json: { moderatorAction, moderatorNotes } })
const decided = async (id: string, action: string, notes?: string): Promise<ContentFlag> => {
  const response = await decide(id, action, notes)
  expect(response.status).toBe(200)
  return response.json()
}

const statusOf = async (id: string) =>
  (await db.select({ status: stories.status }).from(stories).where(eq(stories.id, id)))[0]?.status

/** Creates an item that Ana has shared. */
async function anasItem(title: string) {
  const item = await publishTestItem(services, { title })
  await db
    .update(stories)
    .set({ source: 'user_generated', userId: ana.id, isShared: true })
    .where(eq(stories.id, item.id))
  return item
}

describe('reporting an item', () => {
  test('is open to visitors, members and operators', async () => {
    const { id } = await publishTestItem(services)
    for (const who of [stranger(), ben, operator]) {
      const response = await report(who, id)
      expect(response.status).toBe(201)
      expect(await response.json()).toEqual({
        id: expect.any(String),
        flagType: 'not_as_described',
        flagReason: 'There is an argument in the middle.',
        createdAt: expect.stringMatching(/Z$/),
        message: 'Thank you. A person reads this.',
      })
    }
    expect((await listed()).map(({ reporter }) => reporter)).toEqual(['visitor', 'member', 'visitor'])
  })

  test('returns 404 for an item that is unknown or not visible to the caller', async () => {
    const mine = await anasItem('Mine alone')
    await db.update(stories).set({ isShared: false }).where(eq(stories.id, mine.id))
    const draft = await publishTestItem(services, { title: 'A draft', status: 'draft' })
    for (const id of [mine.id, draft.id, Bun.randomUUIDv7(), 'nonsense'])
      expect((await report(stranger(), id)).status).toBe(404)
    expect(await listed()).toEqual([])
  })

  test('accepts exactly the listed types, and “other” only with words', async () => {
    const { id } = await publishTestItem(services)
    for (const flagType of reportTypes) expect((await report(stranger(), id, { flagType })).status).toBe(201)
    for (const wrong of [
      { flagType: 'boring' },
      { flagType: '' },
      { flagType: 'other', flagReason: ' \n ' },
      { flagReason: 'x'.repeat(1_001) },
      { email: 'not an address' },
    ]) {
      const response = await report(stranger(), id, wrong)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ success: false, code: 'invalid', fields: [{}] })
    }
    expect((await report(stranger(), id, { flagReason: undefined })).status).toBe(201)
  })

  test('is rate-limited per address: three on an item a day, ten an hour', async () => {
    const items = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map((title) => publishTestItem(services, { title })),
    )
    const one = stranger()
    const [first] = items
    for (let time = 0; time < 4; time += 1) {
      const response = await report(one, first?.id ?? '')
      expect(response.status).toBe(time < 3 ? 201 : 429)
      if (time === 3) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const other = stranger()
    const statuses: number[] = []
    for (let time = 0; time < 12; time += 1)
      statuses.push((await report(other, items[time % 4]?.id ?? '')).status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1)
    expect((await report(stranger(), first?.id ?? '')).status).toBe(201)
  })

  test('does not count invalid reports towards the limit', async () => {
    const { id } = await publishTestItem(services)
    const one = stranger()
    const wordless = { flagType: 'other', flagReason: '  ' }
    for (let time = 0; time < 4; time += 1) expect((await report(one, id, wordless)).status).toBe(422)
    expect((await report(one, id)).status).toBe(201)
  })
})

describe('report list', () => {
  test('returns 401 to visitors and members, and so does deciding', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(ben, id, { flagReason: 'What Ben wrote' })
    for (const who of [stranger(), ana, ben]) {
      for (const response of [
        await who.call('/api/content-flags'),
        await decide(reportId, 'remove', '', who),
      ]) {
        expect(response.status).toBe(401)
        expect(await response.text()).not.toContain('What Ben wrote')
      }
    }
    expect((await listed()).map(({ moderatorAction }) => moderatorAction)).toEqual([null])
  })

  test('shows the details of each report but never the reporter’s identity', async () => {
    const { id } = await publishTestItem(services, { title: 'The Long Table' })
    await reportIdOf(stranger(), id, { email: 'carl@example.com' })
    await reportIdOf(ben, id)
    const [byBen, byCarl] = await listed()
    expect(byBen).toMatchObject({
      storyId: id,
      flagType: 'not_as_described',
      flagReason: 'There is an argument in the middle.',
      moderatorAction: null,
      resolvedAt: null,
      reporter: 'member',
      isReporterTold: true,
      openFlags: 2,
      item: { title: 'The Long Table', status: 'published', source: 'pre_uploaded', type: 'story' },
    })
    expect(byCarl).toMatchObject({ reporter: 'visitor', isReporterTold: true })
    expect(JSON.stringify([byBen, byCarl])).not.toMatch(/carl@|ben@/)
  })

  test('pages through open reports, newest first, and lists decided ones on request', async () => {
    const { id } = await publishTestItem(services)
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) ids.unshift(await reportIdOf(stranger(), id))
    await decided(ids[4] ?? '', 'approve')
    const seen: string[] = []
    let path = '/api/content-flags?limit=3'
    while (path) {
      const response = await operator.call(path)
      expect(response.headers.get('x-total-count')).toBe('4')
      seen.push(...((await response.json()) as ContentFlag[]).map((each) => each.id))
      path = response.headers.get('link')?.match(/<http:\/\/localhost:3000(.*)>/)?.[1] ?? ''
    }
    expect(seen).toEqual(ids.slice(0, 4))
    expect((await listed('?state=decided')).map((each) => each.id)).toEqual(ids.slice(4))
    expect(await listed('?state=all')).toHaveLength(5)
    expect((await operator.call('/api/content-flags?state=odd')).status).toBe(422)
    expect((await operator.call('/api/content-flags?cursor=odd')).status).toBe(422)
  })
})

describe('removing a reported item', () => {
  test('hides it from every list, page, search and the audio at once; restoring shows it again', async () => {
    const { id, slug } = await publishTestItem(services, { title: 'Zeppelin at dusk' })
    const form = new FormData()
    form.set('audioFile', new File([await toneMp3(1)], 'dusk.mp3'))
    expect((await operator.call(`/api/premium-content/${id}/upload-audio`, { body: form })).status).toBe(200)
    await ana.call('/api/content-favorites', { json: { contentKey: `pre_uploaded:story:${id}` } })
    const lists = [
      '/',
      '/stories',
      '/stories?q=zeppelin',
      '/landing',
      '/sitemap.xml',
      '/api/content',
      '/api/content?q=zeppelin',
      '/api/stories',
    ]
    const own = ['/my-content', '/api/user/content', '/api/content-favorites']
    const pages = [`/story/${slug}`, `/api/content/${id}`]
    const audio = `/api/premium-audio/${id}/female`
    const visitor = stranger()
    const seen = async () => ({
      lists: await Promise.all(
        lists.map(async (path) => (await (await visitor.call(path)).text()).includes('at-dusk')),
      ),
      own: await Promise.all(own.map(async (path) => (await (await ana.call(path)).text()).includes(id))),
      pages: await Promise.all(pages.map(async (path) => (await ana.call(path)).status)),
      visits: await Promise.all(pages.map(async (path) => (await visitor.call(path)).status)),
      audio: (await ana.call(audio)).status,
      head: (await ana.call(audio, { method: 'HEAD' })).status,
      toOperator: (await operator.call(audio)).status,
    })
    const before = await seen()
    expect(before).toMatchObject({
      pages: [200, 200],
      visits: [200, 200],
      audio: 200,
      own: [true, true, true],
    })
    expect(before.lists).toEqual(lists.map(() => true))

    const reportId = await reportIdOf(stranger(), id)
    const removed = await decided(reportId, 'remove', 'It is not what it says.')
    expect(removed).toMatchObject({
      moderatorAction: 'remove',
      moderatorNotes: 'It is not what it says.',
      moderator: 'Ada',
      resolvedAt: expect.stringMatching(/Z$/),
      item: { status: 'removed' },
    })
    expect(await seen()).toEqual({
      lists: lists.map(() => false),
      own: [false, false, false],
      pages: [404, 404],
      visits: [404, 404],
      audio: 404,
      head: 404,
      toOperator: 200,
    })
    expect(await db.$count(stories, eq(stories.id, id))).toBe(1)

    expect(await decided(reportId, 'approve', 'It was a misunderstanding.')).toMatchObject({
      moderatorAction: 'approve',
      item: { status: 'published' },
    })
    expect(await seen()).toEqual(before)
  })

  test('decides every open report on it; restoring decides the reports it was removed for', async () => {
    const { id } = await publishTestItem(services)
    const stood = await reportIdOf(stranger(), id)
    await decided(stood, 'approve')
    const [one, two] = [await reportIdOf(stranger(), id), await reportIdOf(stranger(), id)]
    await decided(one, 'remove')
    const actions = async () =>
      Object.fromEntries((await listed('?state=all')).map((each) => [each.id, each.moderatorAction]))
    expect(await actions()).toEqual({ [stood]: 'approve', [one]: 'remove', [two]: 'remove' })
    await decided(two, 'approve')
    expect(await actions()).toEqual({ [stood]: 'approve', [one]: 'approve', [two]: 'approve' })
    expect(await listed()).toEqual([])
  })

  test('cannot be reversed while another item uses its title', async () => {
    const { id } = await publishTestItem(services, { title: 'The Dinghy' })
    const reportId = await reportIdOf(ana, id)
    await decided(reportId, 'remove')
    const again = await publishTestItem(services, { title: 'The dinghy!' })
    const refused = await decide(reportId, 'approve')
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'already_exists'])
    await operator.call(`/api/premium-content/${again.id}`, { method: 'DELETE', json: {} })
    await decided(reportId, 'approve')
  })

  test('cannot be reversed when a running import adds its title', async () => {
    const { id, title } = await publishTestItem(services, { title: 'The Skiff' })
    const reportId = await reportIdOf(ana, id)
    await decided(reportId, 'remove')
    const bringsBack: readonly (() => Promise<unknown>)[] = [
      () => decideReport(services, reportId, { moderatorAction: 'approve' }, 'Ada'),
      () => reopenReport(services, reportId, 'Ada'),
    ]
    for (const bringBack of bringsBack) {
      const importSame = async (tx: Transaction) => {
        await lock(tx, 'imports')
        await publish(tx, { title, content: 'She rowed.', categories: [] })
      }
      const refusal = await rejectionOf(commitMeanwhile(db, importSame, bringBack))
      expect(refusal).toMatchObject({ code: 'already_exists' })
      await db.delete(stories).where(and(eq(stories.title, title), ne(stories.id, id)))
    }
  })

  test('can be reversed: a held item becomes held again, one removed in the library is restored', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(stranger(), id)
    await db.update(stories).set({ status: 'held', heldFrom: 'published' }).where(eq(stories.id, id))
    await decided(reportId, 'remove')
    expect((await decided(reportId, 'approve')).item.status).toBe('held')
    await db.update(stories).set({ status: 'published', heldFrom: null }).where(eq(stories.id, id))
    await operator.call(`/api/premium-content/${id}`, { method: 'DELETE', json: {} })
    expect((await decided(reportId, 'approve')).item.status).toBe('published')
  })
})

describe('deciding a report', () => {
  test('with “review” records the operator and leaves the report open', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(stranger(), id)
    expect(await decided(reportId, 'review')).toMatchObject({
      moderatorAction: 'review',
      moderator: 'Ada',
      resolvedAt: null,
    })
    expect(await listed()).toHaveLength(1)
    expect(await takeMails(services)).toEqual([])
  })

  test('returns 409 for a repeated decision; of two concurrent ones only one succeeds', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(stranger(), id)
    const both = await Promise.all([decide(reportId, 'remove'), decide(reportId, 'remove')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await decide(reportId, 'review')).status).toBe(409)
    expect((await decide(reportId, 'approve')).status).toBe(200)
    expect((await decide(reportId, 'approve')).status).toBe(409)
    expect((await decide(reportId, 'remove')).status).toBe(200)
  })

  test('returns 409 when another operator decided it or changed the item since it was read', async () => {
    const { id } = await publishTestItem(services)
    const [first, second] = [await reportIdOf(stranger(), id), await reportIdOf(stranger(), id)]
    const readOf = async (reportId: string) => {
      const { resolvedAt, item } = (await listed('?state=all')).find((each) => each.id === reportId) ?? {}
      return { resolvedAt, status: item?.status }
    }
    const decideAsRead = (seen: object, moderatorAction = 'approve') =>
      operator.call(`/api/content-flags/${second}`, { method: 'PATCH', json: { moderatorAction, seen } })
    const waiting = await readOf(second)
    // The decision on the first report also decides the other one on the same item.
    const { resolvedAt, item } = await decided(first, 'remove')
    const late = await decideAsRead(waiting)
    expect([late.status, (await late.json()).error]).toEqual([409, 'This was already decided by Ada.'])
    expect(await statusOf(id)).toBe('removed')
    expect(await readOf(second)).toEqual({ resolvedAt, status: item.status })
    expect((await decideAsRead({ resolvedAt, status: item.status })).status).toBe(200)
    const approved = await readOf(second)
    await operator.call(`/api/premium-content/${id}`, { method: 'DELETE', json: {} })
    const moved = await decideAsRead(approved)
    expect([moved.status, (await moved.json()).error]).toEqual([
      409,
      'Another operator has removed or restored this since. Check it again before you decide.',
    ])
    expect(await statusOf(id)).toBe('removed')
  })

  test('with “approve” does not restore an item removed concurrently', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(stranger(), id)
    const remove = (tx: Transaction) =>
      tx.update(stories).set({ status: 'removed' }).where(eq(stories.id, id))
    expect((await commitMeanwhile(db, remove, () => decide(reportId, 'approve'))).status).toBe(409)
    expect(await statusOf(id)).toBe('removed')
  })

  test('returns 404 for an unknown report and 422 for an unknown action', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(stranger(), id)
    for (const odd of [Bun.randomUUIDv7(), 'odd']) expect((await decide(odd, 'remove')).status).toBe(404)
    for (const odd of ['delete', '', 'REMOVE']) expect((await decide(reportId, odd)).status).toBe(422)
    expect((await decide(reportId, 'remove', 'x'.repeat(1_001))).status).toBe(422)
    expect(await listed()).toHaveLength(1)
  })

  test('is audited with the decision and the change of the item', async () => {
    const { id } = await publishTestItem(services, { title: 'The Audited' })
    const reportId = await reportIdOf(stranger(), id)
    await db.delete(auditLog)
    await decided(reportId, 'review')
    await decided(reportId, 'remove', 'Not as described')
    await decided(reportId, 'approve')
    const rows = await db.select().from(auditLog).orderBy(auditLog.id)
    expect(rows.map(({ actor, action, subjectType }) => `${actor} ${action} ${subjectType}`).sort()).toEqual([
      'Ada approve report',
      'Ada remove item',
      'Ada remove report',
      'Ada restore item',
      'Ada review report',
    ])
    expect(
      rows.find(({ action, subjectType }) => action === 'remove' && subjectType === 'report'),
    ).toMatchObject({
      subjectId: reportId,
      after: { moderatorNotes: 'Not as described', outcome: 'removed', title: 'The Audited' },
    })
  })
})

describe('statement of reasons', () => {
  test('tells maker and reporters what was decided, why, by which rule and how to object', async () => {
    const { id } = await anasItem('Half Past Midnight')
    const first = await reportIdOf(ben, id, {
      flagType: 'real_person',
      flagReason: 'I know her, she is Dora',
    })
    const second = await reportIdOf(stranger(), id, { email: 'Carl@Example.com '.trim() })
    await decided(first, 'remove', 'A name in it is a real one.')
    const mails = await takeMails(services)
    expect(mails.map(({ to }) => to).sort()).toEqual([
      'ana@example.com',
      'ben@example.com',
      'carl@example.com',
    ])
    const [maker, reporter, visitor] = ['ana', 'ben', 'carl'].map((name) =>
      mails.find(({ to }) => to.startsWith(name)),
    )
    expect(maker?.subject).toBe('About something you made')
    for (const hidden of [
      '“Half Past Midnight” was removed from Nocturne.',
      'The reason: A name in it is a real one.',
      'Nobody real is written about or imitated without their consent.',
      'A person read it and decided this',
      `write to people@example.com and quote number ${first}`,
    ])
      expect(maker?.text).toContain(hidden)
    // The statement names neither the reporter nor their words.
    expect(maker?.text).not.toMatch(/ben|carl|Dora/i)
    expect(reporter?.text).toContain('It was removed.')
    expect(reporter?.text).toContain('A name in it is a real one.')
    expect(reporter?.text).not.toMatch(/ana@|Dora/)
    expect(visitor?.text).toContain(`quote number ${second}`)

    await decided(second, 'approve', 'The name is invented.')
    const after = await takeMails(services)
    expect(after).toHaveLength(3)
    expect(after.find(({ to }) => to.startsWith('ana'))?.text).toContain('is back on Nocturne')
    expect(after.find(({ to }) => to.startsWith('ben'))?.text).toContain('it is back')
  })

  test('is shown to the maker in My Content until the item is restored', async () => {
    const { id } = await anasItem('Slow Train')
    const reportId = await reportIdOf(ben, id)
    await decided(reportId, 'remove', 'The note on the argument is missing.')
    const mine = async () =>
      (await ana.json('/api/user/content')).find((item: { id: string }) => item.id === id)
    expect(await mine()).toMatchObject({
      state: 'refused',
      audioUrl: null,
      reviewNote: `The rule: Descriptions and content notes say what an item holds. The note on the argument is missing. Number ${reportId}.`,
    })
    const page = await (await ana.call('/my-content')).text()
    expect(page).toContain('The note on the argument is missing.')
    for (const path of [`/api/content/${id}`, `/story/slow-train`])
      expect((await ana.call(path)).status).toBe(404)
    await decided(reportId, 'approve')
    expect(await mine()).toMatchObject({ state: 'shared', reviewNote: null })
  })

  test('goes only to reporters with an address when the item stays', async () => {
    const { id } = await anasItem('The Understudy')
    await decided(await reportIdOf(stranger(), id), 'approve')
    expect(await takeMails(services)).toEqual([])
    await decided(await reportIdOf(ben, id), 'approve', 'We read it twice.')
    const mails = await takeMails(services)
    expect(mails.map(({ to }) => to)).toEqual(['ben@example.com'])
    expect(mails[0]?.text).toContain('It stays as it is.')
  })

  test('goes only to reporters for a library item, as one mail per person', async () => {
    const { id } = await publishTestItem(services)
    const reportId = await reportIdOf(ben, id)
    await reportIdOf(ben, id, { flagType: 'audio_fault' })
    await decided(reportId, 'remove')
    expect((await takeMails(services)).map(({ to }) => to)).toEqual(['ben@example.com'])
  })

  test('has a neutral subject for members in discreet mode', async () => {
    const { id } = await anasItem('Quietly')
    await db.insert(userSettings).values({ userId: ana.id, discreetMode: true })
    await decided(await reportIdOf(stranger(), id), 'remove')
    const [mail] = await takeMails(services)
    expect(mail).toMatchObject({ to: 'ana@example.com', subject: 'A message for you' })
    await db.delete(userSettings)
  })

  test('is not mailed to reporters who turned mails off, but always to the maker', async () => {
    const { id } = await anasItem('Without a letter')
    await ben.call('/api/user/settings', { method: 'PATCH', json: { emailNotifications: false } })
    await ana.call('/api/user/settings', { method: 'PATCH', json: { emailNotifications: false } })
    await decided(await reportIdOf(ben, id), 'remove')
    expect((await takeMails(services)).map(({ to }) => to)).toEqual(['ana@example.com'])
    await db.delete(userSettings)
  })

  test('is not sent when the decision is refused', async () => {
    const { id } = await anasItem('Not today')
    const reportId = await reportIdOf(ben, id)
    await decided(reportId, 'remove')
    await takeMails(services)
    expect((await decide(reportId, 'remove')).status).toBe(409)
    expect(await takeMails(services)).toEqual([])
  })
})

test('housekeeping erases a reporter’s email half a year after the decision, not from open reports', async () => {
  const { id } = await publishTestItem(services)
  const old = await reportIdOf(stranger(), id, { email: 'carl@example.com' })
  await decided(old, 'approve')
  await reportIdOf(stranger(), id, { email: 'dora@example.com' })
  await db.execute(
    sql`update content_flags set resolved_at = now() - interval '181 days' where id = ${old}::uuid`,
  )
  await tidyUp(services)
  const emails = (await db.select().from(reports)).map(({ reporterEmail }) => reporterEmail)
  expect(emails.sort()).toEqual(['dora@example.com', null])
})
