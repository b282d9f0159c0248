/** A CSV as a download: whole, with a length, or while it is read (`streamCsv`). */
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
 * A long CSV, sent while it is read. The first lines are read before the answer begins, so that what refuses the
 * request is an error and not a broken file.
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
