import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { testTerminal } from '#cli/testing'
import { auditLog, sessions } from '#db/schema'
import { readEnv } from '#src/env'
import { signInOperator } from '#src/operator/sign-in'
import { loadSecrets } from '#src/security/secrets'

const { db, folder, run, json } = await testTerminal()
const secrets = () => loadSecrets(readEnv({ DATA_DIR: join(folder, 'data') }))
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
type Listed = { id: string; name: string; device: string }

async function signIn(name: string): Promise<string> {
  const own = secrets()
  const claim = { token: own.operatorToken, name }
  return signInOperator({ db, secrets: own }, claim, { userAgent: firefox, addressHash: 'a' })
}
const changes = async () =>
  (await db.select().from(auditLog).orderBy(desc(auditLog.id))).filter(({ action }) => action !== 'login')

test('operator sessions are listed and ended, one or all, and the audit log names the actor', async () => {
  expect((await run('token', 'sessions')).out).toBe('0 operator sessions\n')
  await signIn('Ada')
  await signIn('Grace')
  await signIn('Ines')
  const listed = (await json('token', 'sessions')) as Listed[]
  expect(listed.map(({ name }) => name).sort()).toEqual(['Ada', 'Grace', 'Ines'])
  const { id = '' } = listed.find(({ name }) => name === 'Grace') ?? {}
  const { out } = await run('token', 'sessions')
  expect(out).toMatch(new RegExp(`${id} +Grace +Firefox on Linux +since 20`))
  expect(await json('token', 'end', id, '--yes')).toEqual({ ended: 1 })
  expect(await run('token', 'end', id, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('This session no longer exists.'),
  })
  expect((await run('token', 'end', '--all', '--yes')).out).toBe('2 operator sessions ended.\n')
  for (const words of [[], [id, '--all']]) expect((await run('token', 'end', ...words)).code).toBe(2)
  const [all, one] = await changes()
  expect(one).toMatchObject({ subjectType: 'operator session', subjectId: id, before: { name: 'Grace' } })
  expect(all).toMatchObject({ actor: expect.stringMatching(/^cli:/), action: 'end', after: { ended: 2 } })
})

test('token rotate asks for confirmation, ends every session and writes to the audit log without the token', async () => {
  await signIn('Ada')
  const before = secrets().operatorToken
  const refused = await run('token', 'rotate')
  expect([refused.code, refused.out, secrets().operatorToken]).toEqual([2, '', before])
  expect(refused.err).toContain('Add --yes')
  const { out, err } = await run('token', 'rotate', '--yes')
  expect(out.trim()).toBe(secrets().operatorToken)
  expect(out.trim()).not.toBe(before)
  expect(err).toContain('1 operator session ended.')
  expect(await db.$count(sessions, eq(sessions.kind, 'operator'))).toBe(0)
  expect((await changes())[0]).toMatchObject({
    action: 'rotate',
    subjectType: 'operator token',
    after: { sessionsEnded: 1 },
  })
  expect(JSON.stringify(await changes())).not.toContain(out.trim())
})
