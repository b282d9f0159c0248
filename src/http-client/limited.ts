/** More than any answer in words has. */
const wordsBytesMax = 1024 * 1024

/** What a server sent is more than any right answer has. */
export class AnswerTooLarge extends Error {}

/**
 * An answer whose body ends with `AnswerTooLarge` after so many bytes, before a server that sends without end has
 * filled the memory.
 */
export function limited(response: Response, bytesMax = wordsBytesMax): Response {
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
