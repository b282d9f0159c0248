import { client } from './generated/hey-api/client.gen.ts'
import * as api from './generated/hey-api/sdk.gen.ts'
import type { PremiumDraft } from './generated/hey-api/types.gen.ts'
import type { Site } from './site.ts'

/** Runs the same integration with the functions that @hey-api/openapi-ts generates. */
export async function spendDay({ baseUrl, fetch, token, since, mp3 }: Site) {
  client.setConfig({
    baseUrl,
    auth: token,
    fetch: (input, init) => fetch(new Request(input, init)),
  })
  const body: PremiumDraft = { title: 'The Mole', content: 'The mole was cold.' }
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const { data: made } = await api.createPremiumContent({ body, headers })
  const { data: again } = await api.createPremiumContent({ body, headers })
  if (!made) throw new Error('Nothing was made.')
  const path = { id: made.id }

  const { response } = await api.getPremiumContent({ path })
  const tag = response?.headers.get('etag') ?? ''
  const edit = () =>
    api.updatePremiumContent({ path, headers: { 'If-Match': tag }, body: { title: 'The Old Mole' } })
  const { data: edited } = await edit()
  const { error: late } = await edit()
  const { error: wrong } = await api.createPremiumContent({ body: { ...body, duration: 99 } })

  await api.uploadAudio({ path, body: { voice: 'female', audioFile: mp3 } })
  const { data: audio } = await api.getPremiumAudio({ path: { ...path, voice: 'female' }, parseAs: 'blob' })

  const { data: asked } = await api.narrateStory({ path, body: {} })
  const job = { path: { id: asked?.jobId ?? '' } }
  await api.cancelJob(job)
  const { data: cancelled } = await api.getJob(job)

  const titles: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 1, ...(cursor !== undefined && { cursor }) }
    const { data = [], response } = await api.listContent({ query })
    for (const entry of data) if ('title' in entry) titles.push(entry.title)
    cursor = /[?&]cursor=([^&>]+)/.exec(response?.headers.get('link') ?? '')?.[1]
  } while (cursor)
  await api.deletePremiumContent({ path })
  const { data: changes = [] } = await api.listContent({ query: { updatedSince: since, include: 'removed' } })
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
