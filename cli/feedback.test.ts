import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/db'
import { auditLog, storyFeedback } from '#db/schema'
import { testDatabaseUrl } from '#db/testing'
import { register } from '#src/member/register'
import { publish } from '#src/story/publish'
import { rateItem } from '#src/vote/rate'

const url = await testDatabaseUrl()
const main = join(import.meta.dir, 'main.ts')

async function nocturne(dataDir: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, main, 'feedback', ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: url, DATA_DIR: dataDir },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

test('comments are listed and removed from a terminal, with the same functions and audit', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nocturne-cli-'))
  const db = openDatabase(url, { max: 2 })
  try {
    const { id } = await publish(db, {
      title: 'Slow Train North',
      content: 'She lit the lamp.',
      categories: ['romantic'],
    })
    const member = await register(db, { email: 'ana@example.com', password: 'lanterns on the water' }, 'x')
    await rateItem(db, member.id, id, { rating: 4, comments: 'The ending\nstayed.' })
    const run = (...words: string[]) => nocturne(dataDir, ...words)

    const listed = await run('list', '--json')
    expect(listed).toMatchObject({ code: 0, err: '1 of 1 comments\n' })
    const [comment] = JSON.parse(listed.out)
    expect(comment).toMatchObject({ rating: 4, item: { title: 'Slow Train North' } })
    expect((await run('list', '--item', id)).out).toContain('The ending stayed.')

    expect(await run('remove', comment.id)).toMatchObject({ code: 2, out: '' })
    const removed = await run('remove', comment.id, '--yes')
    expect(removed).toMatchObject({ code: 0, out: 'Comment removed: Slow Train North\n' })
    expect(await run('remove', comment.id, '--yes')).toMatchObject({ code: 1, out: '' })
    expect((await db.select().from(storyFeedback))[0]).toMatchObject({ rating: 4, comments: null })
    const changes = (await db.select().from(auditLog)).filter(({ subjectType }) => subjectType === 'feedback')
    expect(changes.map(({ actor }) => actor.startsWith('cli:'))).toEqual([true])
  } finally {
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 60_000)
