import { afterAll } from 'bun:test'
import { openPgBouncer } from './testing-pooler'

/**
 * Starts a PgBouncer in front of the database at `url`, until the test file ends (testing-pooler.ts). Returns its
 * address.
 */
export async function startPgBouncer(url: string, settings?: Record<string, string>): Promise<string> {
  const pooler = await openPgBouncer(url, settings)
  afterAll(pooler.stop)
  return pooler.url
}
