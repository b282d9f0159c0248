import { AppError } from '#src/app-error'
import type { SpeechControl } from '#src/narration/voice/provider'
import type { Spoken, SynthesisLine, SynthesisRequest } from './request'

/**
 * Command of the synthesis worker. With the small heap, garbage is collected as it arises: memory stays flat at no
 * measurable cost.
 */
export const synthesisProgram = [process.execPath, '--smol', `${import.meta.dir}/worker.ts`]
/** Time without a line after which the worker counts as hung. It writes its progress twice a second. */
const silenceSeconds = 120

/**
 * Synthesizes and masters a plan into the file `request.path`, in a separate process that ends when `signal` is
 * aborted. Throws `not_configured` if the voice is not installed, and `invalid` for a text without words.
 */
export async function runSynthesisWorker(
  request: SynthesisRequest,
  { signal, progress, waitForTurn }: SpeechControl,
): Promise<Spoken> {
  const watch = silenceWatch(silenceSeconds)
  const speaker = Bun.spawn(synthesisProgram, {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    // The process receives none of our secrets.
    env: {},
    signal: AbortSignal.any([signal, watch.signal]),
    killSignal: 'SIGKILL',
  })
  const complaints = new Response(speaker.stderr).text()
  // A failed write is ignored: if the process has ended, its output says so.
  const send = async (line: string) => {
    try {
      await speaker.stdin.write(`${line}\n`)
      await speaker.stdin.flush()
    } catch {}
  }
  try {
    void send(JSON.stringify(request))
    for await (const line of linesOf(speaker.stdout)) {
      watch.heard()
      if ('progress' in line) {
        progress(line.progress)
        await waitForTurn?.()
        watch.heard()
        if (waitForTurn) await send('')
      } else if ('made' in line) return line.made
      else throw failure(line)
    }
    signal.throwIfAborted()
    throw new Error(`The speaking process ended without a result: ${(await complaints).slice(-2_000)}`)
  } finally {
    watch.end()
    speaker.kill('SIGKILL')
    await speaker.exited
  }
}

function failure({ failed, detail }: Extract<SynthesisLine, { failed: string }>): Error {
  const cause = new Error(detail)
  if (failed === 'no_voice') {
    return new AppError(
      'not_configured',
      'The built-in voice is not installed. Install @echogarden/espeak-ng-emscripten, or upload a narration.',
      { cause },
    )
  }
  if (failed === 'no_words') return new AppError('invalid', 'There are no words to narrate in this text.')
  return new Error('The speaking process failed.', { cause })
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<SynthesisLine> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

function silenceWatch(seconds: number) {
  const controller = new AbortController()
  const giveUp = () => controller.abort(new Error(`The speaking process was silent for ${seconds} s.`))
  let timer = setTimeout(giveUp, seconds * 1_000)
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer)
      timer = setTimeout(giveUp, seconds * 1_000)
    },
    end: () => clearTimeout(timer),
  }
}
