import { runLine } from '#cli/main'

// One process that runs line after line of the terminal, as its parent sends them: a start and its modules cost more
// than most commands. Prints into the answer what `nocturne` would print.

let printed = { out: '', err: '' }
capture(process.stdout, 'out')
capture(process.stderr, 'err')

process.on('message', async (words: string[]) => {
  printed = { out: '', err: '' }
  process.exitCode = 0
  const code = await runLine(words)
  process.send?.({ code, ...printed })
})

function capture(stream: NodeJS.WriteStream, into: 'out' | 'err'): void {
  stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    printed[into] += typeof text === 'string' ? text : new TextDecoder().decode(text)
    const written = rest.at(-1)
    if (written instanceof Function) written()
    return true
  }
}
