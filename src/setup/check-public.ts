import { connect } from 'node:tls'
import type { Env } from '#src/env'
import { securityHeaders } from '#src/http/headers'
import { limited } from '#src/http-client/limited'
import { firstLineOf, unreachableMessage } from '#src/http-client/unreachable'
import { pluralize } from '#src/text/pluralize'
import { deployFile } from './deploy-file'
import type { Finding } from './schema'

const answerMs = 10_000
/** Timeout of a check that a page waits for. */
const quickAnswerMs = 2_000
/**
 * Let's Encrypt's certificates are renewed 30 days before they end, so with fewer days left than this the renewal is
 * broken.
 */
const certificateDaysMin = 14

type PublicEnv = Pick<Env, 'publicUrl' | 'port' | 'isSecure' | 's3' | 'audioDelivery' | 'trustProxy'>

/**
 * Checks PUBLIC_URL from outside: the proxy, its certificate, and our headers as they arrive. `trusts` is a certificate
 * authority of the operator's own, as PEM.
 */
export async function checkPublic(env: PublicEnv, trusts?: string): Promise<Finding[]> {
  const url = new URL(env.publicUrl)
  const tls = trusts === undefined ? {} : { tls: { ca: trusts } }
  const ask = (path: string) =>
    fetch(new URL(path, url), { redirect: 'manual', signal: AbortSignal.timeout(answerMs), ...tls })
  try {
    await requireOurs(await ask('/healthz'))
    const page = await ask('/landing')
    return [
      { subject: 'public address', isRight: true, what: `${url.origin} leads here` },
      checkTrust(env),
      ...(env.isSecure ? [await checkCertificate(url, trusts)] : [await noCertificate(env)]),
      checkHeaders(env, page.headers),
    ]
  } catch (error) {
    return [
      {
        subject: 'public address',
        isRight: false,
        what: elsewhereWords(url.origin, error),
        mend: await proxyFile(env),
      },
    ]
  }
}

/**
 * Checks whether PUBLIC_URL leads here. Some networks do not let a machine reach itself by its public name, so this is
 * a warning and not a failure.
 */
export async function checkReached({ publicUrl }: Pick<Env, 'publicUrl'>): Promise<Finding> {
  const found = { subject: 'address', isRight: true }
  try {
    const signal = AbortSignal.timeout(quickAnswerMs)
    await requireOurs(await fetch(new URL('/healthz', publicUrl), { redirect: 'manual', signal }))
    return { ...found, what: `people find it at ${publicUrl}` }
  } catch (error) {
    const mend = 'Open it from another network; nocturne doctor --deploy prints the proxy’s file.'
    return { ...found, what: elsewhereWords(publicUrl, error), mend }
  }
}

async function requireOurs(health: Response): Promise<void> {
  const isOurs = health.status === 200 && (await limited(health).text()).includes('"ok"')
  if (!isOurs) throw new Error(`something else answers, with status ${health.status}.`)
}

function elsewhereWords(origin: string, error: unknown): string {
  const unreachable = unreachableMessage(error, 'PUBLIC_URL', origin)
  return unreachable ?? `${origin} does not lead here from this machine: ${firstLineOf(error)}`
}

function proxyFile({ publicUrl, port }: PublicEnv): Promise<string> {
  return deployFile('Caddyfile', {
    'stories.example.com': new URL(publicUrl).hostname,
    '127.0.0.1:3000': `127.0.0.1:${port}`,
  })
}

function checkTrust({ trustProxy, isSecure }: PublicEnv): Finding {
  const subject = 'trusted proxy'
  if (trustProxy.length > 0) return { subject, isRight: true, what: trustProxy.join(', ') }
  const what = 'TRUST_PROXY is not set: behind a proxy all visitors count as one address.'
  return { subject, isRight: !isSecure, what, mend: 'TRUST_PROXY=127.0.0.1' }
}

async function noCertificate(env: PublicEnv): Promise<Finding> {
  const what = 'PUBLIC_URL is http: sign-in and what is read can be read on the way.'
  return { subject: 'TLS', isRight: false, what, mend: await proxyFile(env) }
}

async function checkCertificate({ hostname, port }: URL, trusts: string | undefined): Promise<Finding> {
  const days = Math.floor(
    ((await certificateEnd(hostname, Number(port) || 443, trusts)) - Date.now()) / 86_400_000,
  )
  const isRight = days >= certificateDaysMin
  return {
    subject: 'TLS',
    isRight,
    what: `the certificate is good for ${pluralize(days, 'day')}`,
    ...(!isRight && {
      mend: 'It is not renewed: look at `systemctl status certbot.timer`, or let Caddy do it.',
    }),
  }
}

/** The end of a server's certificate, in milliseconds since 1970. */
function certificateEnd(host: string, port: number, trusts: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host, port, servername: host, timeout: answerMs, ...(trusts && { ca: trusts }) },
      () => {
        resolve(Date.parse(socket.getPeerCertificate().valid_to))
        socket.destroy()
      },
    )
    socket.on('error', reject)
    socket.on('timeout', () => socket.destroy(new Error('It does not answer.')))
  })
}

/** Names the headers that a proxy has removed, changed, or added a second time. */
function checkHeaders(env: PublicEnv, arrived: Headers): Finding {
  const wrong = securityHeaders(env).flatMap(([name, value]) => (arrived.get(name) === value ? [] : [name]))
  const subject = 'headers'
  if (wrong.length === 0) return { subject, isRight: true, what: 'pages arrive with their headers unchanged' }
  return {
    subject,
    isRight: false,
    what: `a proxy removes, changes or repeats ${wrong.join(', ')}.`,
    mend: `Nocturne sets them itself. Take these lines out of the proxy's file:\n${wrong.map((name) => `add_header ${name} …`).join('\n')}`,
  }
}
