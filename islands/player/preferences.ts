import { keepStored, readStored } from '#islands/browser-storage'
import { speeds } from '#src/listening/rules'

const volumeName = 'nocturne.volume'
const speedName = 'nocturne.speed'

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
