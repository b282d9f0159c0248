import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toneMp3 } from '#src/narration/testing'
import { browser, operatorToken, publishTestItem, testApp } from '#src/testing/app'

const { app, services } = await testApp()
const packages = join(import.meta.dir, '../node_modules')
const folder = mkdtempSync(join(tmpdir(), 'nocturne-clients-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('clients by two OpenAPI generators compile strictly and complete an integrator’s workflow', async () => {
  cpSync(join(import.meta.dir, 'clients'), folder, { recursive: true })
  symlinkSync(packages, join(folder, 'node_modules'))
  await Bun.write(join(folder, 'openapi.json'), JSON.stringify(await browser(app).json('/api/openapi.json')))
  await run('generate.ts')
  await run(join(packages, 'typescript/bin/tsc'), '--project', folder)

  await publishTestItem(services, { title: 'The Lamp' })
  const site = {
    baseUrl: services.env.publicUrl,
    fetch: async (request: Request) => {
      request.headers.set('host', new URL(request.url).host)
      return app.fetch(request, '127.0.0.1')
    },
    token: operatorToken,
    since: new Date().toISOString(),
    mp3: new File([await toneMp3(2)], 'mole.mp3'),
  }
  for (const client of ['openapi-fetch', 'hey-api']) {
    const { spendDay } = await import(join(folder, `${client}-day.ts`))
    expect([client, await spendDay(site)]).toEqual([
      client,
      {
        isOnce: true,
        edited: 'The Old Mole',
        late: 'changed_since',
        wrong: ['duration'],
        audioBytes: site.mp3.size,
        job: 'cancelled',
        titles: ['The Old Mole', 'The Lamp'],
        isRemoved: true,
      },
    ])
  }
})

async function run(...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: folder,
    env: process.env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${words.join(' ')}: ${out}${err}`)
}
