import { connect } from '#db/connect'
import { introduce } from './own-process'

/** Reports over HTTP whether the PostgreSQL at an address is the primary, as Patroni beside it would. */
const sql = connect(process.argv[2] ?? '', { max: 1, connect_timeout: 1 })
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch() {
    const [row] = await sql`select pg_is_in_recovery() as "isStandby"`.catch(() => [])
    return new Response(null, { status: row?.isStandby === false ? 200 : 503 })
  },
})
introduce({ port: String(server.port) })
