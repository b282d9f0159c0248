import { toneMp3 } from '#src/narration/testing'
import { type Begin, idOf, isDone, type Person } from './client'
import type { Ledger } from './ledger'

/** An operator who publishes, edits, imports, undoes, uploads, narrates, reports and decides. */
export const operatorAct: Begin = (person, ledger, shared) => {
  const { call, random } = person
  const title = () => `The ${random.pick(['Lamp', 'Ferry', 'Harbour', 'Orchard'])} ${random.whole(0, 1e9)}`
  // Short, because each second of narration takes processor time from the load.
  const text = 'She lit the lamp and waited, and he came up from the harbour with salt on his coat.'
  const mine: string[] = []
  const batches: string[] = []

  const publish = async () => {
    const answer = await call('/api/stories', {
      json: { title: title(), content: text, categories: ['romantic'] },
      isOperator: true,
    })
    if (!isDone(answer)) return
    ledger.items.add(idOf(answer))
    shared.items.push(idOf(answer))
    mine.push(idOf(answer))
  }
  const importRows = async () => {
    const items = Array.from({ length: random.whole(1, 12) }, () => ({ title: title(), content: text }))
    const answer = await call('/api/premium-content/bulk', { json: { items }, isOperator: true })
    const listed = isDone(answer) && (await call('/api/imports', { isOperator: true }))
    if (!listed || !isDone(listed) || !Array.isArray(listed.body)) return
    for (const { id, imported, state } of listed.body.slice(0, 5))
      if (!ledger.batches.has(id) && state === 'applied') {
        ledger.batches.set(id, { imported, state })
        batches.push(id)
      }
  }
  return async () => {
    const luck = random.share()
    const item = mine.length > 0 ? random.pick(mine) : null
    const batch = batches.length > 0 ? random.pick(batches) : null
    if (!item || luck < 0.3) return publish()
    if (luck < 0.5) return importRows()
    if (luck < 0.6 && batch) return undoBatch(person, ledger, batch)
    if (luck < 0.75) return uploadAudio(person, ledger, { item, heard: shared.heard })
    if (luck < 0.8) return rename(person, ledger, { item, title: title() })
    if (luck < 0.95) return reportAndDecide(person, ledger, item)
    const answer = await call(`/api/stories/${item}/narrate`, { json: { voice: 'male' }, isOperator: true })
    if (isDone(answer)) ledger.jobs.add(item)
  }
}

async function undoBatch({ call }: Person, { batches }: Ledger, id: string): Promise<void> {
  const batch = batches.get(id)
  if (!batch) return
  // The batch stays in the ledger: another operator's list from before the undo would otherwise add it again as
  // applied.
  batches.set(id, { ...batch, state: 'asked' })
  const answer = await call(`/api/imports/${id}/undo`, { json: {}, isOperator: true })
  const isUndone = isDone(answer) || answer?.status === 409
  if (isUndone) batches.set(id, { ...batch, state: 'undone' })
}

async function rename(
  { call }: Person,
  { titles }: Ledger,
  { item, title }: { item: string; title: string },
): Promise<void> {
  titles.delete(item)
  const answer = await call(`/api/premium-content/${item}`, {
    method: 'PUT',
    json: { title },
    isOperator: true,
  })
  if (isDone(answer)) titles.set(item, title)
}

async function uploadAudio(
  { call, random }: Person,
  { narrations }: Ledger,
  { item, heard }: { item: string; heard: string[] },
): Promise<void> {
  const audio = await toneMp3(1 + random.share(), random.whole(200, 800))
  const form = new FormData()
  form.set('audioFile', new Blob([audio], { type: 'audio/mpeg' }), 'tone.mp3')
  narrations.delete(item)
  const answer = await call(`/api/premium-content/${item}/upload-audio`, { form, isOperator: true })
  if (!isDone(answer)) return
  narrations.set(item, new Bun.CryptoHasher('sha256').update(audio).digest('hex'))
  heard.push(item)
}

async function reportAndDecide({ call, random }: Person, { reports }: Ledger, item: string): Promise<void> {
  const report = await call(`/api/stories/${item}/flags`, { json: { flagType: 'audio_fault' } })
  if (!isDone(report)) return
  const id = idOf(report)
  reports.set(id, 'reported')
  if (random.share() < 0.5) return
  const answer = await call(`/api/content-flags/${id}`, {
    method: 'PATCH',
    json: { moderatorAction: 'remove', moderatorNotes: 'Looked at.' },
    isOperator: true,
  })
  if (isDone(answer)) reports.set(id, 'removed')
}
