import { join } from 'node:path'

/** How a module of this folder can be reached, which it prints as its first line. */
type Said = Readonly<Record<string, string>>
export type OwnProcess = { said: Said; signal(name: NodeJS.Signals): void; stop(): Promise<void> }

/**
 * Runs a module of this folder as a process of its own, which is not slowed down by the work of the clients in this
 * one.
 */
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

/** Prints the first line of such a module, and makes it end when its parent process ends, in whatever way. */
export function introduce(said: Said): void {
  process.stdin.on('end', () => process.exit(0)).resume()
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
