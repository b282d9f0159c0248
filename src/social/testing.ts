import { afterAll } from 'bun:test'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, exportPKCS8, exportSPKI, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import Provider from 'oidc-provider'
import type { Browser } from '#src/testing/app'

/** A person at a provider; null declines. */
export type Account = {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
}
export type TestProvider = {
  issuer: string
  /** The person at the provider's page. */
  person: Account | null
}

const site = 'http://localhost:3000'
export const clientId = 'nocturne'
export const clientSecret = 'a secret that only both of us know'

/** Google or Apple as a local OpenID provider, whose person consents at once. */
export async function openProvider(
  name: 'google' | 'apple',
  options: { anyCallback?: true } = {},
): Promise<TestProvider> {
  const server = createServer()
  const issuer = await listen(server)
  const state: TestProvider = { issuer, person: { sub: 'nobody' } }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${site}/api/auth/${name}/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['for tests'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    scopes: ['openid', 'email', 'profile', 'name'],
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId,
        accountId: context.oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile name')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  })
  // A browser test's site gets its port later.
  if (options.anyCallback) Object.assign(provider.Client.prototype, { redirectUriAllowed: () => true })
  if (name === 'apple') {
    // Apple's secret is a new JWT each time, signed with the registered key.
    const isRight = (secret: string) => isAppleSecret(secret, issuer)
    Object.assign(provider.Client.prototype, { compareClientSecret: isRight })
  }
  const callback = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const result = state.person
      ? { login: { accountId: state.person.sub, remember: false } }
      : { error: 'access_denied', error_description: 'The person said no' }
    void provider.interactionFinished(request, response, result)
  })
  return state
}

const appleKey = await generateKeyPair('ES256', { extractable: true })

/** As Apple documents it: issuer, subject, audience, and at most half a year. */
async function isAppleSecret(secret: string, issuer: string): Promise<boolean> {
  const checks = { issuer: 'TEAM123456', subject: clientId, audience: issuer, algorithms: ['ES256'] }
  const { payload, protectedHeader } = await jwtVerify(secret, appleKey.publicKey, checks)
  const lifeSeconds = (payload.exp ?? Infinity) - (payload.iat ?? 0)
  return protectedHeader.kid === 'KEY1234567' && lifeSeconds <= 15_777_000
}

/** The defects of an ID token from a wrong or broken provider. */
export type Wrong = Partial<{
  nonce: string
  iss: string
  aud: string | string[]
  azp: string
  exp: number
  isForged: boolean
  /** `none`: unsigned; `HS256`: signed with the provider's public key, or with the client's secret. */
  alg: 'none' | 'HS256'
  hmacKey: 'public key' | 'secret'
  status: number
  /** The token endpoint's requests arrive here. */
  elsewhere: string
}>

/** An issuer that answers as it is configured; for answers that a right provider never gives. */
export async function openBadIssuer(): Promise<TestProvider & { wrong: Wrong }> {
  const server = createServer()
  const issuer = await listen(server)
  const keys = await generateKeyPair('RS256', { extractable: true })
  const forged = await generateKeyPair('RS256', { extractable: true })
  const state: TestProvider & { wrong: Wrong } = { issuer, person: { sub: 'somebody' }, wrong: {} }
  let nonce = ''
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration')
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    if (url.pathname === '/jwks')
      return json(response, {
        keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256', kid: 'a', use: 'sig' }],
      })
    if (url.pathname === '/auth') {
      nonce = url.searchParams.get('nonce') ?? ''
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'a code')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(303, { location: back.href }).end()
    }
    const { wrong } = state
    if (wrong.elsewhere) return response.writeHead(307, { location: wrong.elsewhere }).end()
    if (wrong.status) return response.writeHead(wrong.status).end('no')
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      ...state.person,
      nonce: wrong.nonce ?? nonce,
      iss: wrong.iss ?? issuer,
      aud: wrong.aud ?? clientId,
      ...(wrong.azp && { azp: wrong.azp }),
      iat: now - 7_200,
      exp: wrong.exp ?? now + 300,
    }
    const token =
      wrong.alg === 'none'
        ? new UnsecuredJWT(claims).encode()
        : wrong.alg === 'HS256'
          ? await new SignJWT(claims)
              .setProtectedHeader({ alg: 'HS256', kid: 'a' })
              .sign(await hmacKeyOf(wrong, keys.publicKey))
          : await new SignJWT(claims)
              .setProtectedHeader({ alg: 'RS256', kid: 'a' })
              .sign(wrong.isForged ? forged.privateKey : keys.privateKey)
    return json(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token })
  })
  return state
}

/** The provider's public key, or the client's secret, as a signing key. */
async function hmacKeyOf({ hmacKey }: Wrong, publicKey: CryptoKey): Promise<Uint8Array> {
  return new TextEncoder().encode(hmacKey === 'secret' ? clientSecret : await exportSPKI(publicKey))
}

/** Facebook: OAuth 2 with PKCE, and a person behind the token. */
export async function openFacebook(): Promise<TestProvider & { isAway: boolean }> {
  const server = createServer()
  const issuer = await listen(server)
  const state = { issuer, person: { sub: 'nobody' } as Account | null, isAway: false }
  const codes = new Map<string, string>()
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/dialog/oauth') {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      if (state.person) {
        const code = crypto.randomUUID()
        codes.set(code, url.searchParams.get('code_challenge') ?? '')
        back.searchParams.set('code', code)
      } else {
        back.searchParams.set('error', 'access_denied')
        back.searchParams.set('error_reason', 'user_denied')
      }
      return response.writeHead(302, { location: back.href }).end()
    }
    if (state.isAway) return response.writeHead(503).end()
    if (url.pathname === '/oauth/access_token') {
      const sent = new URLSearchParams(await bodyOf(request))
      const challenge = codes.get(sent.get('code') ?? '')
      codes.delete(sent.get('code') ?? '')
      const hash = new Bun.CryptoHasher('sha256').update(sent.get('code_verifier') ?? '').digest('base64url')
      const isRight = challenge === hash && sent.get('client_secret') === clientSecret
      return isRight
        ? json(response, { access_token: 'of the person', token_type: 'bearer', expires_in: 5_000_000 })
        : json(response, { error: { message: 'This code has been used.' } }, 400)
    }
    if (request.headers.authorization !== 'Bearer of the person') return response.writeHead(401).end()
    const { sub, email, given_name, family_name } = state.person ?? { sub: '' }
    return json(response, { id: sub, email, first_name: given_name, last_name: family_name })
  })
  return state
}

/** The variables of all three, at these issuers. */
export async function socialEnvironment(at: { google?: string; apple?: string; facebook?: string }) {
  return {
    ...(at.google && {
      OIDC_GOOGLE_CLIENT_ID: clientId,
      OIDC_GOOGLE_CLIENT_SECRET: clientSecret,
      OIDC_GOOGLE_ISSUER: at.google,
    }),
    ...(at.apple && {
      OIDC_APPLE_CLIENT_ID: clientId,
      OIDC_APPLE_KEY: (await exportPKCS8(appleKey.privateKey)).replaceAll('\n', '\\n'),
      OIDC_APPLE_KEY_ID: 'KEY1234567',
      OIDC_APPLE_TEAM_ID: 'TEAM123456',
      OIDC_APPLE_ISSUER: at.apple,
    }),
    ...(at.facebook && {
      OIDC_FACEBOOK_CLIENT_ID: clientId,
      OIDC_FACEBOOK_CLIENT_SECRET: clientSecret,
      OIDC_FACEBOOK_BASE_URL: at.facebook,
    }),
  }
}

/** The callback's parameters from a provider, after following its redirects. */
export async function walkThrough(start: string | null): Promise<URLSearchParams> {
  const jar = new Map<string, string>()
  for (let at = start ?? '', step = 0; step < 10; step += 1) {
    if (at.startsWith(site)) return new URL(at).searchParams
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = each.match(/^([^=]+)=([^;]*)/) ?? []
      if (value) jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location) at = new URL(location, at).href
    else return formOf(await response.text())
  }
  throw new Error('The provider leads round and round.')
}

/** The hidden fields of a page that posts itself, as Apple's answer does. */
function formOf(page: string): URLSearchParams {
  const fields = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  if (fields.length === 0) throw new Error(`The provider stopped: ${page.slice(0, 300)}`)
  return new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value]))
}

/** Signs in with a provider from a page, and answers what the callback says. */
export async function signInWith(
  who: Browser,
  provider: string,
  next = '/stories',
): Promise<{ response: Response; answer: URLSearchParams }> {
  const begun = await who.call(`/api/auth/${provider}?next=${encodeURIComponent(next)}`)
  const answer = await walkThrough(begun.headers.get('location'))
  return { response: await comeBack(who, provider, answer), answer }
}

export async function comeBack(who: Browser, provider: string, answer: URLSearchParams): Promise<Response> {
  const path = `/api/auth/${provider}/callback`
  if (provider !== 'apple') return who.call(`${path}?${answer}`, { headers: asPerson })
  const posted = await postFromElsewhere(who, path, answer)
  const location = posted.headers.get('location')
  return location ? who.call(location, { headers: asPerson }) : posted
}

/** The headers of a browser that navigates. */
export const asPerson = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }

/** A form post from another site's page: only cookies with SameSite=None are sent. */
export async function postFromElsewhere(
  who: Browser,
  path: string,
  fields: URLSearchParams,
): Promise<Response> {
  const lax = [...who.jar].filter(([name]) => !name.includes('entry_apple'))
  for (const [name] of lax) who.jar.delete(name)
  const response = await who.call(path, {
    form: Object.fromEntries(fields),
    headers: { ...asPerson, 'sec-fetch-site': 'cross-site', origin: 'https://appleid.apple.com' },
  })
  for (const [name, value] of lax) who.jar.set(name, value)
  return response
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  afterAll(() => new Promise<void>((done) => void server.close(() => done())))
  const port = await new Promise<number>((opened) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      opened(typeof address === 'object' && address ? address.port : 0)
    })
  })
  return `http://127.0.0.1:${port}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
