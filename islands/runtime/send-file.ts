import { type Answer, addressOf, type Call, type Given } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'

type SentFile<C extends Call> = Pick<Given<C>, Extract<'path', keyof Given<C>>> & {
  form: FormData
  /** Receives the share that has been uploaded, 0 to 1, which `fetch` cannot report. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sends a form with files in an operator's call. Throws an ApiError as `api` does. */
export function sendFile<C extends Call>(call: C, { form, onProgress, signal, ...address }: SentFile<C>) {
  return new Promise<Answer<C>>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.onabort = () => reject(signal?.reason)
    request.open('POST', addressOf(call, address))
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new TypeError('The server does not answer.'))
    request.onload = () => {
      const { status, responseText, statusText } = request
      if (status === 401) emit('nocturne:operator-ended', {})
      if (status >= 200 && status < 300) resolve(responseText ? JSON.parse(responseText) : null)
      else reject(new ApiError(status, responseText, statusText))
    }
    request.send(form)
  })
}
