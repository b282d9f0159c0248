import { ApiError } from '#islands/api-call'
import { emit } from '#islands/events'

/**
 * Sends a form with files and says how much of it has gone, 0 to 1: what `fetch` cannot tell. Throws an
 * ApiError as `apiCall` does.
 */
export function sendFile(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.onabort = () => reject(signal?.reason)
    request.open('POST', path)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
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
