import { afterAll } from 'bun:test'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import Provider from 'oidc-provider'

/** A person's account at a provider. */
export type Account = {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
}
export type TestProvider = {
  issuer: string
  /** The person at the provider's page; null declines. */
  person: Account | null
}

/** The address at which the tests' browsers request the program. */
export const site = 'http://localhost:3000'
export const clientId = 'nocturne'
export const clientSecret = 'a secret that only both of us know'

/** Starts a local OpenID provider in place of Google or Apple, whose person consents at once. */
export async function openProvider(
  name: 'google' | 'apple',
  options: { anyCallback?: true } = {},
): Promise<TestProvider> {
  const server = createServer()
  const issuer = await listenLocally(server)
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
  // The site of a browser test gets its port later.
  if (options.anyCallback) Object.assign(provider.Client.prototype, { redirectUriAllowed: () => true })
  if (name === 'apple') {
    // Apple's client secret is a new JWT each time, signed with the registered key.
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

/** Checks the secret as Apple documents it: issuer, subject, audience, and at most half a year. */
async function isAppleSecret(secret: string, issuer: string): Promise<boolean> {
  const checks = { issuer: 'TEAM123456', subject: clientId, audience: issuer, algorithms: ['ES256'] }
  const { payload, protectedHeader } = await jwtVerify(secret, appleKey.publicKey, checks)
  const lifeSeconds = (payload.exp ?? Infinity) - (payload.iat ?? 0)
  return protectedHeader.kid === 'KEY1234567' && lifeSeconds <= 15_777_000
}

/** Starts Facebook: OAuth 2 with PKCE, and an endpoint with the token's person. */
export async function openFacebook(): Promise<TestProvider & { isAway: boolean }> {
  const server = createServer()
  const issuer = await listenLocally(server)
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
        ? sendJson(response, { access_token: 'of the person', token_type: 'bearer', expires_in: 5_000_000 })
        : sendJson(response, { error: { message: 'This code has been used.' } }, 400)
    }
    if (request.headers.authorization !== 'Bearer of the person') return response.writeHead(401).end()
    const { sub, email, given_name, family_name } = state.person ?? { sub: '' }
    return sendJson(response, { id: sub, email, first_name: given_name, last_name: family_name })
  })
  return state
}

/** The environment variables of all three providers, with these issuers. */
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

/** Listens on a port of loopback until the test file ends. Returns the address. */
export async function listenLocally(server: ReturnType<typeof createServer>): Promise<string> {
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

export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
