import { hashFile } from '#islands/import/hash-file'
import { ApiError } from '#islands/runtime/api-error'
import { operatorApi } from '#islands/runtime/operator-api'
import { sendFile } from '#islands/runtime/send-file'
import type { AnnouncedFile, DraftFile, ImportDraft } from '#src/import/draft/schema'

/** Progress of an upload, in files and bytes. */
export type Sending = {
  phase: 'looking' | 'sending' | 'offline'
  fileName: string
  done: number
  total: number
  sentBytes: number
  totalBytes: number
}
export type SentFiles = { draft: ImportDraft; unreadable: string[] }

/** Seconds between retries when the server does not answer. The last value repeats. */
const waitSeconds = [1, 2, 4, 8, 15]

/**
 * Sends the files that the server does not have yet, one after the other, and returns the draft with all of them. Waits
 * while the connection is lost. Throws an ApiError if the server refuses, and the abort reason of `signal`.
 */
export async function sendFiles(
  draft: ImportDraft,
  chosen: readonly File[],
  onSending: (sending: Sending) => void,
  signal: AbortSignal,
): Promise<SentFiles> {
  const named: AnnouncedFile[] = []
  for (const [at, file] of chosen.entries()) {
    signal.throwIfAborted()
    onSending({
      phase: 'looking',
      fileName: file.name,
      done: at,
      total: chosen.length,
      sentBytes: 0,
      totalBytes: 0,
    })
    named.push({ fileName: file.name, sizeBytes: file.size, hash: await hashFile(file) })
  }
  const known = await announce(draft, named, signal)
  const waiting = new Set(known.files.flatMap(({ state, fileName }) => (state === 'waiting' ? fileName : [])))
  const files = chosen.filter(({ name }) => waiting.has(name))
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
  let sentBytes = 0
  const unreadable: string[] = []
  for (const [at, file] of files.entries()) {
    const report = (phase: Sending['phase'], share: number) =>
      onSending({
        phase,
        fileName: file.name,
        done: at,
        total: files.length,
        sentBytes: sentBytes + share * file.size,
        totalBytes,
      })
    if (!(await sendUntilThere(draft.id, file, report, signal))) unreadable.push(file.name)
    sentBytes += file.size
  }
  const path = { id: draft.id }
  return { draft: await operatorApi('GET /api/import-drafts/:id', { path, signal }), unreadable }
}

/**
 * Announces files as soon as they are chosen. A file with the name and size of one that the server has is not
 * announced: its hash shows whether it is the same when the files are sent.
 */
export function announceChosen(draft: ImportDraft, chosen: readonly File[]): Promise<ImportDraft> {
  const isHere = ({ name, size }: File) =>
    draft.files.some((each) => each.state === 'here' && each.fileName === name && each.sizeBytes === size)
  const named = chosen.filter((file) => !isHere(file))
  return announce(
    draft,
    named.map(({ name, size }) => ({ fileName: name, sizeBytes: size })),
  )
}

/** Announces files. Those announced earlier stay announced, because they may be chosen next. */
function announce(
  draft: ImportDraft,
  named: readonly AnnouncedFile[],
  signal?: AbortSignal,
): Promise<ImportDraft> {
  const names = new Set(named.map(({ fileName }) => fileName))
  const before = draft.files
    .filter(({ state, fileName }) => state === 'waiting' && !names.has(fileName))
    .map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes }))
  const body = { files: [...before, ...named] }
  return operatorApi('PUT /api/import-drafts/:id/files', { path: { id: draft.id }, body, signal })
}

/**
 * Sends a file until the server has it. Returns null if it cannot be read any more, because it was moved or changed
 * since it was chosen.
 */
async function sendUntilThere(
  draftId: string,
  file: File,
  report: (phase: Sending['phase'], share: number) => void,
  signal: AbortSignal,
): Promise<DraftFile | null> {
  for (let tries = 0; ; tries += 1) {
    try {
      report('sending', 0)
      const form = new FormData()
      form.set('file', file, file.name)
      const onProgress = (share: number) => report('sending', share)
      const path = { id: draftId }
      return await sendFile('POST /api/import-drafts/:id/files', { path, form, onProgress, signal })
    } catch (error) {
      signal.throwIfAborted()
      const isAway = !(error instanceof ApiError) || error.status === 503 || error.status === 429
      if (!isAway) throw error
      if (!(await isReadable(file))) return null
      report('offline', 0)
      await pause(waitSeconds[Math.min(tries, waitSeconds.length - 1)] ?? 15, signal)
    }
  }
}

async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** Waits for some seconds, or until the browser is online again. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, seconds * 1_000)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
