import { afterAll, expect, jest, test } from 'bun:test'
import { createSliderPreview } from './slider-preview'

jest.useFakeTimers()
afterAll(() => void jest.useRealTimers())

test('a drag commits its position once, when it ends', () => {
  const commits: number[] = []
  const preview = createSliderPreview((seconds) => {
    preview.drop()
    commits.push(seconds)
  })
  preview.move(10)
  preview.move(20)
  expect(preview.isOn()).toBe(true)
  preview.end(21)
  expect(preview.isOn()).toBe(false)
  jest.advanceTimersByTime(450)
  expect(commits).toEqual([21])
})

test('a drag that rests for 450 ms commits its position', () => {
  const commits: number[] = []
  const preview = createSliderPreview((seconds) => commits.push(seconds))
  preview.move(10)
  jest.advanceTimersByTime(450)
  expect(commits).toEqual([10])
})

test('a key press that moves nothing commits nothing', () => {
  const commits: number[] = []
  createSliderPreview((seconds) => commits.push(seconds)).end(5)
  expect(commits).toEqual([])
})
