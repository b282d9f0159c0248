import { describe, expect, test } from 'bun:test'
import type { DevicePosition, ProgressWithPlaces } from '#src/listening/schema'
import { offeredPlaces } from './place-offer'

const phone: DevicePosition = {
  deviceId: 'p',
  device: 'phone',
  positionSec: 724,
  totalSec: 764,
  updatedAt: '2026-11-21T07:52:00.000Z',
}
const here: DevicePosition = {
  ...phone,
  deviceId: 'h',
  device: 'computer',
  positionSec: 190,
  updatedAt: '2026-11-20T20:00:00.000Z',
}
const progress = (...places: DevicePosition[]): ProgressWithPlaces => ({
  contentId: 'a',
  contentType: 'story',
  lastPositionSec: 724,
  totalSec: 764,
  completed: false,
  lastUpdatedAt: phone.updatedAt,
  version: 'p/1',
  places,
})
const offered = (...places: DevicePosition[]) =>
  offeredPlaces(progress(...places), 'h', 764).map(({ seconds, where }) => `${seconds} ${where}`)

describe('offer to resume at another device’s position', () => {
  test('contains both positions, the later report first', () => {
    expect(offered(phone, here)).toEqual(['724 on the phone', '190 here'])
    expect(offered({ ...phone, positionSec: 20 }, here)).toEqual(['20 on the phone', '190 here'])
  })

  test('is empty when the positions are close together', () => {
    expect(offered({ ...phone, positionSec: 200 }, here)).toEqual([])
  })

  test('is empty when this device reported last', () => {
    expect(offered({ ...here, updatedAt: '2026-11-21T08:00:00.000Z' }, phone)).toEqual([])
  })

  test('is empty when only one device has a position', () => {
    expect(offered(phone)).toEqual([])
    expect(offered(here)).toEqual([])
    expect(offeredPlaces(null, 'h', 764)).toEqual([])
  })

  test('tells two devices of the same kind apart, and names an unknown one “another device”', () => {
    expect(offered({ ...phone, device: 'computer' }, here)[0]).toBe('724 on another computer')
    expect(offered({ ...phone, device: null }, here)[0]).toBe('724 on another device')
  })

  test('leaves out the position of a device that has finished', () => {
    expect(offered({ ...phone, positionSec: 763 }, here)).toEqual(['190 here'])
  })

  test('converts a reading position to seconds of audio', () => {
    expect(offered({ ...phone, positionSec: 120, totalSec: 240 }, here)[0]).toBe('382 on the phone')
  })
})
