import { describe, expect, test } from 'bun:test'
import type { Track } from '#src/story/track-rules'
import { clampPosition, emptyPlayer, nextPlayerState, type PlayerEvent, type PlayerState } from './machine'

const track: Track = {
  id: 'pre_uploaded-story-1',
  title: 'The Night Ferry',
  voice: 'female',
  src: '/a',
  meta: {},
}

function after(...events: PlayerEvent[]): PlayerState {
  return events.reduce(nextPlayerState, emptyPlayer)
}

const load: PlayerEvent = { type: 'load', track, duration: 120 }

describe('player state', () => {
  test('starts with nothing loaded, at full volume', () => {
    expect(emptyPlayer).toEqual({
      currentTrack: null,
      isPlaying: false,
      isLoading: false,
      currentTime: 0,
      duration: 0,
      volume: 1,
      errorType: null,
    })
  })

  test('loads, then plays, then pauses', () => {
    expect(after(load)).toMatchObject({
      currentTrack: track,
      isLoading: true,
      isPlaying: false,
      duration: 120,
    })
    expect(after(load, { type: 'play' })).toMatchObject({ isLoading: false, isPlaying: true })
    expect(after(load, { type: 'play' }, { type: 'pause' })).toMatchObject({
      isLoading: false,
      isPlaying: false,
    })
  })

  test('clears the error, position and duration and keeps the volume when another track is loaded', () => {
    const other = { ...track, id: 'pre_uploaded-flow-2' }
    const state = after(
      load,
      { type: 'volume', volume: 0.4 },
      { type: 'time', seconds: 30 },
      { type: 'fail', errorType: 'playback' },
      { type: 'load', track: other, duration: 0 },
    )
    expect(state).toEqual({ ...emptyPlayer, currentTrack: other, isLoading: true, volume: 0.4 })
  })

  test('offers the track of the last page without loading it', () => {
    expect(after({ type: 'offer', track, duration: 120 })).toMatchObject({
      currentTrack: track,
      isLoading: false,
    })
  })

  test.each(['playback', 'authRequired', 'locked', 'autoplay'] as const)(
    'stops and stores the error %s until a retry, which keeps the position',
    (errorType) => {
      const state = after(load, { type: 'play' }, { type: 'time', seconds: 12 }, { type: 'fail', errorType })
      expect(state).toMatchObject({ isPlaying: false, isLoading: false, errorType, currentTime: 12 })
      expect(nextPlayerState(state, { type: 'retry' })).toMatchObject({
        isLoading: true,
        errorType: null,
        currentTime: 12,
      })
    },
  )

  test('loads with an error while a lost connection is waited for, until a pause or a failure', () => {
    const state = after(load, { type: 'play' }, { type: 'time', seconds: 12 }, { type: 'lose' })
    expect(state).toMatchObject({
      isPlaying: false,
      isLoading: true,
      errorType: 'playback',
      currentTime: 12,
    })
    expect(nextPlayerState(state, { type: 'pause' })).toMatchObject({ isLoading: false, errorType: null })
    expect(nextPlayerState(state, { type: 'fail', errorType: 'playback' })).toMatchObject({
      isLoading: false,
      errorType: 'playback',
    })
  })

  test('stops at the end with position 0 and keeps the track', () => {
    const state = after(load, { type: 'play' }, { type: 'time', seconds: 119 }, { type: 'end' })
    expect(state).toMatchObject({ currentTrack: track, isPlaying: false, currentTime: 0, duration: 120 })
  })

  test('is cleared except for the volume when the player is closed', () => {
    const state = after(load, { type: 'volume', volume: 0.2 }, { type: 'play' }, { type: 'close' })
    expect(state).toEqual({ ...emptyPlayer, volume: 0.2 })
  })

  test('clamps a seek to the length of the track', () => {
    expect(after(load, { type: 'seek', seconds: 500 }).currentTime).toBe(120)
    expect(after(load, { type: 'seek', seconds: -3 }).currentTime).toBe(0)
    expect(clampPosition(Number.NaN, 120)).toBe(0)
    expect(clampPosition(10, Number.NaN)).toBe(0)
  })

  test('clamps the volume to 0 and 1', () => {
    expect(after({ type: 'volume', volume: 3 }).volume).toBe(1)
    expect(after({ type: 'volume', volume: -1 }).volume).toBe(0)
    expect(after({ type: 'volume', volume: Number.NaN }).volume).toBe(0)
  })

  test('keeps its duration when the element reports NaN', () => {
    expect(after(load, { type: 'duration', seconds: Number.NaN }).duration).toBe(120)
    expect(after(load, { type: 'duration', seconds: 121.5 }).duration).toBe(121.5)
  })

  test('ignores late events of an element whose track was cleared', () => {
    const late: PlayerEvent[] = [
      { type: 'play' },
      { type: 'time', seconds: 9 },
      { type: 'fail', errorType: 'playback' },
    ]
    for (const event of late) expect(nextPlayerState(emptyPlayer, event)).toBe(emptyPlayer)
  })
})
