import { afterAll, expect, test } from 'bun:test'
import { newId } from '#db/columns'
import { openDatabase } from '#db/db'
import { importDrafts } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { listJobs } from '#src/job/queries'
import { applyDraft } from './apply'

const db = openDatabase(await testDatabaseUrl(), { max: 1 })
afterAll(() => db.close())

test('concurrent imports on a pool of one connection do not deadlock', async () => {
  const ids = [newId(), newId()]
  await db.insert(importDrafts).values(ids.map((id) => ({ id, owner: 'Ada', fileName: 'first.csv' })))
  const jobIds = await Promise.all(ids.map((id) => applyDraft(db, id, 'Ada', {})))
  expect((await listJobs(db)).map(({ id }) => id).sort()).toEqual(jobIds.sort())
})
