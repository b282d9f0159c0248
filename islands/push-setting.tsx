import { type FormEvent, useEffect, useRef, useState } from 'react'
import { apiCall, messageOf, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { findStanding, turnPushOff, turnPushOn } from '#islands/push-subscription'
import { PushRows, type PushStanding } from '#src/push/push-rows'
import type { PushDevice, PushState } from '#src/push/schema'
import { urls } from '#src/urls'

/** Notifications in this browser, and in the member's others. The browser asks for leave at the press, never before. */
export function PushSetting({
  state,
  isPossible,
  onChange,
}: {
  state: PushState
  /** The site has its worker, which shows them. */
  isPossible: boolean
  onChange: (state: PushState) => void
}) {
  const [standing, setStanding] = useState<PushStanding>(isPossible ? 'unknown' : 'switched-off')
  const isBusy = useRef(false)
  useEffect(() => {
    if (isPossible) void findStanding(state).then(setStanding, () => setStanding('unable'))
  }, [isPossible, state])

  /** One press at a time; what did not work is said, and shown as it is. */
  const once = async (work: () => Promise<PushState | null>) => {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const next = await work()
      if (next) onChange(next)
    } catch (error) {
      emit('nocturne:toast', { kind: 'bad', title: 'Error', description: problemOf(error).message })
      // It may have been ended from elsewhere.
      await apiCall(urls.apiPush()).then(
        (now) => onChange(now as PushState),
        () => {},
      )
    } finally {
      isBusy.current = false
    }
  }
  const here = state.devices.find(({ isCurrent }) => isCurrent)
  const toggle = () =>
    once(() => (standing === 'on' && here ? turnPushOff(here) : turnPushOn(state.publicKey)))
  const sendOne = () =>
    once(async () => {
      const answer = await apiCall(urls.apiPushTrial(), { method: 'POST', body: {} })
      emit('nocturne:toast', { title: messageOf(answer) ?? 'Sent' })
      return null
    })
  const remove = (device: PushDevice, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void once(() => turnPushOff(device))
  }
  return (
    <PushRows
      standing={standing}
      devices={state.devices}
      onToggle={() => void toggle()}
      onTry={() => void sendOne()}
      onRemove={remove}
    />
  )
}
