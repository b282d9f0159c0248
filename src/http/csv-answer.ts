/** A CSV as a download: a string with its length, or a stream (`streamCsv`). */
export function csvAnswer(fileName: string, csv: string | ReadableStream<Uint8Array>): Response {
  return new Response(csv, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  })
}

/**
 * Streams a long CSV. The first lines are read before the response begins, so that a refusal is an error response and
 * not a truncated file.
 */
export async function streamCsv(lines: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let next = await lines.next()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await lines.next()
    },
    cancel: () => lines.return(undefined).then(() => undefined),
  })
}
