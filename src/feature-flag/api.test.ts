import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { openDatabase, type Transaction } from '#db/db'
import { auditLog, featureFlags } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { commitMeanwhile } from '#src/library/testing'
import {
  browser,
  markupOf,
  memberBrowser,
  memberPassword,
  operatorBrowser,
  publishTestItem,
  testApp,
} from '#src/testing/app'
import { until } from '#src/testing/until'
import { changeFlags } from './change'
import { findFreeStoryLimit, forgetFlags, isFeatureOn } from './flags'

const { app, services } = await testApp()
const { db } = services
/** A database that two instances have open. */
const url = await testDatabaseUrl()
const member = await memberBrowser(app, 'mara@example.com')
const operator = await operatorBrowser(app)
const change = (json: unknown) => operator.call('/api/feature-flags', { method: 'PATCH', json })

test('an invalid value and a change without a known flag are rejected with the reason', async () => {
  const cases: [unknown, string][] = [
    [{ freeStoryLimit: -1 }, 'Free story limit must be a whole number from 0 to 1000.'],
    [
      { nope: true },
      'Give at least one of: freeStoryLimit, registrationOpen, modelDrafting, memberSharing, jobQueue.',
    ],
  ]
  for (const [json, message] of cases) {
    const response = await change(json)
    expect([response.status, (await response.json()).message]).toEqual([422, message])
  }
})

test('visitors and members can neither read nor change feature flags', async () => {
  for (const each of [browser(app), member, await memberBrowser(app, 'ines@example.com')]) {
    expect((await each.call('/api/feature-flags')).status).toBe(401)
    const json = { registrationOpen: false }
    expect((await each.call('/api/feature-flags', { method: 'PATCH', json })).status).toBe(401)
    expect((await each.call('/admin/flags', { form: { name: 'freeStoryLimit', amount: '9' } })).status).toBe(
      401,
    )
  }
  expect(await operator.json('/api/feature-flags')).toEqual([
    { name: 'freeStoryLimit', value: 3, default: 3, isDefault: true, updatedBy: null, updatedAt: null },
    {
      name: 'registrationOpen',
      value: true,
      default: true,
      isDefault: true,
      updatedBy: null,
      updatedAt: null,
    },
    { name: 'modelDrafting', value: true, default: true, isDefault: true, updatedBy: null, updatedAt: null },
    { name: 'memberSharing', value: true, default: true, isDefault: true, updatedBy: null, updatedAt: null },
    { name: 'jobQueue', value: true, default: true, isDefault: true, updatedBy: null, updatedAt: null },
  ])
})

describe('free-reading limit', () => {
  test('overrides FREE_STORY_LIMIT at once, until it is reset', async () => {
    const items = await Promise.all(['One', 'Two'].map((title) => publishTestItem(services, { title })))
    const open = async (visitor: ReturnType<typeof browser>, at: number) =>
      (await visitor.json(`/api/content/${items[at]?.id}`)).contentTruncated
    const [flag] = await (await change({ freeStoryLimit: 1 })).json()
    expect(flag).toMatchObject({ value: 1, default: 3, isDefault: false, updatedBy: 'Ada' })
    const visitor = browser(app, '10.9.0.1')
    expect([await open(visitor, 0), await open(visitor, 1)]).toEqual([false, true])
    expect(await markupOf(await browser(app, '10.9.0.2').call('/help'))).toContain('1 story is yours')
    await change({ freeStoryLimit: null })
    expect(await open(visitor, 1)).toBe(false)
    const [back] = await operator.json('/api/feature-flags')
    expect(back).toMatchObject({ value: 3, isDefault: true, updatedBy: 'Ada' })
  })

  test('reaches another instance without a restart', async () => {
    const here = { ...services, db: openDatabase(url, { max: 1 }) }
    const there = { ...services, db: openDatabase(url, { max: 1 }) }
    try {
      expect(await findFreeStoryLimit(there)).toBe(3)
      await changeFlags(here, { freeStoryLimit: 7 }, 'Ada')
      expect(await findFreeStoryLimit(here)).toBe(7)
      await until(async () => (await findFreeStoryLimit(there)) === 7)
    } finally {
      await Promise.all([here.db.close(), there.db.close()])
    }
  })

  test.each([
    {},
    { freeStoryLimit: -1 },
    { freeStoryLimit: 1_001 },
    { freeStoryLimit: 2.5 },
    { freeStoryLimit: 'many' },
    { memberSharing: 'no' },
    { darkMode: true },
  ])('stays unchanged, like the other flags, after the invalid change %p', async (json) => {
    const before = await db.select().from(featureFlags)
    expect((await change(json)).status).toBe(422)
    expect(await db.select().from(featureFlags)).toEqual(before)
  })
})

test('closing registration rejects new accounts and still lets members sign in', async () => {
  await change({ registrationOpen: false })
  const json = { email: 'late@example.com', password: memberPassword }
  const refused = await browser(app, '10.9.0.3').call('/api/auth/register', { json })
  expect(refused.status).toBe(403)
  expect((await refused.json()).message).toStartWith('New accounts are closed at the moment.')
  const form = await browser(app, '10.9.0.3').call('/register', { form: json })
  expect(await form.text()).toContain('New accounts are closed at the moment.')
  const known = { ...json, email: 'mara@example.com' }
  expect((await browser(app, '10.9.0.4').call('/api/auth/login', { json: known })).status).toBe(200)
  await change({ registrationOpen: true })
  expect((await browser(app, '10.9.0.3').call('/api/auth/register', { json })).status).toBe(201)
})

test('members can still write, and get a message, when drafting and sharing are off', async () => {
  await change({ modelDrafting: false, memberSharing: false })
  const draft = { title: 'The Pier', content: 'They sat on the pier.', categories: ['romantic'] }
  const { id } = await member.json('/api/user/content', { json: draft })
  const shared = await member.call(`/api/user/content/${id}/share`, { json: {} })
  expect([shared.status, (await shared.json()).message]).toEqual([
    403,
    'Sharing is closed at the moment. It stays yours, as it is.',
  ])
  const drafted = await member.call('/api/drafts', {
    json: { prompt: 'A quiet harbour', categories: ['romantic'] },
  })
  expect([drafted.status, (await drafted.json()).code]).toEqual([422, 'not_configured'])
  await change({ modelDrafting: null, memberSharing: null })
  expect((await member.call(`/api/user/content/${id}/share`, { json: {} })).status).toBe(200)
})

test('effective changes are audited with old and new value, and no-ops are not', async () => {
  await db.delete(auditLog)
  await change({ freeStoryLimit: 5 })
  await change({ freeStoryLimit: 5 })
  await change({ freeStoryLimit: null })
  await change({ freeStoryLimit: null })
  const entries = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subjectType, 'feature flag'))
    .orderBy(auditLog.id)
  expect(
    entries.map(({ actor, action, subjectId, before, after }) => ({
      actor,
      action,
      subjectId,
      before,
      after,
    })),
  ).toEqual([
    { actor: 'Ada', action: 'set', subjectId: 'freeStoryLimit', before: { value: 3 }, after: { value: 5 } },
    { actor: 'Ada', action: 'reset', subjectId: 'freeStoryLimit', before: { value: 5 }, after: { value: 3 } },
  ])
})

test('a change waits for a concurrent one and is audited from its result', async () => {
  await changeFlags(services, { freeStoryLimit: 4, memberSharing: true }, 'Ada')
  const setTo = (value: number) => (tx: Transaction) =>
    tx.update(featureFlags).set({ value }).where(eq(featureFlags.name, 'freeStoryLimit'))
  await commitMeanwhile(db, setTo(6), () => changeFlags(services, { freeStoryLimit: 8 }, 'Ben'))
  const last = () => operator.json('/api/audit?limit=1')
  expect((await last())[0]).toMatchObject({ before: { value: 6 }, after: { value: 8 } })
  // Ben sets the value from before the concurrent change, which is a change all the same.
  const after = await commitMeanwhile(db, setTo(9), () => changeFlags(services, { freeStoryLimit: 8 }, 'Ben'))
  expect(after.find(({ name }) => name === 'freeStoryLimit')?.value).toBe(8)
})

test('the form works without JavaScript and shows who changed what', async () => {
  const answer = await operator.call('/admin/flags', { form: { name: 'memberSharing', value: 'false' } })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin?tab=overview&said=flag'])
  expect(await isFeatureOn(db, 'memberSharing')).toBe(false)
  const page = await (await operator.call('/admin?tab=overview&said=flag')).text()
  for (const words of ['Setting saved', 'Sharing by members', 'changed by ', 'Ada'])
    expect(page).toContain(words)
  await operator.call('/admin/flags', { form: { name: 'memberSharing', value: 'default' } })
  expect(await isFeatureOn(db, 'memberSharing')).toBe(true)
  expect(
    (await operator.call('/admin/flags', { form: { name: 'freeStoryLimit', amount: 'many' } })).status,
  ).toBe(422)
})

test('an invalid stored value falls back to the default', async () => {
  await db
    .insert(featureFlags)
    .values({ name: 'registrationOpen', value: 'maybe', updatedBy: 'x' })
    .onConflictDoUpdate({ target: featureFlags.name, set: { value: 'maybe', isOn: true } })
  forgetFlags(db)
  expect(await isFeatureOn(db, 'registrationOpen')).toBe(true)
})
