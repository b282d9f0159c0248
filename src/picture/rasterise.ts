import { AppError } from '#src/app-error'
import { type Picture, pictureSecondsMax, picturesWaitingMax, squaresWaitingMax } from './rules'

const program = [process.execPath, '--smol', `${import.meta.dir}/rasteriser/main.ts`]

let isDrawing = false
const waiting: Record<Picture['shape'], (() => void)[]> = { card: [], square: [] }

/**
 * Draws a picture as PNG with resvg, in a separate process. One is drawn at a time, so that nobody's requests take more
 * than a part of one core. Cards come before squares, each of which takes as long as eight cards. The package is
 * WebAssembly: one file for every platform, and no binaries to install. Throws `unavailable` if too many are waiting,
 * and while the program stops.
 */
export async function* rasterise(picture: Picture, stopping: AbortSignal): AsyncGenerator<Uint8Array> {
  if (isFull(picture)) throw busy()
  if (isDrawing) await new Promise<void>((resolve) => waiting[picture.shape].push(resolve))
  else isDrawing = true
  try {
    if (stopping.aborted) throw busy()
    yield* drawInProcess(picture, stopping)
  } finally {
    const next = waiting.card.shift() ?? waiting.square.shift()
    if (next) next()
    else isDrawing = false
  }
}

function isFull({ shape }: Picture): boolean {
  const { card, square } = waiting
  if (shape === 'square' && square.length >= squaresWaitingMax) return true
  return card.length + square.length >= picturesWaitingMax
}

/** The error while a picture is waiting to be drawn; a later request finds it. */
export function busy(): AppError {
  return new AppError('unavailable', 'This picture is still being drawn. Please try again in a moment.', {
    retryAfterSeconds: 5,
  })
}

async function* drawInProcess(picture: Picture, stopping: AbortSignal): AsyncGenerator<Uint8Array> {
  const drawer = Bun.spawn(program, {
    stdin: new Blob([JSON.stringify(picture)]),
    stdout: 'pipe',
    stderr: 'pipe',
    // The process receives none of our secrets.
    env: {},
    signal: AbortSignal.any([stopping, AbortSignal.timeout(pictureSecondsMax * 1_000)]),
    killSignal: 'SIGKILL',
  })
  const complaints = new Response(drawer.stderr).text()
  try {
    yield* drawer.stdout
    const isDrawn = (await drawer.exited) === 0
    if (stopping.aborted) throw busy()
    if (!isDrawn) throw new Error(`A picture could not be drawn: ${(await complaints).slice(-2_000)}`)
  } finally {
    drawer.kill('SIGKILL')
    await drawer.exited
  }
}
