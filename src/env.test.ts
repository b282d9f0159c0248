import { describe, expect, test } from 'bun:test'
import { isAbsolute } from 'node:path'
import { EnvError, readEnv } from '#src/env'

/** The messages about an invalid environment. */
function complaintOf(environment: Record<string, string>): string {
  try {
    readEnv(environment)
  } catch (error) {
    if (error instanceof EnvError) return error.message
    throw error
  }
  return ''
}

test('an empty environment is valid and yields the defaults', () => {
  const env = readEnv({})
  expect(env).toMatchObject({
    port: 3000,
    host: '0.0.0.0',
    publicUrl: 'http://localhost:3000',
    isSecure: false,
    allowedHosts: [],
    databaseUrl: undefined,
    adminToken: undefined,
    s3: undefined,
    siteName: 'Nocturne',
    freeStoryLimit: 3,
    memberNarrationsADay: 3,
    memberDraftsADay: 10,
    memberWordsMax: 4_000,
    ageGate: 'confirm',
    consentDefault: 'granted',
    trustProxy: [],
    logLevel: 'info',
    keepsOffline: true,
    demo: true,
  })
  expect(env.dataDir).toEndWith('.data')
  expect(isAbsolute(env.dataDir)).toBe(true)
})

test('an empty or blank variable counts as not set', () => {
  const blank = Object.fromEntries(
    [
      'PORT',
      'PUBLIC_URL',
      'ADMIN_TOKEN',
      'DATABASE_URL',
      'AGE_GATE',
      'DEMO',
      'TRUST_PROXY',
      'S3_BUCKET',
      'LOG_LEVEL',
      'ALLOWED_HOSTS',
    ].map((name) => [name, '  ']),
  )
  expect(readEnv(blank)).toEqual(readEnv({}))
})

describe('error for an invalid variable', () => {
  test.each([
    ['PORT', 'http', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number'],
    ['PORT', '65536', 'a whole number'],
    ['PORT', '3000.5', 'a whole number'],
    ['PORT', '0x10', 'a whole number'],
    ['PUBLIC_URL', 'evening.example', 'such as https://stories.example.com'],
    ['PUBLIC_URL', 'ftp://evening.example', 'such as https://stories.example.com'],
    ['PUBLIC_URL', 'https://', 'such as https://stories.example.com'],
    ['PUBLIC_URL', 'https://evening.example/library', 'such as https://stories.example.com'],
    ['PUBLIC_URL', 'https://evening.example?x', 'such as https://stories.example.com'],
    ['PUBLIC_URL', 'https://user:word@evening.example', 'such as https://stories.example.com'],
    ['ALLOWED_HOSTS', 'evening.example:3000', 'host names'],
    ['ALLOWED_HOSTS', 'good.example, https://evening.example', 'host names'],
    ['ALLOWED_HOSTS', '*.evening.example', 'host names'],
    ['MARKETING_URL', 'www.example.com', 'such as https://www.example.com'],
    ['MARKETING_URL', 'javascript:alert(1)', 'such as https://www.example.com'],
    ['FREE_STORY_LIMIT', 'three', 'a whole number from 0 to 1000'],
    ['FREE_STORY_LIMIT', '1001', 'a whole number'],
    ['MEMBER_NARRATIONS_A_DAY', 'many', 'a whole number from 0 to 1000'],
    ['MEMBER_DRAFTS_A_DAY', '-1', 'a whole number from 0 to 1000'],
    ['MEMBER_WORDS_MAX', '20', 'a whole number from 50 to 10000'],
    ['AGE_GATE', 'on', 'confirm, off'],
    ['AGE_GATE', 'http://age.example', 'confirm, off'],
    ['AGE_GATE', 'httpsx://age.example', 'confirm, off'],
    ['CONSENT_DEFAULT', 'yes', 'one of granted, ask'],
    ['LOG_LEVEL', 'verbose', 'one of debug, info, warn, error'],
    ['LOG_LEVEL', 'INFO', 'one of debug'],
    ['DEMO', 'true', 'one of on, off'],
    ['TRUST_PROXY', 'proxy.example', 'networks such as 10.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.0/33', 'networks such as 10.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.0/', 'networks such as 10.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.0/8/8', 'networks such as 10.0.0.0/8'],
    ['TRUST_PROXY', '::1/129', 'networks such as 10.0.0.0/8'],
    ['TRUST_PROXY', '10.0.0.0/8, 10.0.0.256', 'networks such as 10.0.0.0/8'],
  ])('names %s=%s and the accepted values', (name, value, takes) => {
    const complaint = complaintOf({ [name]: value })
    expect(complaint.split('\n')).toHaveLength(1)
    expect(complaint).toStartWith(`${name} is ${JSON.stringify(value)}: it takes `)
    expect(complaint).toContain(takes)
  })
})

describe('error for an invalid secret', () => {
  test.each([
    [
      'ADMIN_TOKEN',
      'hunter2'.padEnd(31, 'x'),
      'at least 32 random characters. `openssl rand -base64 32` makes some.',
    ],
    ['SESSION_SECRET', 'hunter2hunter2hunter2', 'at least 32 random characters'],
    ['ENCRYPTION_KEY', 'hunter2hunter2hunter2', 'at least 32 random characters'],
    ['VAPID_PRIVATE_KEY', 'hunter2hunter2hunter2', 'a private key of P-256'],
    ['DATABASE_URL', 'mysql://nocturne:hunter2@db/nocturne', 'postgres://user:password@host'],
    ['DATABASE_URL', 'hunter2', 'postgres://user:password@host'],
    ['SMTP_URL', 'https://nocturne:hunter2@mail.example', 'smtps://user:password@mail.example.com'],
    ['SMTP_URL', 'hunter2', 'smtps://user:password@mail.example.com'],
  ])('names the variable but not the value for %s=%s', (name, value, takes) => {
    const complaint = complaintOf({ [name]: value })
    expect(complaint).toStartWith(`${name} is not usable: it takes `)
    expect(complaint).toContain(takes)
    expect(complaint).not.toContain('hunter2')
  })
})

describe('S3 settings', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'audio',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'hunter2',
  }

  test.each(Object.keys(whole))('are rejected without %s', (name) => {
    const { [name as keyof typeof whole]: _, ...others } = whole
    const complaint = complaintOf(others)
    expect(complaint).toStartWith(`${name} missing: `)
    expect(complaint).not.toContain('hunter2')
  })

  test('are rejected if the endpoint is no URL', () => {
    const complaint = complaintOf({ ...whole, S3_ENDPOINT: 's3.example' })
    expect(complaint).toBe('S3_ENDPOINT is "s3.example": it takes an address such as https://s3.example.com.')
  })

  test('have us-east-1 as the default region', () => {
    expect(readEnv(whole).s3).toMatchObject({
      endpoint: 'https://s3.example',
      bucket: 'audio',
      region: 'us-east-1',
    })
    expect(readEnv({ ...whole, S3_REGION: 'eu-central-1' }).s3).toMatchObject({ region: 'eu-central-1' })
  })
})

test('all invalid variables are reported at once, one a line', () => {
  const complaint = complaintOf({ PORT: 'x', DEMO: 'x', ADMIN_TOKEN: 'x', TRUST_PROXY: 'x', S3_BUCKET: 'x' })
  expect(complaint.split('\n').map((line) => line.split(/[ ,]/)[0])).toEqual([
    'PORT',
    'TRUST_PROXY',
    'S3_ENDPOINT',
    'ADMIN_TOKEN',
    'DEMO',
  ])
})

test('AUDIO_DELIVERY is rejected if it does not fit the storage of audio', () => {
  const s3 = {
    S3_ENDPOINT: 'http://store:9000',
    S3_BUCKET: 'a',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
  }
  const redirect = { ...s3, AUDIO_DELIVERY: 'redirect', PUBLIC_URL: 'https://stories.example.com' }
  expect(complaintOf({ AUDIO_DELIVERY: 'redirect' })).toContain('audio is in a folder: set the S3_ variables')
  expect(complaintOf({ ...s3, AUDIO_DELIVERY: 'accel' })).toContain('set it to redirect or proxy, or unset')
  expect(complaintOf(redirect)).toContain('set S3_PUBLIC_ENDPOINT to an https address')
  const env = readEnv({ ...redirect, S3_PUBLIC_ENDPOINT: 'https://audio.example.com/' })
  expect(env.s3?.publicEndpoint).toBe('https://audio.example.com')
  expect(readEnv({ AUDIO_DELIVERY: 'accel' }).audioDelivery).toBe('accel')
})

test('valid variables are parsed and normalised', () => {
  const env = readEnv({
    PORT: ' 8080 ',
    PUBLIC_URL: 'https://Evening.example:8443/',
    ALLOWED_HOSTS: 'Stories.example, 10.0.0.5 ,[fd00::1]',
    DATABASE_URL: 'postgresql://user:word@db:5432/nocturne?sslmode=require',
    FREE_STORY_LIMIT: '0',
    AGE_GATE: 'https://age.example/check',
    AGE_GATE_SECRET: 'thirty-two characters and some more',
    TRUST_PROXY: '10.0.0.0/8,::1, fd00::/8',
    DEMO: 'off',
  })
  expect(env).toMatchObject({
    port: 8080,
    isSecure: true,
    allowedHosts: ['Stories.example', '10.0.0.5', '[fd00::1]'],
    databaseUrl: 'postgresql://user:word@db:5432/nocturne?sslmode=require',
    freeStoryLimit: 0,
    ageGate: 'https://age.example/check',
    trustProxy: ['10.0.0.0/8', '::1', 'fd00::/8'],
    keepsOffline: true,
    demo: false,
  })
  expect(new URL(env.publicUrl).origin).toBe('https://evening.example:8443')
  expect(env.publicUrl).not.toEndWith('/')
})

test('the default public URL contains the port', () => {
  expect(readEnv({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
})

describe('social sign-in settings', () => {
  const google = { OIDC_GOOGLE_CLIENT_ID: 'a', OIDC_GOOGLE_CLIENT_SECRET: 'b' }
  test('are absent without their variables, and have the provider’s issuer by default', () => {
    expect(readEnv({}).social).toStrictEqual({ google: undefined, apple: undefined, facebook: undefined })
    expect(readEnv(google).social.google).toEqual({
      clientId: 'a',
      clientSecret: 'b',
      issuer: 'https://accounts.google.com',
    })
  })

  test('are rejected if incomplete, with the names of the missing variables', () => {
    expect(() => readEnv({ OIDC_APPLE_CLIENT_ID: 'a', OIDC_APPLE_KEY: 'b' })).toThrow(
      'OIDC_APPLE_KEY_ID, OIDC_APPLE_TEAM_ID missing',
    )
  })

  test('need an https issuer, except on localhost', () => {
    expect(() => readEnv({ ...google, OIDC_GOOGLE_ISSUER: 'http://accounts.example.com' })).toThrow(
      'OIDC_GOOGLE_ISSUER',
    )
    const local = readEnv({ ...google, OIDC_GOOGLE_ISSUER: 'http://127.0.0.1:5/' })
    expect(local.social.google?.issuer).toBe('http://127.0.0.1:5')
  })
})

test('PROCESSES accepts a number or auto, and at most 10 with the embedded PostgreSQL', () => {
  const isLinux = process.platform === 'linux'
  const count = (source: Record<string, string>) => readEnv(source).processes
  expect(count({})).toBe(1)
  if (!isLinux) return
  expect(count({ PROCESSES: '10' })).toBe(10)
  expect(count({ PROCESSES: 'auto' })).toBeWithin(1, 11)
  expect(count({ PROCESSES: '40', DATABASE_URL: 'postgres://db/nocturne' })).toBe(40)
  expect(() => count({ PROCESSES: '40' })).toThrow(
    'PROCESSES is at most 10 with the embedded PostgreSQL. Set DATABASE_URL for more.',
  )
  expect(() => count({ PROCESSES: 'many' })).toThrow(
    'PROCESSES is "many": it takes a number up to 99, or auto: one a core.',
  )
})

test('DATABASE_URL and DATABASE_DIRECT_URL accept several hosts', () => {
  const url = 'postgres://user:word@a:5432,b:5433/nocturne'
  expect(readEnv({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).toMatchObject({
    databaseUrl: url,
    databaseDirectUrl: url,
  })
})
