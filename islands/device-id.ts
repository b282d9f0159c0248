import { keepStored, readStored } from '#islands/browser-storage'

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

/** 32 hexadecimal digits. `crypto.randomUUID` is missing on plain http, where many run this at home. */
export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
