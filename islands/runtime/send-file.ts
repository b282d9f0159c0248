import { type Answer, addressOf, type Call, type Given, noteAnswered } from '#islands/runtime/api'
import { ApiError } from '#islands/runtime/api-error'
import { reportCall } from '#islands/runtime/operator-api'

type SentFile<C extends Call> = Pick<Given<C>, Extract<'path', keyof Given<C>>> & {
  form: FormData
  /** Receives the share that has been uploaded, 0 to 1, which `fetch` cannot report. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Sends a form with files in an operator's call, as `operatorApi` sends JSON. It does not state the owner of the page,
 * which protects members' data, because an operator's call acts for no member. Throws an ApiError as `api` does.
 */
export function sendFile<C extends Call>(call: C, sent: SentFile<C>): Promise<Answer<C>> {
  return reportCall(call, sent, () => upload(call, sent))
}

function upload<C extends Call>(call: C, { form, onProgress, signal, ...address }: SentFile<C>) {
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
      noteAnswered(call)
      if (status >= 200 && status < 300) resolve(responseText ? JSON.parse(responseText) : null)
      else reject(new ApiError(status, responseText, statusText))
    }
    request.send(form)
  })
}
