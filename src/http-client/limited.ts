/** More than any response that is only text has. */
const textBytesMax = 1024 * 1024

/** Thrown when a response is longer than any correct one. */
export class AnswerTooLarge extends Error {}

/**
 * A response whose body fails with `AnswerTooLarge` after so many bytes, so that an endless one cannot fill the memory.
 */
export function limited(response: Response, bytesMax = textBytesMax): Response {
  let bytes = 0
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (bytes > bytesMax) throw new AnswerTooLarge(`The server sent more than ${bytesMax} bytes.`)
        controller.enqueue(chunk)
      },
    }),
  )
  return new Response(body ?? null, response)
}
