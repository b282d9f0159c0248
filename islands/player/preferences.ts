import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { speeds } from '#src/listening/rules'

const volumeName = 'nocturne.volume'
const speedName = 'nocturne.speed'
const autoPlayName = 'nocturne.autoplay'
const keysName = 'nocturne.keys'

/** Returns the volume, 0 to 1; 1 by default. */
export function readVolume(): number {
  const stored = readStored('localStorage', volumeName)
  const volume = Number(stored)
  return stored !== null && volume >= 0 && volume <= 1 ? volume : 1
}

export function storeVolume(volume: number): void {
  writeStored('localStorage', volumeName, String(volume))
}

/** Returns the playback speed as a factor. */
export function readSpeed(): number {
  const stored = Number(readStored('localStorage', speedName))
  return speeds.find((speed) => speed === stored) ?? 1
}

export function storeSpeed(speed: number): void {
  writeStored('localStorage', speedName, String(speed))
}

/** Whether the next item starts automatically: a visitor's choice, or a member's last one in this browser. */
export function readAutoPlay(): boolean {
  return readStored('localStorage', autoPlayName) !== 'off'
}

export function storeAutoPlay(does: boolean): void {
  writeStored('localStorage', autoPlayName, does ? null : 'off')
}

/**
 * Whether single keys control the player in this browser. People who dictate, or hit keys by accident, turn them off
 * (WCAG 2.1.4).
 */
export function hasKeys(): boolean {
  return readStored('localStorage', keysName) !== 'off'
}

/** Text fields and lists use single keys themselves. */
export const typing =
  'input:not([type="range"]), textarea, select, [contenteditable], [role="listbox"], [role="menu"], [role="tablist"]'

export function storeKeys(has: boolean): void {
  writeStored('localStorage', keysName, has ? null : 'off')
}
