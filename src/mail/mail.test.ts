import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { jobs } from '#db/schema'
import { readEnv } from '#src/env'
import { listJobs } from '#src/job/queries'
import { resetEmailHandler, resetKind } from '#src/member/recovery/reset-email'
import type { Services } from '#src/services'
import { testApp } from '#src/testing/app'
import { until } from '#src/testing/until'
import { mailHandler, outboxOf } from './deliver'
import { isMailAddress, readMailAddress } from './rules'
import { mailKind, pruneMails, sendMail } from './send-mail'
import { startMailing } from './start'
import { readEml, sendDueMails, takeMails } from './testing'

const { services } = await testApp({ MAIL_FROM: 'Nocturne at night <hello@example.com>' })
const { db } = services
const testMail = {
  to: 'ana@example.com',
  subject: 'Your place is kept',
  text: 'Dear Ana,\n\nthe lamp is lit — come when you like.',
}
afterEach(async () => void (await db.delete(jobs).where(eq(jobs.kind, mailKind))))

type Received = { from: string; to: string[]; eml: string }
const servers: SMTPServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((each) => new Promise<void>((done) => each.close(done)))))

/** Starts a mail server on this machine; `options` make it misbehave. */
async function openTestServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          eml: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
    ...options,
  })
  servers.push(server)
  server.on('error', () => {})
  const port = await new Promise<number>((opened) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      opened(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return { received, services: withServer(`smtp://127.0.0.1:${port}`) }
}

function withServer(smtpUrl: string): Services {
  return { ...services, env: { ...services.env, smtpUrl } }
}

function failure(message: string, responseCode: number): Error {
  return Object.assign(new Error(message), { responseCode })
}

describe('mail without an SMTP server', () => {
  test('is an .eml file in the outbox that only its owner can read', async () => {
    await sendMail(services, testMail)
    expect(await sendDueMails(services)).toEqual([])
    const folder = outboxOf(services.env)
    const [name = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(name).toEndWith('.eml')
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const [mail] = await takeMails(services)
    expect(mail).toMatchObject({ ...testMail, from: 'Nocturne at night <hello@example.com>' })
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.headers.get('message-id')).toEndWith('@example.com>')
  })

  test('is written as one file when its job runs twice, as after a crash', async () => {
    await sendMail(services, testMail)
    const [job] = await listJobs(db, { kind: mailKind })
    const leased = { ...job, leaseId: '' } as Parameters<ReturnType<typeof mailHandler>>[0]
    const control = { signal: new AbortController().signal, progress: () => {} }
    await mailHandler(services)(leased, control)
    await mailHandler(services)(leased, control)
    await db.delete(jobs)
    expect(await takeMails(services)).toHaveLength(1)
  })

  test('is not written when its transaction is rolled back', async () => {
    await db
      .transaction(async (tx) => {
        await sendMail({ ...services, db: tx }, testMail)
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await takeMails(services)).toEqual([])
  })

  test('names the site in neither subject nor sender when discreet', async () => {
    await sendMail(services, { ...testMail, look: 'discreet' })
    const [mail] = await takeMails(services)
    expect(mail).toMatchObject({
      subject: 'A message for you',
      from: 'hello@example.com',
      text: testMail.text,
    })
    expect([...(mail?.headers.values() ?? [])].join(' ')).not.toContain('Nocturne')
  })
})

test('the job list reveals neither the recipient nor the text of queued mail', async () => {
  await sendMail(services, testMail)
  const [job] = await listJobs(db, { kind: mailKind })
  expect(JSON.stringify(job)).not.toMatch(/ana@|lamp|place/)
})

describe('mail header injection', () => {
  test.each([
    'Hello\r\nBcc: eve@example.com',
    'Hello\nBcc: eve@example.com\n\nanother body',
    'Hello\u2028Bcc: eve@example.com',
    'Hello\0\r Bcc: eve@example.com',
  ])('is prevented in the subject %j', async (subject) => {
    await sendMail(services, { ...testMail, subject })
    const [mail] = await takeMails(services)
    expect(mail?.headers.has('bcc')).toBe(false)
    expect(mail?.text).toBe(testMail.text)
  })

  test.each([
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com, eve@example.com',
    'ana@example.com,eve@example.com',
    'ana@example.com;eve@example.com',
    '<eve@example.com>ana@example.com',
    '"eve@example.com x"@example.com',
    'ana@example.com\0',
    'ana@[127.0.0.1]',
    'ana',
  ])('is prevented in the recipient %j, whose mail fails', async (to) => {
    await sendMail(services, { ...testMail, to })
    expect(await sendDueMails(services)).toEqual(['Mail cannot be sent to this address.'])
    expect((await listJobs(db, { kind: mailKind }))[0]?.state).toBe('failed')
    expect(await takeMails(services)).toEqual([])
  })

  test('is prevented in MAIL_FROM, which is rejected at startup', () => {
    for (const sender of ['Nocturne', 'a@b\nBcc: c@d', 'A <a@b>, B <c@d>'])
      expect(() => readEnv({ MAIL_FROM: sender })).toThrow('MAIL_FROM')
    expect(readMailAddress('"The Night" <a@example.com>')).toEqual({
      name: 'The Night',
      address: 'a@example.com',
    })
    expect(isMailAddress("o'hara+beta@example.co.uk")).toBe(true)
  })
})

describe('mail with an SMTP server', () => {
  test('is delivered to its one recipient and not written to the outbox', async () => {
    const server = await openTestServer()
    await sendMail(services, testMail)
    expect(await sendDueMails(server.services)).toEqual([])
    const [mail] = server.received
    expect(server.received).toHaveLength(1)
    expect(mail).toMatchObject({ from: 'hello@example.com', to: ['ana@example.com'] })
    expect(readEml(mail?.eml ?? '')).toMatchObject({ subject: testMail.subject, text: testMail.text })
    expect(await takeMails(services)).toEqual([])
  })

  test('is sent by the background worker', async () => {
    const server = await openTestServer()
    const worker = startMailing(server.services, {
      [resetKind]: resetEmailHandler(server.services),
    })
    try {
      await sendMail(services, testMail)
      await until(() => server.received.length > 0)
      expect(server.received).toHaveLength(1)
    } finally {
      await worker.stop()
    }
  })

  test('stays queued while the server is down, busy or refusing connections, and is sent later', async () => {
    await sendMail(services, testMail)
    expect(await sendDueMailsOnce(withServer('smtp://127.0.0.1:1'))).toBe('queued')
    const busy = await openTestServer({ onMailFrom: (_, __, done) => done(failure('Later', 451)) })
    expect(await sendDueMailsOnce(busy.services)).toBe('queued')
    const locked = await openTestServer({ onConnect: (_, done) => done(failure('Not you', 554)) })
    expect(await sendDueMailsOnce(locked.services)).toBe('queued')
    const server = await openTestServer()
    expect(await sendDueMailsOnce(server.services)).toBe('done')
    expect(server.received).toHaveLength(1)
  })

  test('fails for good when the recipient or text is refused, with an error that omits the address', async () => {
    const noSuchBox = await openTestServer({
      onRcptTo: ({ address }, _, done) => done(failure(`No ${address} here`, 550)),
    })
    const noThanks = await openTestServer({
      onData: (stream, _, done) => void stream.resume().on('end', () => done(failure('Spam', 554))),
    })
    for (const server of [noSuchBox, noThanks]) {
      await sendMail(services, testMail)
      expect(await sendDueMailsOnce(server.services)).toBe('failed')
      const [job] = await listJobs(db, { kind: mailKind })
      expect(job?.error).toMatch(/^The mail server refused this mail \(55[04]\)\.$/)
      await db.delete(jobs)
    }
  })
})

/** Makes one attempt to send; returns the state of the mail. */
async function sendDueMailsOnce(withEnv: Services): Promise<string | undefined> {
  await sendDueMails(withEnv)
  return (await listJobs(db, { kind: mailKind }))[0]?.state
}

test('mails and the jobs that composed them are deleted a day after they finished', async () => {
  const finishedAt = sql`now() - interval '25 hours'`
  const kinds = [mailKind, resetKind, 'sweep']
  await db
    .insert(jobs)
    .values(
      kinds.map((kind) => ({ kind, dedupeKey: 'old', payload: {}, state: 'done' as const, finishedAt })),
    )
  await pruneMails(db)
  expect((await listJobs(db)).map(({ kind }) => kind)).toEqual(['sweep'])
})
