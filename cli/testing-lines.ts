import { runLine } from '#cli/main'

// A process that runs the command lines that its parent sends, one after the other, because starting it and loading its
// modules costs more than most commands. It sends back what `nocturne` would print.

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
