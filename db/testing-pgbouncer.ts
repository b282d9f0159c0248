import { afterAll } from 'bun:test'
import { openPgBouncer } from './testing-pooler'

/** A PgBouncer before the database at `url`, until the test file ends (testing-pooler.ts). Answers its address. */
export async function startPgBouncer(url: string, settings?: Record<string, string>): Promise<string> {
  const pooler = await openPgBouncer(url, settings)
  afterAll(pooler.stop)
  return pooler.url
}
