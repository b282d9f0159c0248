import { showNote } from '#islands/player/notes'
import {
  extended,
  fadeOf,
  readTimer,
  type SleepTimer,
  secondsLeft,
  timerOf,
  writeTimer,
} from '#islands/player/sleep-timer'
import { playerNote, playerSleep, playerSpeed, playerState, setSleep } from '#islands/player/state'
import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { timerExtendMinutes } from '#src/listening/rules'

const storageName = 'nocturne.sleep'
const tickMs = 250

/**
 * Runs the sleep timer: fades the volume before the end, stops playback, and restores the volume for the next play. The
 * timer survives a reload of the tab.
 */
export function createSleep(sound: { fadeTo: (share: number) => void; pause: () => void }) {
  let ticking: Timer | undefined

  function set(timer: SleepTimer | null): void {
    clearInterval(ticking)
    writeStored('sessionStorage', storageName, timer && writeTimer(timer))
    sound.fadeTo(1)
    if (timer) {
      show(timer)
      ticking = setInterval(tick, tickMs)
      tick()
    } else setSleep(null)
  }

  function tick(): void {
    const timer = playerSleep()?.timer
    if (!timer) return
    const left = show(timer)
    if (playerState().isPlaying) sound.fadeTo(fadeOf(left))
    if (left <= 0 && timer.type === 'time') end()
  }

  function show(timer: SleepTimer): number {
    const { currentTime, duration, isPlaying } = playerState()
    const left = secondsLeft(timer, Date.now(), Math.max(0, duration - currentTime) / playerSpeed())
    const whole = Math.ceil(left)
    if (playerSleep()?.timer !== timer || playerSleep()?.secondsLeft !== whole)
      setSleep({ timer, secondsLeft: whole })
    // An item of unknown length, or one that is paused, is not at its end.
    return timer.type === 'item' && !(isPlaying && duration > 0) ? Number.POSITIVE_INFINITY : left
  }

  function end(): void {
    const { isPlaying, isLoading } = playerState()
    const isOn = isPlaying || isLoading || playerNote()?.type === 'next'
    sound.pause()
    set(null)
    if (isOn) showNote({ type: 'slept', isAtItemEnd: false })
  }

  return {
    chooseMinutes: (minutes: number) => set(timerOf(minutes, Date.now())),
    chooseItemEnd: () => set({ type: 'item' }),
    cancel: () => set(null),
    extend(): void {
      const timer = playerSleep()?.timer
      if (timer) set(extended(timer, timerExtendMinutes))
    },
    /** Call it when an item has ended. Returns whether the sleep timer ends with it. */
    itemEnds(): boolean {
      if (playerSleep()?.timer.type !== 'item') return false
      set(null)
      showNote({ type: 'slept', isAtItemEnd: true })
      return true
    },
    /** Restores the timer after a reload. One that has run out meanwhile is dropped, since nothing is playing. */
    restore(): void {
      const timer = readTimer(readStored('sessionStorage', storageName))
      if (timer && (timer.type === 'item' || timer.endsAtMs > Date.now())) set(timer)
    },
  }
}
