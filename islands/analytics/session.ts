import { listTransitions, readIdentity } from '#islands/analytics/identity'
import { clockOffsetMs } from '#islands/analytics/queue'
import { pushToDataLayer } from '#islands/listening/track-event'
import { readStored, writeStored } from '#islands/runtime/browser-storage'

const sessionName = 'nocturne.session'
const identityName = 'nocturne.identity'
const sessionAddress = '/api/analytics/session'

/** The session that events belong to, and the offset between the server's clock and the browser's. */
export function openSession() {
  let id = readStored('sessionStorage', sessionName)
  let isKnown = false
  let offsetMs = 0
  let isEnded = false

  return {
    id: () => id,
    /** Whether the server has answered on this page. */
    isKnown: () => isKnown,
    offsetMs: () => offsetMs,
    /** Opens or extends the session, and reads who is signed in. Returns false on failure. */
    async meet(): Promise<boolean> {
      const now = new Date().toISOString()
      const body = id ? { sessionId: id, lastSeen: now } : { consent: true, timestamp: now, ...arrival() }
      try {
        const response = await post(sessionAddress, body)
        const answer = await response.json()
        if (!response.ok) return false
        offsetMs = clockOffsetMs(response.headers.get('date'), Date.now())
        if (isEnded) return false
        id = answer.sessionId
        writeStored('sessionStorage', sessionName, id)
        isKnown = true
        identify(answer.userId)
        return true
      } catch {
        return false
      }
    },
    /** Ends the session when consent is withdrawn, and removes its visitor. */
    end(): void {
      isEnded = true
      for (const name of [sessionName, identityName]) writeStored('sessionStorage', name, null)
      pushToDataLayer({ event: 'reset' })
      void post(sessionAddress, { consent: false, timestamp: new Date().toISOString() })
        .then((response) => response.text())
        .catch(() => {})
    },
  }
}

function identify(userId: string | null): void {
  const before = readIdentity(readStored('sessionStorage', identityName))
  for (const transition of listTransitions(before, { userId })) pushToDataLayer(transition)
  writeStored('sessionStorage', identityName, userId ?? '')
}

export function post(address: string, body: object): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Returns the referrer, and the campaign from the address (utm_ parameters). */
function arrival() {
  const query = new URLSearchParams(location.search)
  const utm = Object.fromEntries(
    ['source', 'medium', 'campaign', 'term', 'content'].flatMap((name) => {
      const value = query.get(`utm_${name}`)
      return value ? [[name, value.slice(0, 200)]] : []
    }),
  )
  const referrer = URL.parse(document.referrer)
  return {
    locale: navigator.language,
    ...(referrer && referrer.origin !== location.origin && { referrer: referrer.origin }),
    ...(Object.keys(utm).length > 0 && { utm }),
  }
}
