import { useState } from 'react'
import { apiCall, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { reload } from '#islands/visit'
import { dayCount } from '#src/challenge/challenge-card'
import { type Act, ChallengeDays, type ChallengeDaysProps } from '#src/challenge/challenge-days'
import type { UserChallenge } from '#src/challenge/schema'
import { urls } from '#src/urls'

/** A challenge whose buttons work in place, so that what plays goes on. */
export default function ChallengeDaysIsland(props: ChallengeDaysProps) {
  const [isBusy, setBusy] = useState(false)

  const act = async (what: Act, day: number | null) => {
    setBusy(true)
    try {
      const mine = await send(props.challenge.id, what, day)
      emit('nocturne:toast', { kind: 'good', ...wordsOf(what, props.challenge.name, mine) })
      await reload()
    } catch (error) {
      const { message } = problemOf(error)
      emit('nocturne:toast', { kind: 'bad', title: 'That did not work', description: message })
    } finally {
      setBusy(false)
    }
  }
  return <ChallengeDays {...props} isBusy={isBusy} onAct={(what, day) => void act(what, day)} />
}

async function send(id: string, act: Act, day: number | null): Promise<UserChallenge | null> {
  const call = (path: string, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', body?: object) =>
    apiCall(path, { method, body }) as Promise<UserChallenge>
  if (act === 'join') return call(urls.apiUserChallenges(), 'POST', { challengeId: id, timeZone: zone() })
  if (act === 'leave') {
    await call(urls.apiUserChallenge(id), 'DELETE')
    return null
  }
  if (act === 'done') return call(urls.apiChallengeDay(id, day ?? 0), 'PUT')
  return call(urls.apiUserChallenge(id), 'PATCH', { isPaused: act === 'pause', timeZone: zone() })
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

function wordsOf(act: Act, name: string, mine: UserChallenge | null): { title: string; description: string } {
  if (act === 'join') return { title: 'You are in', description: `${name} begins today.` }
  if (act === 'leave') return { title: 'Put away', description: name }
  if (act === 'pause') return { title: 'Paused', description: 'It waits for you, as far as you are.' }
  if (act === 'resume') return { title: 'Welcome back', description: `${name} goes on where you were.` }
  if (mine?.isComplete) return { title: 'You finished it', description: `All of ${name}. Sleep well.` }
  return { title: 'Day done', description: `${mine?.doneDays ?? 1} of ${dayCount(mine?.totalDays ?? 1)}` }
}
