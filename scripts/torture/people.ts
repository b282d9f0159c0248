import {
  type Begin,
  type Call,
  type ClientOptions,
  hexOf,
  isDone,
  personAt,
  type Shared,
  type Tally,
} from './client'
import type { Ledger } from './ledger'
import { operatorAct } from './operator'
import { tortureToken } from './program'
import type { Random } from './random'

const password = 'lanterns on the water'

export type Crowd = {
  /** Lets everybody complete their current act. The ledger does not change after that. */
  leave(): Promise<void>
}

export type CrowdOptions = ClientOptions & {
  ledger: Ledger
  random: Random
  readers?: number
  listeners?: number
  trackers?: number
  intruders?: number
  operators?: number
  /** The maximum pause between two acts of a client, in milliseconds. */
  restMs?: number
}

/**
 * Starts a mixed load: newcomers sign up; listeners save, vote and report positions; trackers send events; operators
 * publish, edit, import, undo, upload, narrate and moderate; readers request lists, searches and ranges of audio; an
 * intruder requests data without permission. Acknowledged requests are added to the ledger at once.
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
    readers = 0,
    restMs = 250,
  } = options
  let isOpen = true
  const shared: Shared = { items: [], heard: [] }
  const repeat = async (act: () => Promise<void>, own: Random) => {
    while (isOpen) {
      const { unanswered } = tally
      await act()
      // A client without a response waits a little before it tries again, as browsers and people do.
      await Bun.sleep(tally.unanswered > unanswered ? 250 : own.whole(0, restMs))
    }
  }
  const everybody = [
    ...Array.from({ length: operators }, () => operatorAct),
    ...Array.from({ length: listeners }, () => listenerAct),
    ...Array.from({ length: readers }, () => readerAct),
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

/**
 * A listener who signs up, then saves, reports positions, votes and comments, and is replaced by a new member from time
 * to time.
 */
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

/** A reader who requests pages, lists and searches, and parts of items with audio. */
const readerAct: Begin = ({ call, random }, _, shared) => {
  let cookie = ''
  return async () => {
    if (!cookie) {
      const email = `r${random.whole(0, 1e9)}-${random.whole(0, 1e9)}@example.com`
      cookie = (await call('/api/auth/register', { json: { email, password } }))?.cookies ?? ''
    }
    if (shared.heard.length > 0 && random.share() < 0.4) {
      const from = random.whole(0, 4_000)
      const path = `/api/premium-audio/${random.pick(shared.heard)}/female`
      await call(path, { cookie, range: `bytes=${from}-${from + 2_000}` })
    } else await call(random.pick(pagesAndLists))
  }
}

const pagesAndLists = [
  '/',
  '/stories?category=romantic',
  '/stories?q=harbour',
  '/trending',
  '/api/content?limit=50',
  '/api/content?q=lamp%20coat',
]

/** A tracker that sends events in batches. Unanswered batches are sent again unchanged, as browsers do. */
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

/**
 * An intruder who requests data without permission throughout all faults: without a cookie, with a member's, with a
 * wrong token.
 */
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
      if (isDone(await call(...forbidden))) tally.wronglyAllowed += 1
    }
  }
