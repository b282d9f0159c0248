import { type FormEvent, useEffect, useState } from 'react'
import { findSwitchState, turnPushOff, turnPushOn } from '#islands/member/push-subscription'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { PushRows, type PushSwitchState } from '#src/push/push-rows'
import type { PushDevice, PushState } from '#src/push/schema'

/**
 * The setting for notifications in this browser and in the member's others. The browser asks for permission at a press,
 * never before.
 */
export function PushSetting({
  state,
  isPossible,
  onChange,
}: {
  state: PushState
  /** Whether the site has a service worker, which shows the notifications. */
  isPossible: boolean
  onChange: (state: PushState) => void
}) {
  const [switchState, setSwitchState] = useState<PushSwitchState>(isPossible ? 'unknown' : 'switched-off')
  const { submit } = useSubmit({ title: 'Error' })
  useEffect(() => {
    if (isPossible) void findSwitchState(state).then(setSwitchState, () => setSwitchState('unable'))
  }, [isPossible, state])

  /** Runs an action. If it fails, the subscription may have been ended elsewhere, so the state is read again. */
  const change = (work: () => Promise<PushState | null>) =>
    submit(async () => {
      try {
        const next = await work()
        if (next) onChange(next)
      } catch (error) {
        await api('GET /api/user/push').then(onChange, () => {})
        throw error
      }
    })
  const here = state.devices.find(({ isCurrent }) => isCurrent)
  const toggle = () =>
    change(() => (switchState === 'on' && here ? turnPushOff(here) : turnPushOn(state.publicKey)))
  const sendOne = () =>
    change(async () => {
      const { message } = await api('POST /api/user/push/test')
      emit('nocturne:toast', { title: message })
      return null
    })
  const remove = (device: PushDevice, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void change(() => turnPushOff(device))
  }
  return (
    <PushRows
      switchState={switchState}
      devices={state.devices}
      onToggle={() => void toggle()}
      onTry={() => void sendOne()}
      onRemove={remove}
    />
  )
}
