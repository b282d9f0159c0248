import { afterAll, expect, test } from 'bun:test'
import { createVolumeAndSpeed } from './volume-and-speed'

// Other test files in the same run expect the globals of a server.
afterAll(() => void Reflect.deleteProperty(globalThis, 'window'))

test('a visitor’s speed stays in the browser, and is the speed of the next page', () => {
  const stored = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  Object.assign(globalThis, { window: { localStorage } })
  const speeds: number[] = []
  const openPage = () => createVolumeAndSpeed({ setVolume() {}, setSpeed: (speed) => speeds.push(speed) })
  openPage().setSpeed(1.5)
  openPage()
  expect(speeds).toEqual([1, 1.5, 1.5])
  // Nothing waits to be saved by the server.
  expect(Object.fromEntries(stored)).toEqual({ 'nocturne.speed': '1.5' })
})
