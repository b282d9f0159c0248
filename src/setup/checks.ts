import { readdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { sql } from 'drizzle-orm'
import type { Executor } from '#db/db'
import type { Env } from '#src/env'
import { siteNameDefault } from '#src/env-schema'
import { isPublicAddress } from '#src/http-client/public-address'
import { firstLineOf, unreachableMessage } from '#src/http-client/unreachable'
import { retentionDays } from '#src/job/rules'
import { openServer, outboxOf, senderOf } from '#src/mail/deliver'
import { providerNames } from '#src/narration/rules'
import { pluralize } from '#src/text/pluralize'
import type { Finding } from './schema'

/** Maximum age of a backup: a library that changes every day then loses a week at most. */
const backupDaysMax = 7

export function checkName({ siteName }: Pick<Env, 'siteName'>): Finding {
  const isOwn = siteName !== siteNameDefault
  return {
    subject: 'name',
    isRight: true,
    // The name itself is not shown, since no page says it in discreet mode.
    what: isOwn ? 'the site has a name of its own' : 'the site has no name of its own yet',
    ...(!isOwn && { mend: 'Set SITE_NAME.' }),
  }
}

/**
 * Checks whether others can reach the address: it uses https, and is not a name or number of this machine or network.
 */
export function checkAddress({ publicUrl }: Pick<Env, 'publicUrl'>): Finding {
  const { protocol, hostname } = new URL(publicUrl)
  const isPublic = isPublicHost(hostname)
  const isDone = isPublic && protocol === 'https:'
  return {
    subject: 'address',
    isRight: true,
    what: isPublic ? `people find it at ${publicUrl}` : `only this network finds it at ${publicUrl}`,
    ...(!isDone && { mend: 'Set PUBLIC_URL to the https address that people use.' }),
  }
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address)) return isPublicAddress(address)
  return address.includes('.') && !/\.(local|internal|lan|home|test|example|invalid|localhost)$/.test(address)
}

/** Checks how mail is delivered. Connects to the mail server and sends nothing. */
export async function checkMail(env: Env): Promise<Finding> {
  const subject = 'mail'
  if (!env.smtpUrl) {
    const files = (await readdir(outboxOf(env)).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const what = `put into ${outboxOf(env)} (${pluralize(files.length, 'file')}), since SMTP_URL is not set`
    return { subject, isRight: true, what, mend: 'Set SMTP_URL: without it nobody gets a mail.' }
  }
  const { host } = new URL(env.smtpUrl)
  const server = await openServer(env.smtpUrl)
  try {
    await server.verify()
    return { subject, isRight: true, what: `sent through ${host} as ${senderOf(env).address}` }
  } catch (error) {
    return {
      subject,
      isRight: false,
      what:
        unreachableMessage(error, 'SMTP_URL', host) ?? `${host} does not accept mail: ${firstLineOf(error)}`,
      mend: 'Check SMTP_URL. Until then mail waits in the queue.',
    }
  } finally {
    server.close()
  }
}

/** Checks whether the mail server accepted the last mail within the days for which jobs are retained. */
export async function checkDelivery(db: Executor): Promise<Finding> {
  const subject = 'delivery'
  const [last] = await db.execute<{ error: string | null; days: number | null }>(sql`
    select error, case when state = 'done' then floor(extract(epoch from now() - finished_at) / 86400)::int end as days
    from jobs where kind = 'mail' and (error is not null or result->>'sentTo' = 'server') order by id desc limit 1`)
  if (last?.error && last.days === null)
    return {
      subject,
      isRight: false,
      what: `the last mail was not accepted: ${last.error}`,
      mend: 'See Jobs.',
    }
  if (!last)
    return {
      subject,
      isRight: true,
      what: `no mail was sent in the last ${retentionDays} days`,
      mend: 'Send a test mail from the First steps of the console, and check that it arrives.',
    }
  return { subject, isRight: true, what: `the last mail was accepted ${agoWords(last.days ?? 0)}` }
}

/**
 * Checks the last backup; none, or none for a week, is a warning. The audit log records when a backup was made. Where
 * its file is now, and whether backups are made in other ways, is not recorded.
 */
export async function checkBackup(db: Executor): Promise<Finding> {
  const [last] = await db.execute<{ days: number }>(
    sql`select floor(extract(epoch from now() - max(at)) / 86400)::int as days from audit_log where action = 'backup' having max(at) is not null`,
  )
  const isOld = !last || last.days > backupDaysMax
  return {
    subject: 'backup',
    isRight: true,
    what: last ? `the last was made ${agoWords(last.days)}` : 'none was made by nocturne backup yet',
    ...(isOld && { mend: 'Make one: nocturne backup library.zip, and keep it on another machine.' }),
  }
}

/** Checks whether a voice works, by the last narration that was made here or failed. */
export async function checkVoice(db: Executor, { voiceOrder }: Pick<Env, 'voiceOrder'>): Promise<Finding> {
  const subject = 'voice'
  const [last] = await db.execute<{ provider: string | null; error: string | null; days: number }>(sql`
    select provider, error, floor(extract(epoch from now() - at) / 86400)::int as days from (
      (select provider, null as error, created_at as at from narrations
        where job_id is not null order by id desc limit 1)
      union all
      (select null, error, finished_at from jobs
        where kind = 'narrate' and state = 'failed' order by finished_at desc limit 1)
    ) as tries order by at desc limit 1`)
  const names = voiceOrder.map((name) => providerNames[name]).join(', ')
  if (!last)
    return {
      subject,
      isRight: true,
      what: `nothing was spoken yet (VOICE_ORDER: ${names})`,
      mend: 'Narrate an item, and listen to it.',
    }
  if (last.error)
    return { subject, isRight: false, what: `the last narration failed: ${last.error}`, mend: 'See Jobs.' }
  const provider = voiceOrder.find((name) => name === last.provider)
  const by = provider ? providerNames[provider] : last.provider
  return { subject, isRight: true, what: `${by} spoke the last narration ${agoWords(last.days)}` }
}

function agoWords(days: number): string {
  return days === 0 ? 'today' : `${pluralize(days, 'day')} ago`
}
