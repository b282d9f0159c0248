import { importPKCS8, SignJWT } from 'jose'
import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { AppError } from '#src/app-error'
import type { Env } from '#src/env'
import { limited } from '#src/http-client/limited'
import { type Provider, providerLabels } from './rules'

/**
 * A `fetch` with limited responses. Configurations, keys and tokens are short texts, so a provider that sends without
 * end is refused.
 */
const fetchLimited: CustomFetch = async (url, { body, ...options }) =>
  limited(await fetch(url, { ...options, body: body instanceof Uint8Array ? new Uint8Array(body) : body }))

const known = new WeakMap<Env['social'], Map<Provider, { client: Configuration; until: number }>>()
/**
 * How long a configuration is cached. A provider's keys and addresses rarely change, and Apple's secret is valid for
 * twice as long.
 */
const knownMs = 30 * 60_000
const appleSecretSeconds = 3_600
/** Timeout of each call to a provider, while a person waits before a blank page. */
const callSeconds = 10

/**
 * Returns a provider's configuration for openid-client. Throws `not_configured`, and `unavailable` if the provider does
 * not answer.
 */
export async function clientOf({ social }: Pick<Env, 'social'>, provider: Provider): Promise<Configuration> {
  const label = providerLabels[provider]
  if (!social[provider])
    throw new AppError(
      'not_configured',
      `Signing in with ${label} is not set up here. Use your email and a password.`,
    )
  const clients = known.get(social) ?? new Map()
  known.set(social, clients)
  const found = clients.get(provider)
  if (found && found.until > Date.now()) return found.client
  try {
    const client = await makers[provider](social)
    client.timeout = callSeconds
    client[customFetch] = fetchLimited
    clients.set(provider, { client, until: Date.now() + knownMs })
    return client
  } catch (cause) {
    throw new AppError(
      'unavailable',
      `${label} is not answering right now. Try again, or use your email and a password.`,
      { cause, retryAfterSeconds: 30 },
    )
  }
}

const makers: Record<Provider, (social: Env['social']) => Promise<Configuration>> = {
  async google({ google }) {
    if (!google) throw new Error('Google is not set up.')
    return discover(google.issuer, google.clientId, google.clientSecret)
  },
  async apple({ apple }) {
    if (!apple) throw new Error('Apple is not set up.')
    return discover(apple.issuer, apple.clientId, await appleSecret(apple))
  },
  /** Facebook supports only OAuth 2, without discovery. */
  async facebook({ facebook }) {
    if (!facebook) throw new Error('Facebook is not set up.')
    const { dialog, graph } = facebookHosts(facebook.baseUrl)
    const client = new Configuration(
      {
        issuer: graph,
        authorization_endpoint: `${dialog}/dialog/oauth`,
        token_endpoint: `${graph}/oauth/access_token`,
      },
      facebook.clientId,
      {},
      ClientSecretPost(facebook.clientSecret),
    )
    if (graph.startsWith('http:')) allowInsecureRequests(client)
    return client
  },
}

async function discover(issuer: string, clientId: string, clientSecret: string): Promise<Configuration> {
  const client = await discovery(new URL(issuer), clientId, {}, ClientSecretPost(clientSecret), {
    timeout: callSeconds,
    [customFetch]: fetchLimited,
    // The environment allows http only for localhost.
    execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  })
  requireEndpoints(client)
  enableNonRepudiationChecks(client)
  return client
}

/**
 * Throws if the discovery document lacks a usable address, which would lead a person nowhere, or make them return from
 * the provider in vain.
 */
function requireEndpoints(client: Configuration): void {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = client.serverMetadata()
  const { protocol } = new URL(issuer)
  for (const [name, address] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
    const found = URL.parse(String(address))?.protocol
    if (found !== 'https:' && found !== protocol) throw new Error(`${issuer} has no address as its ${name}.`)
  }
}

/** Creates Apple's client secret, a JWT signed with its key (Sign in with Apple, "Creating a client secret"). */
async function appleSecret({ key, keyId, teamId, clientId, issuer }: NonNullable<Env['social']['apple']>) {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime(`${appleSecretSeconds}s`)
    .sign(await importPKCS8(key, 'ES256'))
}

/** The version of the Graph API, which Facebook supports until 2027. */
const facebookVersion = 'v23.0'

export function facebookHosts(baseUrl: string | undefined): { dialog: string; graph: string } {
  return baseUrl
    ? { dialog: baseUrl, graph: baseUrl }
    : {
        dialog: `https://www.facebook.com/${facebookVersion}`,
        graph: `https://graph.facebook.com/${facebookVersion}`,
      }
}
