import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { openDatabase } from '#db/db'
import { audioFiles, importChanges, imports, narrations, stories } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { toneMp3 } from '#src/narration/testing'
import { programStarter } from '#src/server/testing-program'
import { operatorToken } from '#src/testing/app'
import { until } from '#src/testing/until'

/**
 * Kills the server in the middle of an import, at four different times. Afterwards either the whole import is stored or
 * nothing.
 */
const url = await testDatabaseUrl()
const { dataDir, start } = await programStarter()
const db = openDatabase(url, { max: 2, applicationName: 'nocturne test' })
afterAll(() => db.close())

const rowCount = 400
const audioCount = 8

/** Counts the server's connections to the database. */
async function countConnections(): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'nocturne%' and application_name <> 'nocturne test'`)
  return row?.count ?? 0
}

const startServer = () =>
  start({
    DATABASE_URL: url,
    DEMO: 'off',
    ADMIN_TOKEN: operatorToken,
  })

async function bodyOf(round: number): Promise<FormData> {
  const form = new FormData()
  const rows = Array.from(
    { length: rowCount },
    (_, n) => `"Story ${round} ${n}",female,romantic,About it,14,"${'She lit the lamp. '.repeat(60)}"`,
  )
  form.append(
    'excel',
    new File(
      [`Name,Voice,Categories,Short Description,Audio Length,Text\n${rows.join('\n')}\n`],
      `round-${round}.csv`,
    ),
  )
  for (let n = 0; n < audioCount; n += 1)
    form.append('mp3s', new File([await toneMp3(1, 200 + round * 10 + n)], `Story ${round} ${n}.mp3`))
  return form
}

test('an import killed midway is stored whole or not at all, with all of its audio files', async () => {
  const outcomes: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const server = await startServer()
    const body = await bodyOf(round)
    const sent = fetch(`${server.url}/api/premium-content/excel-import`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${operatorToken}` },
    }).then(
      (response) => response.ok,
      () => false,
    )
    await Bun.sleep(round * 120)
    await server.kill()
    const isAcknowledged = await sent
    // A commit that the killed server has sent is still executed.
    await until(async () => (await countConnections()) === 0)
    const [batch] = await db
      .select({ id: imports.id })
      .from(imports)
      .where(eq(imports.fileName, `round-${round}.csv`))
    const made = batch ? await db.$count(stories, eq(stories.importId, batch.id)) : 0
    outcomes.push(made)
    expect([0, rowCount]).toContain(made)
    if (isAcknowledged) expect(made).toBe(rowCount)
    if (batch) {
      expect(await db.$count(importChanges, eq(importChanges.importId, batch.id))).toBe(rowCount)
      expect(await db.$count(narrations, eq(narrations.importId, batch.id))).toBe(audioCount)
    }
  }
  // The killed rounds left no partial import: every story belongs to a whole batch.
  expect(await db.$count(stories)).toBe(outcomes.reduce((sum, made) => sum + made, 0))
  const files = await db.select({ hash: audioFiles.hash, extension: audioFiles.extension }).from(audioFiles)
  const missing = files.filter(
    ({ hash, extension }) => !existsSync(join(dataDir, 'audio', hash.slice(0, 2), `${hash}.${extension}`)),
  )
  expect(missing).toEqual([])

  // A killed import can be sent again and is stored once.
  const server = await startServer()
  const again = await fetch(`${server.url}/api/premium-content/excel-import`, {
    method: 'POST',
    body: await bodyOf(0),
    headers: { authorization: `Bearer ${operatorToken}` },
  })
  expect(again.status).toBe(200)
  expect(await db.$count(stories)).toBe(outcomes.slice(1).reduce((sum, made) => sum + made, rowCount))
  expect(await server.stop()).toBe(0)
})
