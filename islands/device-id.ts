import { keepStored, readStored } from '#islands/browser-storage'
import { randomName } from '#islands/random-name'

const storageName = 'nocturne.device'
let id: string | null = null

/** This browser, for telling "here" from "the phone": made here, kept here, says nothing about anyone. */
export function deviceId(): string {
  id ??= readStored('localStorage', storageName)
  if (id === null) {
    id = randomName()
    keepStored('localStorage', storageName, id)
  }
  return id
}
