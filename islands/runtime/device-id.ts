import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { randomName } from '#islands/runtime/random-name'

const storageName = 'nocturne.device'
let id: string | null = null

/** This browser's id, to distinguish "here" from "the phone": random, and stored here only. */
export function deviceId(): string {
  id ??= readStored('localStorage', storageName)
  if (id === null) {
    id = randomName()
    writeStored('localStorage', storageName, id)
  }
  return id
}
