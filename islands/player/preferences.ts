import { keepStored, readStored } from '#islands/browser-storage'
import { speeds } from '#src/listening/rules'

const volumeName = 'nocturne.volume'
const speedName = 'nocturne.speed'
const speedUnsavedName = 'nocturne.speed-unsaved'
const autoPlayName = 'nocturne.autoplay'
const keysName = 'nocturne.keys'

/** 0 to 1; starts at 1 (visitor.md §3). */
export function readVolume(): number {
  const stored = readStored('localStorage', volumeName)
  const volume = Number(stored)
  return stored !== null && volume >= 0 && volume <= 1 ? volume : 1
}

export function keepVolume(volume: number): void {
  keepStored('localStorage', volumeName, String(volume))
}

/** Times as fast as spoken. */
export function readSpeed(): number {
  const stored = Number(readStored('localStorage', speedName))
  return speeds.find((speed) => speed === stored) ?? 1
}

export function keepSpeed(speed: number): void {
  keepStored('localStorage', speedName, String(speed))
}

/** The member whose chosen speed the server has not heard of yet, such as while it was away. */
export function readSpeedUnsaved(): string | null {
  return readStored('localStorage', speedUnsavedName)
}

export function keepSpeedUnsaved(owner: string | null): void {
  keepStored('localStorage', speedUnsavedName, owner)
}

/** Whether the next item begins by itself: a visitor's choice; a member's stands in the settings. */
export function readAutoPlay(): boolean {
  return readStored('localStorage', autoPlayName) !== 'off'
}

export function keepAutoPlay(does: boolean): void {
  keepStored('localStorage', autoPlayName, does ? null : 'off')
}

/**
 * Whether single keys command the player in this browser. Whoever dictates, or hits keys by accident, turns
 * them off (WCAG 2.1.4).
 */
export function hasKeys(): boolean {
  return readStored('localStorage', keysName) !== 'off'
}

export function keepKeys(has: boolean): void {
  keepStored('localStorage', keysName, has ? null : 'off')
}
