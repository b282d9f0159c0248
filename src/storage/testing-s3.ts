/**
 * Starts a store that speaks enough of the S3 protocol for one bucket: put, multipart, get with ranges, head, delete,
 * list.
 */
export function startTestStore() {
  const objects = new Map<string, { bytes: Uint8Array<ArrayBuffer>; modifiedAt: Date }>()
  const uploads = new Map<string, Uint8Array[]>()
  const requests: string[] = []
  /** Names on one page of a list; small, so that tests see more than one page. */
  const pageSize = 2

  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'))
      requests.push(`${request.method} ${key}`)
      const signed = request.headers.has('authorization') || url.searchParams.has('X-Amz-Signature')
      if (!signed) return xml(403, '<Error><Code>AccessDenied</Code></Error>')
      if (request.method === 'POST') return multipart(key, url.searchParams.get('uploadId'))
      if (request.method === 'PUT')
        return put(key, url.searchParams, new Uint8Array(await request.arrayBuffer()))
      if (request.method === 'DELETE') {
        objects.delete(key)
        return new Response(null, { status: 204 })
      }
      if (key === '') return list(url.searchParams)
      const object = objects.get(key)
      if (!object) return xml(404, '<Error><Code>NoSuchKey</Code><Message>None.</Message></Error>')
      return get(object, request)
    },
  })

  function put(key: string, query: URLSearchParams, bytes: Uint8Array<ArrayBuffer>): Response {
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (upload) upload[Number(query.get('partNumber'))] = bytes
    else objects.set(key, { bytes, modifiedAt: new Date() })
    return new Response(null, { headers: { etag: '"x"' } })
  }

  function multipart(key: string, uploadId: string | null): Response {
    if (uploadId === null) {
      const id = crypto.randomUUID()
      uploads.set(id, [])
      return xml(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const bytes = new Uint8Array(Buffer.concat((uploads.get(uploadId) ?? []).filter(Boolean)))
    objects.set(key, { bytes, modifiedAt: new Date() })
    return xml(200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
  }

  function list(query: URLSearchParams): Response {
    const [startAfter, prefix] = ['start-after', 'prefix'].map((name) => query.get(name) ?? '')
    const keys = [...objects.keys()]
      .sort()
      .filter((key) => key > (startAfter ?? '') && key.startsWith(prefix ?? ''))
    const contents = keys.slice(0, pageSize).map((key) => {
      const object = objects.get(key)
      return `<Contents><Key>${Bun.escapeHTML(key)}</Key><LastModified>${object?.modifiedAt.toISOString()}</LastModified><Size>${object?.bytes.byteLength}</Size></Contents>`
    })
    return xml(
      200,
      `<ListBucketResult><IsTruncated>${keys.length > pageSize}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
  }

  return {
    settings: {
      endpoint: server.url.origin,
      bucket: 'audio',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      region: 'us-east-1',
    },
    objects,
    requests,
    stop: () => server.stop(true),
  }
}

function get(
  { bytes, modifiedAt }: { bytes: Uint8Array<ArrayBuffer>; modifiedAt: Date },
  request: Request,
): Response {
  const size = bytes.byteLength
  const headers = {
    'last-modified': modifiedAt.toUTCString(),
    etag: '"of the store"',
    'content-type': 'application/octet-stream',
  }
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'content-length': String(size) } })
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
  if (from === undefined) return new Response(bytes, { headers })
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  if (start >= size) return xml(416, '<Error><Code>InvalidRange</Code></Error>')
  return new Response(bytes.slice(start, end + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
  })
}

function xml(status: number, body: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })
}
