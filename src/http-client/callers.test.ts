import { expect, test } from 'bun:test'
import { join } from 'node:path'

/**
 * The code that may reach another machine without `guardedFetch`, and why. Addresses that anyone but the operator's
 * environment can choose go through the guard; a new line here needs an equally good reason.
 */
const exceptions: Record<string, string> = {
  'src/http-client/guarded-fetch.ts': 'The guard itself.',
  'src/narration/voice/call-provider.ts':
    'The address is a variable of the environment; redirects are not followed, since a key goes along.',
  'src/review/second-opinion.ts': 'The address is a variable of the environment; redirects are errors.',
  'src/storage/audio-bucket.ts': 'S3_ENDPOINT is a variable of the environment; redirects are errors.',
  'src/social/client.ts':
    'Issuers are variables of the environment; openid-client follows no redirect (src/social/attacks.test.ts).',
  'src/social/person.ts': 'The same.',
  'src/mail/deliver.ts': 'SMTP_URL is a variable of the environment; files and addresses in mails are off.',
  'src/push/send.ts': 'web-push only encrypts and signs here; the guard sends.',
  'src/model/ask-openai.ts': 'The client of openai is given the guard as its fetch.',
  'src/env-kinds.ts': 'Reads addresses, and opens nothing.',
  'src/setup/checks.ts': 'The same.',
  'src/setup/check-public.ts': 'PUBLIC_URL is a variable of the environment; redirects are not followed.',
  'src/http/address.ts': 'Reads addresses, and opens nothing.',
  'src/http-client/public-address.ts': 'The same.',
  'db/embedded/place.ts': 'Looks for a free port of this machine.',
  'src/process/export-spans.ts':
    'OTEL_EXPORTER_OTLP_ENDPOINT is a variable of the environment; redirects are errors.',
  'src/server/process-metrics.ts': 'Sockets in a folder of this machine, made by the supervisor.',
  'src/server/pipeline.ts': 'What is called fetch here answers requests.',
  'src/story/list-items.ts': 'A function of its own that happens to be called fetch.',
}

/** Packages and modules that open connections. */
const reaches =
  /^(node:)?(http2?|https|net|tls|dgram)$|^(undici|ws|axios|got|node-fetch|openid-client|oauth4webapi|aws4fetch|nodemailer|web-push|openai)(\/|$)/
/** Globals of Bun and the web platform that open connections without an import. */
const opens =
  /(?<![.\w])fetch\(|\bglobalThis\.fetch|[:=] *fetch\b|\bBun\.(fetch|connect|udpSocket|s3)\b|\bS3Client\b|\bnew (WebSocket|EventSource|XMLHttpRequest)\b/

test('code that opens connections uses the guard or is listed with a reason', async () => {
  const transpiler = new Bun.Transpiler({ loader: 'tsx' })
  const found: string[] = []
  const root = join(import.meta.dir, '../..')
  for (const folder of ['src', 'db', 'cli'])
    for await (const path of new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scan(root)) {
      if (/\btesting[\w-]*\.tsx?$|\.test\.tsx?$/.test(path)) continue
      const source = await Bun.file(join(root, path)).text()
      const code = source.replace(/^ *(\/\/|\/?\*).*$/gm, '')
      const imports = transpiler.scanImports(source.replace(/^#!.*/, '')).map((each) => each.path)
      // A local `fetch` made by the guard is allowed.
      const isOwn = /\bfetch = guardedFetch\(/.test(code)
      if (imports.some((each) => reaches.test(each)) || (opens.test(code) && !isOwn)) found.push(path)
    }
  expect(found.filter((path) => !(path in exceptions)).sort()).toEqual([])
  expect(Object.keys(exceptions).filter((path) => !found.includes(path))).toEqual([])
})

test('listed code never reads a response into memory without a limit', async () => {
  const root = join(import.meta.dir, '../..')
  const unlimited: string[] = []
  for (const path of Object.keys(exceptions)) {
    const code = await Bun.file(join(root, path)).text()
    for (const [read] of code.matchAll(
      /await (?!limited\(|request\.)[\w.]+\.(text|json|blob|arrayBuffer)\(\)/g,
    ))
      unlimited.push(`${path}: ${read}`)
  }
  expect(unlimited).toEqual([])
})

test('calls past the guard are detected in every spelling', () => {
  const calls = [
    'await fetch(url)',
    'const get = globalThis.fetch',
    'openClient({ fetch: fetch })',
    'new Bun.S3Client(settings)',
    'new WebSocket(url)',
    'Bun.connect({ hostname })',
  ]
  expect(calls.filter((call) => !opens.test(call))).toEqual([])
  const packages = ['node:http', 'https', 'node:tls', 'undici', 'openid-client', 'openai/core']
  expect(packages.filter((name) => !reaches.test(name))).toEqual([])
  expect(['app.fetch(request)', 'prefetch(url)', 'refetch()'].filter((call) => opens.test(call))).toEqual([])
})
