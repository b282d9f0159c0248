import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { AppError } from '#src/app-error'
import { failJob, finishJob, takeJob } from '#src/job/lease'
import type { JobHandler } from '#src/job/run-job'
import { resetEmailHandler, resetKind } from '#src/member/recovery/reset-email'
import type { Services } from '#src/services'
import { mailHandler, outboxOf } from './deliver'
import { mailKind } from './send-mail'

export type ReadMail = {
  headers: Map<string, string>
  to: string
  from: string
  subject: string
  text: string
}

/** Sends every due mail one after the other, as the worker would; returns the rejections. */
export async function sendDueMails(services: Services): Promise<string[]> {
  const handlers: Record<string, JobHandler> = {
    [mailKind]: mailHandler(services),
    [resetKind]: resetEmailHandler(services),
  }
  const refusals: string[] = []
  // Makes mails due that earlier attempts have postponed, so that tests need not wait.
  await services.db.execute(
    sql`update jobs set run_after = now() where kind = ${mailKind} and state = 'queued'`,
  )
  for (;;) {
    const job = await takeJob(services.db, Object.keys(handlers))
    const send = job && handlers[job.kind]
    if (!send) return refusals
    try {
      const control = { signal: new AbortController().signal, progress: () => {} }
      await finishJob(services.db, job, await send(job, control))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.push(error.message)
      await failJob(services.db, job, error.message, error.code === 'unavailable' ? {} : 'no')
    }
  }
}

/** Sends due mails into the outbox and empties it; returns them in the order they were queued. */
export async function takeMails(services: Services): Promise<ReadMail[]> {
  const refusals = await sendDueMails(services)
  if (refusals.length > 0) throw new Error(`Mail was refused: ${refusals.join(' ')}`)
  const folder = outboxOf(services.env)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const mails = await Promise.all(
    names.map(async (name) => readEml(await readFile(join(folder, name), 'utf8'))),
  )
  await Promise.all(names.map((name) => rm(join(folder, name))))
  return mails
}

/** Parses a mail in the form that we write: one part, quoted-printable, UTF-8. */
export function readEml(eml: string): ReadMail {
  const [head = '', ...body] = eml.split('\r\n\r\n')
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line): [string, string] => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
  )
  const text = unquote(body.join('\r\n\r\n').replace(/=\r\n/g, '')).replaceAll('\r\n', '\n').trim()
  const of = (name: string) => headers.get(name) ?? ''
  return { headers, to: of('to'), from: of('from'), subject: of('subject'), text }
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
