import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '#db/testing'
import { readEnv } from '#src/env'
import { createLog } from '#src/process/log'
import { type App, createApp } from '#src/server/app'
import type { Services } from '#src/services'
import { folderStorage } from '#src/storage/storage'
import { libraryChanged } from '#src/story/library-changed'
import { publish } from '#src/story/publish'
import { testManifest } from '#src/testing/manifest'

const origin = 'http://localhost:3000'
export const operatorToken = 'a token for tests that is long enough'
/** The application server's keys of the example in RFC 8291 §5. */
const pushKeys = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
}

/** Creates the whole program with a fresh database and a fresh folder, without a network. */
export async function testApp(
  environment: Record<string, string> = {},
): Promise<{ app: App; services: Services }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-test-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = readEnv({
    DATA_DIR: dataDir,
    ADMIN_TOKEN: operatorToken,
    AGE_GATE: 'off',
    DEMO: 'off',
    ...environment,
  })
  const services: Services = {
    db: await testDatabase(),
    env,
    secrets: {
      session: 's'.repeat(43),
      encryption: 'e'.repeat(43),
      operatorToken,
      operatorTokenFile: null,
      push: pushKeys,
    },
    storage: folderStorage(join(dataDir, 'audio')),
    assets: { manifest: testManifest, respond: () => null },
    log: createLog('error', () => {}),
    stopping: new AbortController().signal,
  }
  return { app: createApp(services), services }
}

export type Call = {
  method?: string
  json?: unknown
  form?: Record<string, string>
  body?: BodyInit
  headers?: Record<string, string>
}

/** A browser without a screen: stores cookies, and sends the headers that one of our pages would send. */
export function browser(app: App, address = '127.0.0.1') {
  const jar = new Map<string, string>()
  async function call(
    path: string,
    { method, json, form, body, headers = {} }: Call = {},
  ): Promise<Response> {
    const sent = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : body
    const request = new Request(new URL(path, origin), {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      body: sent,
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
    })
    const response = await app.fetch(request, address)
    for (const cookie of response.headers.getSetCookie()) storeCookie(jar, cookie)
    return response
  }
  return { call, jar, json: async (path: string, options?: Call) => (await call(path, options)).json() }
}
export type Browser = ReturnType<typeof browser>

function storeCookie(jar: Map<string, string>, cookie: string): void {
  const [pair = ''] = cookie.split(';')
  const at = pair.indexOf('=')
  if (/max-age=0/i.test(cookie)) jar.delete(pair.slice(0, at))
  else jar.set(pair.slice(0, at), pair.slice(at + 1))
}

export const memberPassword = 'lanterns on the water'

/** Creates a member and a browser in which they are signed in; returns the browser with the member's id. */
export async function memberBrowser(
  app: App,
  email: string,
  address?: string,
): Promise<Browser & { id: string }> {
  const member = browser(app, address)
  const response = await member.call('/api/auth/register', { json: { email, password: memberPassword } })
  if (response.status !== 201)
    throw new Error(`Registering answered ${response.status}: ${await response.text()}`)
  return { ...member, id: (await response.json()).user.id }
}

/** Creates a browser with an operator's session. */
export async function operatorBrowser(app: App): Promise<Browser> {
  const operator = browser(app)
  const response = await operator.call('/api/admin/login', { json: { token: operatorToken, name: 'Ada' } })
  if (response.status !== 200)
    throw new Error(`Logging in answered ${response.status}: ${await response.text()}`)
  return operator
}

/** Publishes an item in the library, and clears the caches of lists. */
export async function publishTestItem(
  services: Services,
  draft: Partial<Parameters<typeof publish>[1]> = {},
): ReturnType<typeof publish> {
  const published = await publish(services.db, {
    title: 'The Lamp',
    content: 'She lit the lamp and waited. '.repeat(40),
    categories: ['romantic'],
    ...draft,
  })
  await libraryChanged(services.db)
  return published
}

/** The markup of a page, without the comments that React inserts between texts. */
export async function markupOf(response: Response): Promise<string> {
  return (await response.text()).replaceAll('<!-- -->', '')
}
