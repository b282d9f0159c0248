import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditItems, auditLog, imports, stories } from '#db/schema'
import { isTableAwaited } from '#src/testing/lock-wait'

/**
 * Kills the terminal in the middle of an undo, while another transaction locks a row that it is about to write. Nothing
 * is changed.
 */
const { db, folder, run, json, killWhen } = await testTerminal()

async function importText(fileName: string, text: string): Promise<string> {
  const rows = Array.from({ length: 50 }, (_, n) => `Story ${n},"${text} ${n}",female`)
  await Bun.write(join(folder, fileName), `Name,Text,Voice\n${rows.join('\n')}\n`)
  const { batchId } = (await json('stories', 'import', fileName)) as { batchId: string }
  return batchId
}
const library = async () => ({
  stories: await db.select().from(stories).orderBy(stories.id),
  imports: await db.select().from(imports).orderBy(imports.id),
  audited: [await db.$count(auditLog), await db.$count(auditItems)],
})

for (const table of ['stories', 'imports', 'audit_log', 'audit_items'])
  test(`an undo killed before it writes ${table} changes nothing and can be repeated`, async () => {
    await importText('first.csv', `The first text, ${table}`)
    const id = await importText('second.csv', `The second text, ${table}`)
    const before = await library()
    await db.transaction(async (tx) => {
      await tx.execute(sql.raw(`lock table ${table} in share mode`))
      await killWhen(() => isTableAwaited(db, table), 'imports', 'undo', id, '--yes')
    })
    expect(await library()).toEqual(before)
    expect((await run('imports', 'undo', id, '--yes')).code).toBe(0)
    const texts = (await library()).stories.map(({ content }) => content)
    expect(texts.every((text) => text.startsWith(`The first text, ${table}`))).toBe(true)
  })
