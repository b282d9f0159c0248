import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript.ts'
import type { Site } from './site.ts'

/**
 * Runs an integrator's typical calls with openapi-fetch, typed by openapi-typescript. Returns the results, step by
 * step.
 */
export async function spendDay({ baseUrl, fetch, token, since, mp3 }: Site) {
  const client = createClient<paths>({ baseUrl, fetch, headers: { authorization: `Bearer ${token}` } })
  const draft: components['schemas']['PremiumDraft'] = { title: 'The Mole', content: 'The mole was cold.' }
  const once = { header: { 'Idempotency-Key': crypto.randomUUID() } }
  const { data: made } = await client.POST('/api/premium-content', { params: once, body: draft })
  const { data: again } = await client.POST('/api/premium-content', { params: once, body: draft })
  if (!made) throw new Error('Nothing was made.')
  const path = { id: made.id }

  const { response } = await client.GET('/api/premium-content/{id}', { params: { path } })
  const tag = response.headers.get('etag') ?? ''
  const edit = () =>
    client.PUT('/api/premium-content/{id}', {
      params: { path, header: { 'If-Match': tag } },
      body: { title: 'The Old Mole' },
    })
  const { data: edited } = await edit()
  const { error: late } = await edit()
  const { error: wrong } = await client.POST('/api/premium-content', { body: { ...draft, duration: 99 } })

  const upload = new FormData()
  upload.set('voice', 'female')
  upload.set('audioFile', mp3)
  await client.POST('/api/premium-content/{id}/upload-audio', {
    params: { path },
    body: { voice: 'female', audioFile: '' },
    bodySerializer: () => upload,
  })
  const { data: audio } = await client.GET('/api/premium-audio/{id}/{voice}', {
    params: { path: { ...path, voice: 'female' } },
    parseAs: 'blob',
  })

  const { data: asked } = await client.POST('/api/stories/{id}/narrate', { params: { path }, body: {} })
  const job = { path: { id: asked?.jobId ?? '' } }
  await client.POST('/api/jobs/{id}/cancel', { params: job })
  const { data: cancelled } = await client.GET('/api/jobs/{id}', { params: job })

  const titles: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 1, ...(cursor !== undefined && { cursor }) }
    const { data = [], response } = await client.GET('/api/content', { params: { query } })
    for (const entry of data) if ('title' in entry) titles.push(entry.title)
    cursor = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1]
  } while (cursor)
  await client.DELETE('/api/premium-content/{id}', { params: { path } })
  const query = { updatedSince: since, include: 'removed' as const }
  const { data: changes = [] } = await client.GET('/api/content', { params: { query } })
  const removed = changes.flatMap((entry) => ('removedAt' in entry ? entry.id : []))

  return {
    isOnce: again?.id === made.id,
    edited: edited?.title,
    late: late?.code,
    wrong: wrong?.fields?.map((field) => field.path),
    audioBytes: audio?.size,
    job: cancelled?.state,
    titles,
    isRemoved: removed.includes(made.id),
  }
}
