import { watch } from 'node:fs'
import { join } from 'node:path'
import { build } from '#scripts/build'

/** Builds and serves, and repeats both after a change: islands and styles are rebuilt, the server restarts. */
const root = join(import.meta.dir, '..')
let server: Bun.Subprocess | undefined
let isPending = false
let timer: ReturnType<typeof setTimeout> | undefined

async function restart(): Promise<void> {
  if (isPending) return
  isPending = true
  try {
    await build({ minify: false })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    isPending = false
    return
  }
  server?.kill('SIGTERM')
  await server?.exited
  server = Bun.spawn([process.execPath, 'src/server/main.ts'], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  isPending = false
}

for (const folder of ['src', 'islands', 'db', 'public']) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name && /\.test\.tsx?$/.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), 150)
  })
}
process.on('SIGINT', async () => {
  server?.kill('SIGTERM')
  await server?.exited
  process.exit(0)
})
await restart()
