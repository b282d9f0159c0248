import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { clientId, clientSecret, listenLocally, sendJson, type TestProvider } from './testing'

/** The defects of an ID token from a malicious or broken provider. */
export type Wrong = Partial<{
  nonce: string
  iss: string
  aud: string | string[]
  azp: string
  /** Null leaves it out, as in `iat`. */
  exp: number | null
  iat: number | null
  isForged: boolean
  /** `none` is unsigned; `HS256` is signed with the provider's public key, or with the client's secret. */
  alg: 'none' | 'HS256'
  hmacKey: 'public key' | 'secret'
  status: number
  /** Closes the connection of the token endpoint's requests without an answer. */
  isClosed: boolean
  /** The address that receives the token endpoint's requests. */
  elsewhere: string
  /** Replaces members of the discovery document. */
  discovery: Record<string, unknown>
}>

/** Starts an issuer that answers as configured, for answers that a correct provider never gives. */
export async function openBadIssuer(): Promise<TestProvider & { wrong: Wrong }> {
  const server = createServer()
  const issuer = await listenLocally(server)
  const keys = await generateKeyPair('RS256', { extractable: true })
  const forged = await generateKeyPair('RS256', { extractable: true })
  const state: TestProvider & { wrong: Wrong } = { issuer, person: { sub: 'somebody' }, wrong: {} }
  let nonce = ''
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration')
      return sendJson(response, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...state.wrong.discovery,
      })
    if (url.pathname === '/jwks')
      return sendJson(response, {
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
    if (wrong.isClosed) return request.socket.destroy()
    if (wrong.status) return response.writeHead(wrong.status).end('no')
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      ...state.person,
      nonce: wrong.nonce ?? nonce,
      iss: wrong.iss ?? issuer,
      aud: wrong.aud ?? clientId,
      ...(wrong.azp && { azp: wrong.azp }),
      iat: wrong.iat === undefined ? now - 7_200 : (wrong.iat ?? undefined),
      exp: wrong.exp === undefined ? now + 300 : (wrong.exp ?? undefined),
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
    return sendJson(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token })
  })
  return state
}

/** The provider's public key, or the client's secret, as a signing key. */
async function hmacKeyOf({ hmacKey }: Wrong, publicKey: CryptoKey): Promise<Uint8Array> {
  return new TextEncoder().encode(hmacKey === 'secret' ? clientSecret : await exportSPKI(publicKey))
}
