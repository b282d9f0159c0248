import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { testDatabaseUrl } from '#db/testing'
import { toneMp3 } from '#src/narration/testing'
import { operatorToken } from '#src/testing/app'
import { until } from '#src/testing/until'
import { programStarter } from './testing-program'

const { start } = await programStarter()
const asOperator = { authorization: `Bearer ${operatorToken}` }
const environment = {
  DATABASE_URL: await testDatabaseUrl(),
  DEMO: 'off',
  ADMIN_TOKEN: operatorToken,
  DRAIN_SECONDS: '5',
}

/** Larger than the kernel's buffers for a connection that is read slowly. */
const audio = Buffer.concat(Array<Uint8Array>(1_000).fill(await toneMp3(5)))

async function publishWithAudio(url: string): Promise<string> {
  const made = await fetch(`${url}/api/stories`, {
    method: 'POST',
    headers: { ...asOperator, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'The Lamp', content: 'She lit the lamp.' }),
  })
  const { id } = await made.json()
  const form = new FormData()
  form.set('audioFile', new Blob([audio], { type: 'audio/mpeg' }), 'lamp.mp3')
  const uploaded = await fetch(`${url}/api/premium-content/${id}/upload-audio`, {
    method: 'POST',
    headers: asOperator,
    body: form,
  })
  expect(uploaded.status).toBe(200)
  return `/api/premium-audio/${id}/female`
}

/** Requests `path` and reads the answer until it is told to pause. `received` is the whole answer so far. */
function listenSlowly(url: string, path: string) {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  const closed = Promise.withResolvers<void>()
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('close', () => closed.resolve())
  socket.on('error', () => closed.resolve())
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${asOperator.authorization}\r\n\r\n`)
  return { socket, closed: closed.promise, received: () => Buffer.concat(chunks) }
}

test('stopping makes /readyz return 503 and cuts off slow clients, who resume by range after a restart', async () => {
  const first = await start(environment)
  const path = await publishWithAudio(first.url)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  const listener = listenSlowly(first.url, path)
  await until(() => listener.received().length > 100_000)
  listener.socket.pause()

  const stopped = first.stop()
  const refused = await until(async () => {
    const answer = await fetch(`${first.url}/readyz`)
    return answer.status === 503 && answer
  })
  expect(refused.headers.get('connection')).toBe('close')
  expect(refused.headers.get('retry-after')).toBe('1')
  // Other requests are answered as before.
  expect((await fetch(`${first.url}/api/content`)).status).toBe(200)
  expect(await stopped).toBe(0)
  listener.socket.resume()
  await listener.closed

  const answer = listener.received()
  const heard = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
  expect(heard.length).toBeLessThan(audio.length)
  expect(audio.subarray(0, heard.length).equals(heard)).toBe(true)

  const second = await start({ ...environment, DRAIN_SECONDS: '0' })
  const rest = await fetch(second.url + path, {
    headers: { ...asOperator, range: `bytes=${heard.length}-` },
  })
  expect(rest.status).toBe(206)
  expect(Buffer.concat([heard, await rest.bytes()]).equals(audio)).toBe(true)
  expect(await second.stop()).toBe(0)
})
