import type { exportMember } from './export'

/** Answers with an export as a download. It is streamed while it is created, and stored nowhere. */
export function exportAnswer({ fileName, zip }: Awaited<ReturnType<typeof exportMember>>): Response {
  return new Response(zip, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
  })
}
