import { toneMp3 } from '#src/narration/testing'
import type { Ledger } from './ledger'
import type { Random } from './random'
import { tortureToken } from './target'

/** The program's answers, as clients saw them. */
export type Tally = {
  requests: number
  answered: number
  /** No answer: refused, cut, or too late. */
  unanswered: number
  /** 503: temporarily unavailable. */
  unavailable: number
  /** Any other status of 500 and above: each is a bug. */
  serverErrors: number
  errors: Map<string, number>
  /** Answers to a client without the right to them. */
  letIn: number
}

export function openTally(): Tally {
  return {
    requests: 0,
    answered: 0,
    unanswered: 0,
    unavailable: 0,
    serverErrors: 0,
    errors: new Map(),
    letIn: 0,
  }
}

type Call = {
  /** In place of the operator's token. */
  bearer?: string
  method?: string
  json?: unknown
  form?: FormData
  cookie?: string
  isOperator?: boolean
}
type Answer = { status: number; body: unknown; cookies: string }

/** A client at an address of its own, so that one's limits are not another's. */
type Person = { call(path: string, call?: Call): Promise<Answer | null>; random: Random }

const answerMs = 20_000
const password = 'lanterns on the water'

export type Crowd = {
  /** Everybody completes the present act; afterwards the ledger does not change. */
  leave(): Promise<void>
}

export type CrowdOptions = {
  origin: () => string
  ledger: Ledger
  tally: Tally
  random: Random
  listeners?: number
  trackers?: number
  intruders?: number
  operators?: number
  /** Between two acts of one client, at most. */
  restMs?: number
}

/**
 * A mixed load: newcomers sign up, listeners save and vote and report positions, trackers send events, operators
 * publish, import, undo, upload, narrate and moderate, and an intruder requests data without the right to them.
 * Acknowledged requests go into the ledger at once.
 */
export function startCrowd(options: CrowdOptions): Crowd {
  const {
    ledger,
    tally,
    random,
    listeners = 5,
    trackers = 2,
    operators = 2,
    intruders = 1,
    restMs = 250,
  } = options
  let isOpen = true
  const shared: Shared = { items: [], password }
  const repeat = async (act: () => Promise<void>, own: Random) => {
    while (isOpen) {
      const { unanswered } = tally
      await act()
      // A client without an answer waits a little before it tries again, as browsers and people do.
      await Bun.sleep(tally.unanswered > unanswered ? 250 : own.whole(0, restMs))
    }
  }
  const everybody = [
    ...Array.from({ length: operators }, () => operatorAct),
    ...Array.from({ length: listeners }, () => listenerAct),
    ...Array.from({ length: trackers }, () => trackerAct),
    ...Array.from({ length: intruders }, () => intruderAct(tally)),
  ].map((begin) => {
    const person = personAt(options, random.fork())
    return repeat(begin(person, ledger, shared), person.random)
  })
  return {
    async leave() {
      isOpen = false
      await Promise.all(everybody)
    },
  }
}

/** What the clients share: the items that there are to listen to. */
type Shared = { items: string[]; password: string }
type Begin = (person: Person, ledger: Ledger, shared: Shared) => () => Promise<void>

function personAt({ origin, tally }: CrowdOptions, random: Random): Person {
  const address = `10.${random.whole(0, 255)}.${random.whole(0, 255)}.${random.whole(1, 254)}`
  return {
    random,
    async call(path, { method, json, form, cookie, isOperator, bearer }: Call = {}) {
      tally.requests += 1
      const response = await fetch(origin() + path, {
        method: method ?? (json === undefined && form === undefined ? 'GET' : 'POST'),
        headers: {
          'x-forwarded-for': address,
          'sec-fetch-site': 'same-origin',
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...(cookie && { cookie }),
          ...(isOperator && { authorization: `Bearer ${tortureToken}` }),
          ...(bearer && { authorization: `Bearer ${bearer}` }),
        },
        body: json === undefined ? form : JSON.stringify(json),
        signal: AbortSignal.timeout(answerMs),
      }).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (!response || text === null || text === undefined) {
        tally.unanswered += 1
        return null
      }
      tally.answered += 1
      if (response.status === 503) tally.unavailable += 1
      else if (response.status >= 500) {
        tally.serverErrors += 1
        const what = `${response.status} ${path.replace(/[0-9a-f-]{36}/g, ':id')}`
        tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1)
      }
      const cookies = response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      return { status: response.status, body: parsed(text), cookies }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const idOf = (answer: Answer | null): string => String(Object(answer?.body).id ?? '')
const isDone = (answer: Answer | null): answer is Answer & { status: 200 | 201 } =>
  answer?.status === 200 || answer?.status === 201

/** Signs up, then saves, reports positions, votes, comments, and is replaced by a new member now and then. */
const listenerAct: Begin = (person, ledger, shared) => {
  let member: { id: string; cookie: string } | null = null
  const { random, call } = person
  const deviceId = `device-${random.whole(0, 1e9)}`
  const reached = new Map<string, { seconds: number; sequence: number }>()

  const signUp = async () => {
    const email = `m${random.whole(0, 1e9)}-${random.whole(0, 1e9)}@example.com`
    const answer = await call('/api/auth/register', { json: { email, password } })
    if (!isDone(answer)) return
    ledger.members.add(email)
    const id = String(Object(Object(answer.body).user).id ?? '')
    member = { id, cookie: answer.cookies }
    reached.clear()
  }
  const save = async (item: string, { id, cookie }: { id: string; cookie: string }) => {
    const key = `pre_uploaded:story:${item}`
    const isThere = random.share() < 0.7
    ledger.favourites.delete(`${id} ${item}`)
    const answer = isThere
      ? await call('/api/content-favorites', { json: { contentKey: key }, cookie })
      : await call(`/api/content-favorites/${key}`, { method: 'DELETE', json: {}, cookie })
    if (isDone(answer)) ledger.favourites.set(`${id} ${item}`, isThere)
  }
  const listen = async (item: string, { id, cookie }: { id: string; cookie: string }) => {
    const last = reached.get(item) ?? { seconds: 0, sequence: 0 }
    const next = { seconds: last.seconds + random.whole(5, 15), sequence: last.sequence + 1 }
    reached.set(item, next)
    const answer = await call('/api/analytics/progress', {
      json: {
        contentId: item,
        contentType: 'story',
        lastPositionSec: next.seconds,
        totalSec: 80_000,
        deviceId,
        sequence: next.sequence,
        reason: 'play',
        lastUpdatedAt: new Date().toISOString(),
      },
      cookie,
    })
    if (isDone(answer)) ledger.positions.set(`${id} ${item}`, next.seconds)
  }
  return async () => {
    if (!member || random.share() < 0.02) return signUp()
    if (shared.items.length === 0) return void (await call('/'))
    const item = random.pick(shared.items.slice(-20))
    const luck = random.share()
    if (luck < 0.5) await listen(item, member)
    else if (luck < 0.8) await save(item, member)
    else if (luck < 0.9)
      await call(`/api/stories/${item}/vote`, { json: { voteType: 'up' }, cookie: member.cookie })
    else
      await call(random.pick(['/', '/stories', '/home', '/trending', '/my-content']), {
        cookie: member.cookie,
      })
  }
}

/** Sends events in batches; unanswered batches are sent again, unchanged, as browsers do. */
const trackerAct: Begin = ({ call, random }, ledger) => {
  let session: { id: string; cookie: string } | null = null
  let waiting: { id: string; eventType: string; timestamp: string }[] = []
  return async () => {
    if (!session) {
      const answer = await call('/api/analytics/session', { json: { consent: true } })
      if (isDone(answer))
        session = { id: String(Object(answer.body).sessionId ?? ''), cookie: answer.cookies }
      return
    }
    const uuid = () => [8, 4, 4, 4, 12].map((length) => hexOf(random, length)).join('-')
    if (waiting.length === 0)
      waiting = Array.from({ length: random.whole(1, 20) }, () => ({
        id: uuid(),
        eventType: 'page_view',
        timestamp: new Date().toISOString(),
      }))
    const answer = await call('/api/analytics/events', {
      json: { sessionId: session.id, events: waiting },
      cookie: session.cookie,
    })
    if (!isDone(answer)) return
    const { accepted = 0, duplicates = 0 } = Object(answer.body)
    if (accepted + duplicates === waiting.length) for (const { id } of waiting) ledger.events.add(id)
    waiting = []
  }
}

/** Requests, throughout all faults, data without the right to them: with no cookie, a member's, a wrong token. */
const intruderAct =
  (tally: Tally): Begin =>
  ({ call, random }, _, shared) => {
    let cookie = ''
    return async () => {
      if (!cookie) {
        const email = `i${random.whole(0, 1e9)}@example.com`
        cookie = (await call('/api/auth/register', { json: { email, password } }))?.cookies ?? ''
      }
      const item = shared.items.length > 0 ? random.pick(shared.items) : 'none'
      const forbidden = random.pick<[string, Call]>([
        ['/api/premium-content', {}],
        ['/api/premium-content', { cookie }],
        ['/api/premium-content', { bearer: hexOf(random, 64) }],
        ['/api/imports', { cookie, bearer: '' }],
        ['/api/members', { bearer: `${tortureToken}x` }],
        [`/api/premium-audio/${item}/female`, {}],
        ['/api/user/content', {}],
        ['/api/content-favorites', {}],
        ['/api/admin/sessions', { cookie }],
        ['/metrics', {}],
        ['/api/stories', { json: { title: 'Not Mine', content: 'No.', categories: ['romantic'] }, cookie }],
      ])
      if (isDone(await call(...forbidden))) tally.letIn += 1
    }
  }

function hexOf(random: Random, length: number): string {
  return Array.from({ length }, () => random.whole(0, 15).toString(16)).join('')
}

/** Publishes, imports, undoes, uploads, narrates, reports and decides. */
const operatorAct: Begin = (person, ledger, shared) => {
  const { call, random } = person
  const title = () => `The ${random.pick(['Lamp', 'Ferry', 'Harbour', 'Orchard'])} ${random.whole(0, 1e9)}`
  const text = 'She lit the lamp and waited, and he came up from the harbour with salt on his coat. '.repeat(
    6,
  )
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
    if (luck < 0.8) return uploadAudio(person, ledger, item)
    if (luck < 0.95) return reportAndDecide(person, ledger, item)
    const answer = await call(`/api/stories/${item}/narrate`, { json: { voice: 'male' }, isOperator: true })
    if (isDone(answer)) ledger.jobs.add(item)
  }
}

async function undoBatch({ call }: Person, { batches }: Ledger, id: string): Promise<void> {
  const batch = batches.get(id)
  batches.delete(id)
  const answer = await call(`/api/imports/${id}/undo`, { json: {}, isOperator: true })
  const isUndone = isDone(answer) || answer?.status === 409
  if (batch && isUndone) batches.set(id, { ...batch, state: 'undone' })
}

async function uploadAudio({ call, random }: Person, { narrations }: Ledger, item: string): Promise<void> {
  const audio = await toneMp3(1 + random.share(), random.whole(200, 800))
  const form = new FormData()
  form.set('audioFile', new Blob([audio], { type: 'audio/mpeg' }), 'tone.mp3')
  narrations.delete(item)
  const answer = await call(`/api/premium-content/${item}/upload-audio`, { form, isOperator: true })
  if (isDone(answer)) narrations.set(item, new Bun.CryptoHasher('sha256').update(audio).digest('hex'))
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
