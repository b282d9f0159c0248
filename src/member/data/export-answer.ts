import type { exportMember } from './export'

/**
 * Answers with an export as a download. It is streamed while it is created, and stored nowhere. A slow reader can keep
 * it open for days, so it breaks off once `requireOpen` throws, which it does after the end of the request's session.
 */
export function exportAnswer(
  { fileName, zip }: Awaited<ReturnType<typeof exportMember>>,
  requireOpen: () => Promise<void>,
): Response {
  return new Response(zip.pipeThrough(checkedBy(requireOpen)), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  })
}

/** As long as the permission to play a narration is cached. */
const checkedMs = 5_000

/** Passes chunks on, and checks every few seconds before it does. */
function checkedBy(check: () => Promise<void>): TransformStream<Uint8Array, Uint8Array> {
  let checkedAtMs = Date.now()
  return new TransformStream({
    async transform(chunk, controller) {
      if (Date.now() - checkedAtMs >= checkedMs) {
        await check()
        checkedAtMs = Date.now()
      }
      controller.enqueue(chunk)
    },
  })
}
