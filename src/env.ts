import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readMailAddress } from '#src/mail/rules'
import { narratorOfVoice, narrators, narratorsOf, voiceProviders } from '#src/narration/rules'

/** What the environment says, read and checked once. */
export type Env = ReturnType<typeof readEnv>

/** Every complaint about the environment at once, each with its mend. */
export class EnvError extends Error {}

type Source = Record<string, string | undefined>

/**
 * Reads the environment (product.md §1). Throws an EnvError that names each wrong variable, what it got
 * and what it takes. Secrets are never repeated in it.
 */
export function readEnv(source: Source = process.env) {
  const problems: string[] = []
  const read = (name: string) => source[name]?.trim() || undefined
  const wrong = (name: string, takes: string, isSecret = false) => {
    problems.push(`${name} is ${isSecret ? 'not usable' : JSON.stringify(source[name])}: it takes ${takes}.`)
  }

  const integer = (name: string, fallback: number, min: number, max: number) => {
    const value = read(name)
    if (value === undefined) return fallback
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      wrong(name, `a whole number from ${min} to ${max}`)
      return fallback
    }
    return Number(value)
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = read(name)
    if (value === undefined) return fallback
    const found = values.find((each) => each === value)
    if (!found) wrong(name, `one of ${values.join(', ')}`)
    return found ?? fallback
  }
  const url = (name: string, protocols: readonly string[], example: string, isSecret = false) => {
    const value = read(name)
    if (value === undefined) return undefined
    const parsed = URL.parse(value)
    if (!parsed || !protocols.includes(parsed.protocol)) {
      wrong(name, `an address such as ${example}`, isSecret)
      return undefined
    }
    return value.replace(/\/+$/, '')
  }
  const secret = (name: string, charactersMin: number) => {
    const value = read(name)
    if (value !== undefined && value.length < charactersMin)
      wrong(name, `at least ${charactersMin} characters`, true)
    return value
  }
  const privateKey = (name: string) => {
    const value = read(name)
    if (value !== undefined && !/^[\w-]{43}$/.test(value))
      wrong(name, 'a private key of P-256, 32 bytes as base64url', true)
    return value
  }
  const list = (name: string, isRight: (each: string) => boolean, takes: string) => {
    const values = (read(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
    if (!values.every(isRight)) wrong(name, takes)
    return values
  }

  const origins = (name: string) =>
    list(
      name,
      (text) => URL.canParse(text) && isOrigin(text),
      'comma-separated origins such as http://10.0.0.5:8000',
    ).map((text) => (URL.canParse(text) ? new URL(text).origin : text))
  const mailAddress = (name: string) => {
    const value = read(name)
    const address = value === undefined ? undefined : readMailAddress(value)
    if (address === null) wrong(name, 'an address such as Nocturne <hello@example.com>')
    return address ?? undefined
  }
  const amount = (name: string, fallback: number) => {
    const value = read(name)
    if (value === undefined) return fallback
    if (!/^\d+(\.\d+)?$/.test(value)) wrong(name, 'an amount such as 0.3')
    return Number(value)
  }
  const pairs = (name: string, example: string): Readonly<Record<string, string>> => {
    const isRight = (each: string) => {
      const [narrator, id, ...rest] = each.split('=').map((part) => part.trim())
      return narrators.some((known) => known === narrator) && Boolean(id) && rest.length === 0
    }
    const given = list(name, isRight, `comma-separated narrators with their voices, such as ${example}`)
    return Object.fromEntries(given.map((each) => each.split('=').map((part) => part.trim())))
  }
  const voiceOrder = () => {
    const isRight = (each: string) => voiceProviders.some((known) => known === each)
    const given = list('VOICE_ORDER', isRight, `some of ${voiceProviders.join(', ')}, comma-separated`)
    return given.length > 0
      ? voiceProviders
          .filter((each) => given.includes(each))
          .toSorted((a, b) => given.indexOf(a) - given.indexOf(b))
      : voiceProviders
  }

  const port = integer('PORT', 3000, 0, 65_535)
  const statedUrl = url('PUBLIC_URL', ['http:', 'https:'], 'https://stories.example.com')
  if (statedUrl !== undefined && !isOrigin(statedUrl)) {
    wrong('PUBLIC_URL', 'an origin alone, without a path, such as https://stories.example.com')
  }
  const publicUrl = statedUrl ? new URL(statedUrl).origin : `http://localhost:${port}`
  const trustProxy = list('TRUST_PROXY', isNetwork, 'comma-separated networks such as 10.0.0.0/8')

  const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const s3Missing = s3Names.filter((name) => !read(name))
  if (s3Missing.length > 0 && s3Missing.length < s3Names.length) {
    problems.push(
      `${s3Missing.join(', ')} missing: audio goes to S3 only when all of ${s3Names.join(', ')} are set. Set them, or none.`,
    )
  }
  const s3Endpoint = url('S3_ENDPOINT', ['http:', 'https:'], 'https://s3.example.com')

  /** All of a provider's variables, or none: then there is no button. */
  const client = (provider: string, needs: readonly string[]) => {
    const names = needs.map((name) => `OIDC_${provider}_${name}`)
    const missing = names.filter((name) => !read(name))
    if (missing.length === names.length) return undefined
    if (missing.length > 0) {
      problems.push(`${missing.join(', ')} missing: set all of ${names.join(', ')}, or none.`)
      return undefined
    }
    return needs.map((name) => read(`OIDC_${provider}_${name}`) ?? '')
  }
  const issuer = (name: string, fallback: string) => {
    const value = url(name, ['http:', 'https:'], fallback) ?? fallback
    const parsed = URL.parse(value)
    // Unencrypted, anybody on the way could say who signs in.
    if (parsed?.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname))
      wrong(name, 'an https address; http is for this machine alone')
    return value
  }
  const google = client('GOOGLE', ['CLIENT_ID', 'CLIENT_SECRET'])
  const apple = client('APPLE', ['CLIENT_ID', 'KEY', 'KEY_ID', 'TEAM_ID'])
  const facebook = client('FACEBOOK', ['CLIENT_ID', 'CLIENT_SECRET'])
  const [googleId = '', googleSecret = ''] = google ?? []
  const [appleId = '', appleKey = '', appleKeyId = '', appleTeamId = ''] = apple ?? []
  const [facebookId = '', facebookSecret = ''] = facebook ?? []

  const ageGate = read('AGE_GATE') ?? 'confirm'
  if (ageGate !== 'confirm' && ageGate !== 'off' && URL.parse(ageGate)?.protocol !== 'https:') {
    wrong('AGE_GATE', 'confirm, off, or the https address of a provider')
  }
  const ageGateSecret = secret('AGE_GATE_SECRET', 32)
  if (URL.parse(ageGate)?.protocol === 'https:' && !read('AGE_GATE_SECRET'))
    problems.push('AGE_GATE_SECRET missing: set what the provider of AGE_GATE signs its answers with.')

  const env = {
    port,
    host: read('HOST') ?? '0.0.0.0',
    publicUrl,
    isSecure: publicUrl.startsWith('https:'),
    allowedHosts: list(
      'ALLOWED_HOSTS',
      isHostName,
      'comma-separated host names without a port, such as stories.example.com',
    ),
    dataDir: resolve(read('DATA_DIR') ?? '.data'),
    databaseUrl: url(
      'DATABASE_URL',
      ['postgres:', 'postgresql:'],
      'postgres://user:password@host:5432/nocturne',
      true,
    ),
    adminToken: secret('ADMIN_TOKEN', 8),
    sessionSecret: secret('SESSION_SECRET', 32),
    encryptionKey: secret('ENCRYPTION_KEY', 32),
    vapidPrivateKey: privateKey('VAPID_PRIVATE_KEY'),
    s3:
      s3Missing.length === 0 && s3Endpoint
        ? {
            endpoint: s3Endpoint,
            bucket: read('S3_BUCKET') ?? '',
            accessKeyId: read('S3_ACCESS_KEY_ID') ?? '',
            secretAccessKey: read('S3_SECRET_ACCESS_KEY') ?? '',
            region: read('S3_REGION') ?? 'us-east-1',
          }
        : undefined,
    allowPrivateModelUrls: origins('ALLOW_PRIVATE_MODEL_URLS'),
    /** Not the models': a member's browser names the address of its push service. */
    allowPrivatePushUrls: origins('ALLOW_PRIVATE_PUSH_URLS'),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com', true),
    mailFrom: mailAddress('MAIL_FROM'),
    elevenlabs: {
      apiKey: read('ELEVENLABS_API_KEY'),
      baseUrl: url('ELEVENLABS_BASE_URL', ['http:', 'https:'], 'https://api.elevenlabs.io'),
      model: read('ELEVENLABS_MODEL') ?? 'eleven_multilingual_v2',
      /** Narrator → voice id, before the built-in ids. */
      voices: pairs('ELEVENLABS_VOICES', 'rachel=21m00Tcm4TlvDq8ikWAM'),
      usdPer1000Characters: amount('ELEVENLABS_USD_PER_1000_CHARACTERS', 0.3),
    },
    openai: {
      apiKey: read('OPENAI_API_KEY'),
      baseUrl: url('OPENAI_BASE_URL', ['http:', 'https:'], 'https://api.openai.com/v1'),
      /** The model that writes and marks up. */
      model: read('OPENAI_MODEL'),
      speechModel: read('OPENAI_SPEECH_MODEL') ?? 'gpt-4o-mini-tts',
      voices: pairs('OPENAI_VOICES', 'rachel=shimmer'),
      usdPer1000Characters: amount('OPENAI_SPEECH_USD_PER_1000_CHARACTERS', 0.015),
    },
    /** Asked for a second opinion on texts, at OpenAI's address; unset: nobody is asked. */
    moderationModel: read('MODERATION_MODEL'),
    /** Which voices are tried, in this order, where they are configured. */
    voiceOrder: voiceOrder(),
    narratorFemale: oneOf('NARRATOR_FEMALE', narratorsOf('female'), narratorOfVoice.female),
    narratorMale: oneOf('NARRATOR_MALE', narratorsOf('male'), narratorOfVoice.male),
    narrationsAtOnce: integer('NARRATIONS_AT_ONCE', 1, 1, 16),
    /** What one member may have made in a day, and how long a text of theirs may be. */
    memberNarrationsADay: integer('MEMBER_NARRATIONS_A_DAY', 3, 0, 1_000),
    memberDraftsADay: integer('MEMBER_DRAFTS_A_DAY', 10, 0, 1_000),
    memberWordsMax: integer('MEMBER_WORDS_MAX', 4_000, 50, 10_000),
    /** Requests to the outside go through a proxy, so the other end's address cannot be tried first. */
    isProxied: ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].some((name) => Boolean(read(name))),
    /** Accounts elsewhere that sign in here. */
    social: {
      google: google && {
        clientId: googleId,
        clientSecret: googleSecret,
        issuer: issuer('OIDC_GOOGLE_ISSUER', 'https://accounts.google.com'),
      },
      apple: apple && {
        clientId: appleId,
        // In a file of variables line ends are written as \n.
        key: appleKey.replaceAll('\\n', '\n'),
        keyId: appleKeyId,
        teamId: appleTeamId,
        issuer: issuer('OIDC_APPLE_ISSUER', 'https://appleid.apple.com'),
      },
      facebook: facebook && {
        clientId: facebookId,
        clientSecret: facebookSecret,
        /** In place of both hosts of Facebook's; unset: those. */
        baseUrl: read('OIDC_FACEBOOK_BASE_URL') ? issuer('OIDC_FACEBOOK_BASE_URL', '') : undefined,
      },
    },
    siteName: read('SITE_NAME') ?? 'Nocturne',
    marketingUrl:
      url('MARKETING_URL', ['http:', 'https:'], 'https://www.example.com') ?? 'https://example.com',
    contactEmail: read('CONTACT_EMAIL'),
    freeStoryLimit: integer('FREE_STORY_LIMIT', 3, 0, 1_000),
    ageGate,
    ageGateSecret,
    consentDefault: oneOf('CONSENT_DEFAULT', ['granted', 'ask'] as const, 'granted'),
    trustProxy,
    logLevel: oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error'] as const, 'info'),
    keepsOffline: oneOf('OFFLINE', ['on', 'off'] as const, 'on') === 'on',
    demo: oneOf('DEMO', ['on', 'off'] as const, 'on') === 'on',
  }
  if (problems.length > 0) throw new EnvError(problems.join('\n'))
  return env
}

function isOrigin(address: string): boolean {
  const { pathname, search, hash, username, password } = new URL(address)
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}

/** An address, or one with the number of bits that its network has. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^\[[0-9a-f:.]+\]$/i.test(text)
}
