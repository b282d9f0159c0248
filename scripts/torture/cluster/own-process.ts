import { join } from 'node:path'

/** What a module of this folder says in its first line: how it is reached. */
type Said = Readonly<Record<string, string>>
export type OwnProcess = { said: Said; signal(name: NodeJS.Signals): void; stop(): Promise<void> }

/** Runs a module of this folder as a process of its own, which the clients' work in this one does not hold up. */
export async function startOwnProcess(name: string, words: readonly string[] = []): Promise<OwnProcess> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { value } = await child.stdout.getReader().read()
  return {
    said: JSON.parse(new TextDecoder().decode(value)),
    signal: (signal) => child.kill(signal),
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** The first line of such a module. It ends with whoever started it, however that ends. */
export function introduce(said: Said): void {
  process.stdin.on('end', () => process.exit(0)).resume()
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
