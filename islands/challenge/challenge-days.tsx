import { reload } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { dayCount } from '#src/challenge/challenge-card'
import { type Act, ChallengeDays, type ChallengeDaysProps } from '#src/challenge/challenge-days'
import type { UserChallenge } from '#src/challenge/schema'

/** A challenge with its buttons. They work without leaving the page, so that playback continues. */
export default function ChallengeDaysIsland(props: ChallengeDaysProps) {
  const { isBusy, submit } = useSubmit({ title: 'That did not work' })

  const act = (what: Act, day: number | null) =>
    submit(async () => {
      const mine = await send(props.challenge.id, what, day)
      emit('nocturne:toast', { kind: 'good', ...wordsOf(what, props.challenge.name, mine) })
      await reload()
    })
  return <ChallengeDays {...props} isBusy={isBusy} onAct={(what, day) => void act(what, day)} />
}

async function send(id: string, act: Act, day: number | null): Promise<UserChallenge | null> {
  const path = { id }
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  if (act === 'join') return api('POST /api/user/challenges', { body: { challengeId: id, timeZone } })
  if (act === 'leave') {
    await api('DELETE /api/user/challenges/:id', { path })
    return null
  }
  if (act === 'done') return api('PUT /api/user/challenges/:id/days/:day', { path: { id, day: String(day) } })
  return api('PATCH /api/user/challenges/:id', { path, body: { isPaused: act === 'pause', timeZone } })
}

function wordsOf(act: Act, name: string, mine: UserChallenge | null): { title: string; description: string } {
  if (act === 'join') return { title: 'You are in', description: `${name} begins today.` }
  if (act === 'leave') return { title: 'Put away', description: name }
  if (act === 'pause') return { title: 'Paused', description: 'Your progress is saved.' }
  if (act === 'resume') return { title: 'Welcome back', description: `${name} continues where you left off.` }
  if (mine?.isComplete) return { title: 'You finished it', description: `All of ${name}. Sleep well.` }
  return { title: 'Day done', description: `${mine?.doneDays ?? 1} of ${dayCount(mine?.totalDays ?? 1)}` }
}
