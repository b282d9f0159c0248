import { sql } from 'drizzle-orm'
import { metricsText } from '#src/http/metrics'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { Refusal } from '#src/refusal'

/** Whether the process lives, whether it can serve, and what it has counted. */
export function healthRoutes(parts: Parts) {
  return router()
    .get('/healthz', () => ({ status: 'ok' }), { detail: { hide: true } })
    .get(
      '/readyz',
      async () => {
        await parts.db.execute(sql`select 1`)
        return { status: 'ready' }
      },
      { detail: { hide: true } },
    )
    .get(
      '/metrics',
      async ({ caller, context }) => {
        if (!caller.operator && !isLoopback(context.address)) {
          throw new Refusal('forbidden', 'Metrics are for operators and for this machine.')
        }
        const [row] = await parts.db.execute<{ bytes: number; queued: number }>(
          sql`select pg_database_size(current_database())::float8 as bytes, (select count(*) from jobs where state = 'queued')::int as queued`,
        )
        const gauges = { nocturne_database_bytes: row?.bytes ?? 0, nocturne_jobs_queued: row?.queued ?? 0 }
        return new Response(metricsText(gauges), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        })
      },
      { detail: { hide: true } },
    )
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}
