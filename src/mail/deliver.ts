import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import type { LeasedJob } from '#src/job/lease'
import type { JobHandler } from '#src/job/run-job'
import { UnsealError } from '#src/security/encryption'
import type { Services } from '#src/services'
import { discreetSubject, isMailAddress } from './rules'
import { type Mail, openMail } from './send-mail'

/**
 * Returns the handler that sends one mail: to the server of SMTP_URL, or as an .eml file into the outbox. Throws
 * `unavailable`, which is retried, for a temporary failure, and `invalid` if the server rejects the mail for good. A
 * mail that is sent twice after a crash has the same Message-ID.
 */
export function mailHandler({ env, secrets }: Pick<Services, 'env' | 'secrets'>): JobHandler {
  return async (job, { signal }) => {
    const { key, mail } = readMail(secrets, job)
    const message = compose(env, key, mail)
    if (!env.smtpUrl) return putIntoOutbox(env, key, message)
    return sendToServer(env.smtpUrl, { ...message, signal })
  }
}

function readMail(
  secrets: Services['secrets'],
  { payload }: LeasedJob,
): { key: string; mail: Required<Mail> } {
  const queued = payload as { key: string; sealed: string }
  try {
    const mail = openMail(secrets, queued)
    if (!isMailAddress(mail.to)) throw new AppError('invalid', 'Mail cannot be sent to this address.')
    return { key: queued.key, mail }
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    throw new AppError('not_configured', 'This mail was queued under another ENCRYPTION_KEY.', {
      cause: error,
    })
  }
}

/** Addresses are passed as objects, never as text to be parsed, so that a name cannot become a recipient. */
function compose(env: Env, key: string, { to, subject, text, look }: Required<Mail>) {
  const from = senderOf(env)
  const isDiscreet = look === 'discreet'
  return {
    from: isDiscreet ? { name: '', address: from.address } : from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject: isDiscreet ? discreetSubject : subject,
    text,
    textEncoding: 'quoted-printable' as const,
    messageId: `<${key}@${from.address.split('@')[1]}>`,
    // Tells auto-responders not to answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The sender: MAIL_FROM, or the contact address, or an address at the site's host name. */
export function senderOf({ mailFrom, contactEmail, siteName, publicUrl }: Env) {
  if (mailFrom) return mailFrom
  const isContact = contactEmail !== undefined && isMailAddress(contactEmail)
  return { name: siteName, address: isContact ? contactEmail : `nocturne@${new URL(publicUrl).hostname}` }
}

type Message = ReturnType<typeof compose>

/** Timeouts in seconds: of connecting and of the greeting each, and of a silence. */
const serverSeconds = { connect: 10, silence: 60 }

export async function openServer(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  const connectMs = serverSeconds.connect * 1_000
  return createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: serverSeconds.silence * 1_000,
  })
}

async function sendToServer(smtpUrl: string, message: Message & { signal: AbortSignal }) {
  const server = await openServer(smtpUrl)
  try {
    await server.sendMail(message)
    return { sentTo: 'server' }
  } catch (error) {
    throw refusalOf(error)
  } finally {
    server.close()
  }
}

/** Only a rejection of this recipient or this text is permanent; other failures can be fixed. */
function refusalOf(cause: unknown): AppError {
  const { code = 'no answer', responseCode = 0, command = '' } = Object(cause)
  const isForGood = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  return isForGood
    ? new AppError('invalid', `The mail server refused this mail (${responseCode}).`, { cause })
    : new AppError('unavailable', `The mail server did not take this mail (${responseCode || code}).`, {
        cause,
      })
}

/** The folder that receives mails if there is no mail server. */
export function outboxOf({ dataDir }: Pick<Env, 'dataDir'>): string {
  return join(dataDir, 'outbox')
}

/** Writes a mail atomically, under a name that a retry uses too. */
async function putIntoOutbox(env: Env, key: string, message: Message) {
  const { createTransport } = await import('nodemailer')
  const { message: eml } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail(message)
  const folder = outboxOf(env)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileName = `${key}.eml`
  const file = await open(join(folder, `.${fileName}.part`), 'w', 0o600)
  try {
    await file.writeFile(eml)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(join(folder, `.${fileName}.part`), join(folder, fileName))
  return { sentTo: 'outbox', fileName }
}
