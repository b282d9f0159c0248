import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { randomName } from '#islands/runtime/random-name'

const storageName = 'nocturne.device'
let id: string | null = null

/**
 * Returns this browser's id, which distinguishes "here" from "the phone". It is random, and stored in this browser
 * only.
 */
export function deviceId(): string {
  id ??= readStored('localStorage', storageName)
  if (id === null) {
    id = randomName()
    writeStored('localStorage', storageName, id)
  }
  return id
}
