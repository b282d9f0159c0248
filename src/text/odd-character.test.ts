import { describe, expect, test } from 'bun:test'
import { modelConfig } from '#db/schema'
import { EnvError, readEnv } from '#src/env'
import { redirect } from '#src/http/redirect'
import { safePath } from '#src/http/safe-path'
import { addressProblem } from '#src/http-client/guarded-fetch'
import { isMailAddress, readMailAddress } from '#src/mail/rules'
import { sendMail } from '#src/mail/send-mail'
import { takeMails } from '#src/mail/testing'
import { findModel } from '#src/model/configuration'
import { chatAnswer, testModelServer } from '#src/model/testing'
import { seal } from '#src/security/encryption'
import { memberBrowser, operatorBrowser, testApp } from '#src/testing/app'
import { oddCharacterProblem } from '#src/text/odd-character'

/** Characters that pasted text contains, each in the middle of a value. */
const oddities: [name: string, character: string, codePoint: string][] = [
  ['a zero-width space', '\u200b', 'U+200B'],
  ['a curly quote', '\u201d', 'U+201D'],
  ['a line end', '\n', 'U+000A'],
  ['a line end with a header after it', '\r\nX-Evil: 1', 'U+000D'],
  ['NUL', '\0', 'U+0000'],
  ['a no-break space', '\u00a0', 'U+00A0'],
]
const server = testModelServer()
server.state.answer = () => chatAnswer('The lamp was on.')
const { app, services } = await testApp({ ALLOW_PRIVATE_MODEL_URLS: server.origin })
const operator = await operatorBrowser(app)
const mara = await memberBrowser(app, 'mara@example.com')
// The new member's welcome mail.
await takeMails(services)

const keys = [
  'OPENAI_API_KEY',
  'ELEVENLABS_API_KEY',
  'ELEVENLABS_MODEL',
  'MODERATION_MODEL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_BUCKET',
  'S3_REGION',
  'OIDC_GOOGLE_CLIENT_ID',
  'OIDC_GOOGLE_CLIENT_SECRET',
  'OIDC_APPLE_KEY_ID',
  'OIDC_FACEBOOK_CLIENT_SECRET',
  'ADMIN_TOKEN',
  'AGE_GATE_SECRET',
]
const addresses = [
  'OPENAI_BASE_URL',
  'ELEVENLABS_BASE_URL',
  'S3_ENDPOINT',
  'PUBLIC_URL',
  'MARKETING_URL',
  'AGE_GATE',
  'CONTACT_EMAIL',
  'OIDC_GOOGLE_ISSUER',
]

function complaintOf(environment: Record<string, string>): string {
  try {
    readEnv(environment)
    return ''
  } catch (error) {
    if (error instanceof EnvError) return error.message
    throw error
  }
}

const whole = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'audio',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  OIDC_GOOGLE_CLIENT_ID: 'a',
  OIDC_GOOGLE_CLIENT_SECRET: 'b',
  OIDC_APPLE_CLIENT_ID: 'a',
  OIDC_APPLE_KEY: '-----BEGIN PRIVATE KEY-----\nMIG\n-----END PRIVATE KEY-----\n',
  OIDC_APPLE_KEY_ID: 'c',
  OIDC_APPLE_TEAM_ID: 'd',
  OIDC_FACEBOOK_CLIENT_ID: 'e',
  OIDC_FACEBOOK_CLIENT_SECRET: 'f',
  AGE_GATE_SECRET: 'x'.repeat(40),
}

describe.each(oddities)('%s', (_, odd, codePoint) => {
  const place = `at place 12: ${codePoint}. Paste it again.`
  const key = `sk-abcdefgh${odd}ijklmnopqrstuvwxyz0123456789`

  test.each(['openaiApiKey', 'runpodApiKey'])(
    'in the %s of the console is rejected with its position',
    async (name) => {
      for (const path of ['/api/model-config', '/api/model-config/test']) {
        const response = await operator.call(path, { json: { provider: 'openai', [name]: key } })
        const message = `The key holds a character that no key has, ${place}`
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({ code: 'invalid', fields: [{ path: name, message }] })
      }
      expect(await services.db.$count(modelConfig)).toBe(0)
    },
  )

  test.each(['openaiApiUrl', 'runpodApiUrl'])(
    'in the %s of the console is rejected with its code point',
    async (name) => {
      const json = { provider: 'openai', [name]: `https://models.example.com/${odd}v1` }
      const response = await operator.call('/api/model-config', { json })
      expect(response.status).toBe(422)
      expect((await response.json()).message).toContain(codePoint)
    },
  )

  test.each(keys)('in %s stops the start with its position, without repeating the value', (name) => {
    const complaint = complaintOf({ ...whole, [name]: key })
    expect(complaint).toContain(`${name}: `)
    expect(complaint).toContain(place)
    expect(complaint).not.toContain('abcdefgh')
  })

  test.each(addresses)('in %s stops the start with its position', (name) => {
    const complaint = complaintOf({ ...whole, [name]: `https://api.example.com/${odd}v1` })
    expect(complaint).toContain(`${name}: The address holds a character that no address has, at place 25: `)
  })

  test('in a mail address makes it invalid, for recipients and senders', () => {
    expect(isMailAddress(`ana${odd}@example.com`)).toBe(false)
    expect(readMailAddress(`Nocturne <hello${odd}@example.com>`)).toBeNull()
  })

  test('in a mail’s subject adds no header', async () => {
    await sendMail(services, { to: 'ana@example.com', subject: `Your${odd} place`, text: 'Dear Ana' })
    const [mail] = await takeMails(services)
    expect([...(mail?.headers.keys() ?? [])]).not.toContain('x-evil')
    expect(mail?.text).toBe('Dear Ana')
  })

  test('in a redirect target adds no header', async () => {
    const target = safePath(`/story/a${odd}b?next=${odd}`)
    expect(redirect(target).headers.get('location')).toMatch(/^[\x21-\x7e]+$/)
  })

  test('in the endpoint or keys of a push subscription is rejected', async () => {
    const right = {
      endpoint: 'https://push.example.net/send/3q2-7w',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }
    for (const wrong of [
      { ...right, endpoint: `${right.endpoint}${odd}x` },
      { ...right, keys: { ...right.keys, auth: `BTBZMqHH6r4${odd}Tts7J_aSIgg` } },
      { ...right, keys: { ...right.keys, p256dh: `${right.keys.p256dh.slice(0, 80)}${odd}sIAiw4` } },
    ]) {
      const response = await mara.call('/api/user/push', { json: wrong })
      expect(response.status).toBe(422)
    }
  })
})

test.each([
  ['\u200b', false],
  ['\u2028', false],
  ['\n', false],
  ['\0', false],
  ['\u202e', false],
  ['’s 🌙👩‍❤️‍👩 夜', true],
])('SITE_NAME may hold %j: %p', (text, isTaken) => {
  expect(complaintOf({ SITE_NAME: `Ana${text} stories` }) === '').toBe(isTaken)
})

test('white space pasted at the ends of a key or address is trimmed', async () => {
  const ends = ['\n', '\r\n', ' \n', '\u00a0', '\ufeff']
  for (const end of ends) {
    expect(readEnv({ OPENAI_API_KEY: `${end}sk-abc${end}` }).openai.apiKey).toBe('sk-abc')
    const json = {
      provider: 'openai',
      openaiApiUrl: `${server.url}${end}`,
      openaiApiKey: `sk-abcdefgh1${end}`,
    }
    expect((await operator.call('/api/model-config', { json })).status).toBe(200)
    expect(await findModel(services)).toMatchObject({ apiKey: 'sk-abcdefgh1', url: server.url })
  }
  expect((await operator.call('/api/model-config/test', { json: { provider: 'openai' } })).status).toBe(200)
  await services.db.delete(modelConfig)
})

test('hosts in any script and private keys of several lines are accepted', () => {
  expect(addressProblem('https://modèles.example/v1', [])).toBeNull()
  expect(complaintOf(whole)).toBe('')
})

test('a stored key that would be rejected now counts as missing', async () => {
  const id = Bun.randomUUIDv7()
  const place = { table: 'model_config', row: id, column: 'openai_api_key' }
  await services.db.insert(modelConfig).values({
    id,
    provider: 'openai',
    openaiApiUrl: server.url,
    openaiApiKey: seal(services.secrets.encryption, place, 'sk-abc\u200bdef'),
  })
  expect(await operator.json('/api/model-config')).toMatchObject({ hasOpenaiApiKey: false })
  expect(
    (await operator.call('/api/model-config/test', { json: { provider: 'openai' } })).status,
  ).toBeLessThan(500)
  await services.db.delete(modelConfig)
})

test('the position counts characters, not UTF-16 code units', () => {
  expect(oddCharacterProblem('key', '🌙', 'header')).toContain('place 1: U+1F319')
  expect(oddCharacterProblem('name', '🌙🌙\u200b', 'line')).toContain('place 3: U+200B')
})
