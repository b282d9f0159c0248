import { readFileSync } from 'node:fs'
import { narrate, serveNginx } from './audio'
import { press } from './load'
import { heading, notMeasured, table } from './report'
import { withServerAndDatabase } from './servers'

const seconds = 4
/** Clock ticks per second in /proc: 100 on every Linux that runs this. */
const ticks = 100

type Row = { perSecond: number; cpuMs: number }
type Target = { url: string; pid: number; headers: Record<string, string> }

/**
 * Measures one and two processes, beside nginx with as many workers: requests per second, and processor time per
 * request.
 */
export async function benchProcesses(): Promise<void> {
  heading('PROCESSES (16 connections; the load generator takes a core too)')
  if (process.platform !== 'linux') return notMeasured('processes', 'only Linux shares a port')
  if (!Bun.which('wrk')) return notMeasured('processes', 'wrk is not installed')
  const rows: [string, Row][] = []
  for (const count of [1, 2]) {
    await withServerAndDatabase(
      async (server, db) => {
        const { url, cookie, hash } = await narrate(server, db)
        await untilServing(server.url, count)
        const range = { range: 'bytes=1048576-1114111' }
        const own = { pid: server.pid, headers: { cookie } }
        rows.push([`${count}: a member's page`, await load({ ...own, url: `${server.url}/stories` })])
        rows.push([`${count}: a visitor's page`, await load({ ...own, url: `${server.url}/`, headers: {} })])
        rows.push([`${count}: audio, 64 KB`, await load({ ...own, url, headers: { cookie, ...range } })])
        const nginx = await serveNginx(server.dataDir, hash, count)
        if (nginx) rows.push([`${count}: nginx, 64 KB`, await load({ ...nginx, headers: range })])
        else notMeasured(`${count}: nginx`, 'it is not installed')
        await nginx?.stop()
      },
      { PROCESSES: String(count) },
    )
  }
  table(
    [
      { name: 'req/s', of: ({ perSecond }) => perSecond },
      { name: 'CPU ms/req', of: ({ cpuMs }) => cpuMs },
    ],
    rows,
  )
}

async function untilServing(url: string, count: number): Promise<void> {
  const isServing = async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return count === 1 || text.includes(`process="${count}"`)
  }
  while (!(await isServing())) await Bun.sleep(50)
}

async function load({ url, pid, headers }: Target): Promise<Row> {
  // A warm-up, because each process compiles its own code.
  await press(url, { seconds: 8, headers })
  const before = cpuMsOf(pid)
  const result = await press(url, { seconds, headers })
  const perSecond = result?.requestsPerSecond ?? 0
  return { perSecond, cpuMs: (cpuMsOf(pid) - before) / (perSecond * seconds) }
}

/** Returns the processor time of a process and its children. */
export function cpuMsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + cpuMsOf(Number(child)), ownCpuMsOf(pid))
}

/** Returns the processor time of a process without its children. */
export function ownCpuMsOf(pid: number): number {
  // The name, which may contain spaces, is in brackets before the numbers.
  const numbers = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(numbers[11]) + Number(numbers[12])) * 1_000) / ticks
}
