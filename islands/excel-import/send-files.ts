import { ApiError } from '#islands/api-call'
import { hashFile } from '#islands/excel-import/hash-file'
import { operatorCall } from '#islands/operator-call'
import { sendFile } from '#islands/send-file'
import type { AnnouncedFile, Draft, DraftFile } from '#src/import/draft/schema'
import { urls } from '#src/urls'

/** How far the sending is: files, and bytes of what has to be sent. */
export type Sending = {
  phase: 'looking' | 'sending' | 'offline'
  fileName: string
  done: number
  total: number
  sentBytes: number
  totalBytes: number
}
export type SentFiles = { draft: Draft; unreadable: string[] }

/** Seconds between tries when nothing answers; the last one counts on. */
const waitSeconds = [1, 2, 4, 8, 15]

/**
 * Sends what the server does not have yet, one file after the other, and answers the draft with all of them. A
 * lost connection is waited for. Throws an ApiError where the server declines, and what `signal` was ended with.
 */
export async function sendFiles(
  draft: Draft,
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
  const done = new Map<string, DraftFile>()
  for (const [at, file] of files.entries()) {
    const say = (phase: Sending['phase'], share: number) =>
      onSending({
        phase,
        fileName: file.name,
        done: at,
        total: files.length,
        sentBytes: sentBytes + share * file.size,
        totalBytes,
      })
    const sent = await sendUntilThere(draft.id, file, say, signal)
    if (sent) done.set(sent.fileName, sent)
    else unreadable.push(file.name)
    sentBytes += file.size
  }
  return {
    draft: { ...known, files: known.files.map((file) => done.get(file.fileName) ?? file) },
    unreadable,
  }
}

/** What is waited for from before stays announced: it may be chosen in the next go. */
async function announce(draft: Draft, named: readonly AnnouncedFile[], signal: AbortSignal): Promise<Draft> {
  const names = new Set(named.map(({ fileName }) => fileName))
  const before = draft.files
    .filter(({ state, fileName }) => state === 'waiting' && !names.has(fileName))
    .map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes }))
  const body = { files: [...before, ...named] }
  return (await operatorCall(urls.apiImportDraftPart(draft.id, 'files'), {
    method: 'PUT',
    body,
    signal,
  })) as Draft
}

/** Null where the file cannot be read any more: it was moved or changed since it was chosen. */
async function sendUntilThere(
  draftId: string,
  file: File,
  say: (phase: Sending['phase'], share: number) => void,
  signal: AbortSignal,
): Promise<DraftFile | null> {
  for (let tries = 0; ; tries += 1) {
    try {
      say('sending', 0)
      const form = new FormData()
      form.set('file', file, file.name)
      const path = urls.apiImportDraftPart(draftId, 'files')
      return (await sendFile(path, form, (share) => say('sending', share), signal)) as DraftFile
    } catch (error) {
      signal.throwIfAborted()
      const isAway = !(error instanceof ApiError) || error.status === 503 || error.status === 429
      if (!isAway) throw error
      if (!(await isReadable(file))) return null
      say('offline', 0)
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

/** So many seconds, or until the browser is online again. */
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
