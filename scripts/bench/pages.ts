import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#db/db'
import { findFavorites } from '#src/favorite/favorites'
import { listCategories, listItems } from '#src/story/list-items'
import { fillLibrary } from './fill'
import { compare, press } from './load'
import { ownCpuMsOf } from './processes'
import { figure, heading, notMeasured } from './report'
import { type Served, serveScript, withServerAndDatabase } from './servers'

/** Measures Explore for a visitor and for a member, each beside its ceiling. */
export async function benchPages(): Promise<void> {
  heading('Pages (/, 50 cards, 16 connections)')
  await withServerAndDatabase(async (server, db) => {
    await fillLibrary(db, 60)
    await Bun.sleep(6_000)
    await benchVisitor(server.url)
    const headers = await benchMember(server.url, db)
    await benchCore(server, headers)
  })
}

async function benchVisitor(url: string): Promise<void> {
  for (const encoding of ['br', '']) {
    const headers: Record<string, string> = encoding
      ? { 'accept-encoding': encoding }
      : { 'accept-encoding': 'identity' }
    const body = join(tmpdir(), `nocturne-bench-${process.pid}.html`)
    const answer = await fetch(`${url}/`, { headers, decompress: false })
    await Bun.write(body, await answer.arrayBuffer())
    const bare = await serveScript('bare-page.ts', { BODY: body, ENCODING: encoding })
    const compared = await compare(
      () => press(`${url}/`, { headers }),
      () => press(`${bare.url}/`, { headers }),
    )
    await bare.stop()
    const name = `visitor, ${encoding || 'uncompressed'}: share of a bare server's requests`
    if (!compared) return notMeasured(name, 'wrk is not installed')
    figure(name, compared.ratio, '', { atLeast: 0.4 })
    figure(`visitor, ${encoding || 'uncompressed'}`, compared.a.requestsPerSecond, 'req/s')
  }
}

/** Measures the processor time of the program itself for a member's list, without its database. */
async function benchCore({ url, pid }: Served, headers: Record<string, string>): Promise<void> {
  const seconds = 8
  for (const path of ['/', '/stories']) {
    const name = `member, ${path}: processor time of the program`
    await press(url + path, { headers, seconds })
    const before = ownCpuMsOf(pid)
    const load = await press(url + path, { headers, seconds })
    if (!load) return notMeasured(name, 'wrk is not installed')
    const requests = load.requestsPerSecond * seconds
    figure(name, (ownCpuMsOf(pid) - before) / requests, 'ms', { atMost: 0.5 })
  }
}

/** Measures the page of a newly registered member, and returns their headers. */
async function benchMember(url: string, db: Database): Promise<Record<string, string>> {
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      email: `bench-${process.pid}@example.com`,
      password: 'lanterns on the water',
      firstName: 'Mara',
    }),
  })
  const { user } = await registered.json()
  const headers = {
    cookie: registered.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
    'accept-encoding': 'identity',
  }
  const list = await listItems(db, { type: 'story', categories: [] }, 'none')
  for (const item of list.items.slice(0, 12)) {
    await fetch(`${url}/api/content-favorites`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ contentKey: `pre_uploaded:story:${item.id}` }),
    })
  }
  const favorites = [
    ...(await findFavorites(
      db,
      user.id,
      list.items.map((item) => item.id),
    )),
  ]
  const data = join(tmpdir(), `nocturne-bench-${process.pid}.json`)
  await Bun.write(data, JSON.stringify({ list, favorites, categories: await listCategories(db, 'story') }))
  const bare = await serveScript('bare-render.tsx', { DATA: data })
  const compared = await compare(
    () => press(`${url}/`, { headers }),
    () => press(`${bare.url}/`, { headers }),
  )
  await bare.stop()
  const name = "member, with hearts: share of a bare renderToString's requests"
  if (!compared) notMeasured(name, 'wrk is not installed')
  else {
    figure(name, compared.ratio, '', { atLeast: 0.5 })
    figure('member', compared.a.requestsPerSecond, 'req/s')
  }
  return headers
}
