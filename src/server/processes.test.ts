import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#db/connect'
import { testDatabaseUrl } from '#db/testing'
import { until } from '#src/testing/until'
import { programStarter } from './testing-program'

const { dataDir, start, complaintOf } = await programStarter()
const isLinux = process.platform === 'linux'

/** The process ids of the supervisor's children. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

test.skipIf(!isLinux)(
  'several processes share a port, are replaced when killed, and stop together',
  async () => {
    const { url, pid, output, log, stop } = await start({
      DATABASE_URL: await testDatabaseUrl(),
      DATA_DIR: join(dataDir, 'several'),
      DEMO: 'off',
      PROCESSES: '3',
    })
    await until(() => log().includes('all processes serve'))
    expect(output.match(/is open at/g)).toHaveLength(1)
    const ready = async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => fetch(`${url}/readyz`, { headers: { connection: 'close' } })),
      )
      // The first part of a request's id identifies the process that answered.
      return new Set(answers.map((answer) => answer.headers.get('x-request-id')?.split('-')[0]))
    }
    await until(async () => (await ready()).size === 3)

    const requestsOf = (number: string) =>
      new RegExp(
        `^nocturne_http_requests_total\\{method="GET",status="200",process="${number}"\\} [1-9]`,
        'm',
      )
    // A process that does not answer within two seconds is left out.
    const metrics = await until(async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return ['1', '2', '3'].every((number) => requestsOf(number).test(text)) && text
    })
    expect(metrics.match(/^# TYPE nocturne_http_requests_total /gm)).toHaveLength(1)

    const before = childrenOf(pid)
    process.kill(before[1] ?? 0, 'SIGKILL')
    await until(() => childrenOf(pid).length === 3 && !childrenOf(pid).includes(before[1] ?? 0))
    await until(async () => (await ready()).size === 3)
    expect(log()).toContain('a process has ended; another one is started')

    expect(await stop()).toBe(0)
    for (const child of before) expect(() => process.kill(child, 0)).toThrow()
  },
)

test.skipIf(!isLinux)('a failure to start is reported once and ends all processes', async () => {
  const complaint = await complaintOf({
    DATABASE_URL: 'postgres://nocturne@127.0.0.1:1/nocturne',
    PROCESSES: 'auto',
  })
  expect(complaint.match(/cannot start/g)).toHaveLength(1)
})

test.skipIf(!isLinux)('processes exit when their supervisor is killed', async () => {
  const url = await testDatabaseUrl()
  const { pid, log } = await start({
    DATABASE_URL: url,
    DATA_DIR: join(dataDir, 'orphans'),
    DEMO: 'off',
    PROCESSES: '2',
  })
  await until(() => log().includes('all processes serve'))
  process.kill(pid, 'SIGKILL')
  const sql = connect(url, { max: 1 })
  await until(async () => {
    const [row] = await sql<{ others: number }[]>`
      select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    return row?.others === 0
  })
  await sql.end()
})
