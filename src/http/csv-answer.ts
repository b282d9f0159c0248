/**
 * A CSV as a download, sent while it is read. The first lines are read before the answer begins, so that what refuses
 * the request is an error and not a broken file.
 */
export async function csvAnswer(fileName: string, lines: AsyncGenerator<string>): Promise<Response> {
  const encoder = new TextEncoder()
  let next = await lines.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await lines.next()
    },
    cancel: () => lines.return(undefined).then(() => undefined),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  })
}
