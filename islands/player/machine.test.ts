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

describe('the player', () => {
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

  test('loading clears an error, the position and the last duration, and keeps the volume', () => {
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
    'a failure of kind %s stops it and is named',
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

  test('at the end the time is 0 and it has stopped, the track stays', () => {
    const state = after(load, { type: 'play' }, { type: 'time', seconds: 119 }, { type: 'end' })
    expect(state).toMatchObject({ currentTrack: track, isPlaying: false, currentTime: 0, duration: 120 })
  })

  test('closing clears all but the volume', () => {
    const state = after(load, { type: 'volume', volume: 0.2 }, { type: 'play' }, { type: 'close' })
    expect(state).toEqual({ ...emptyPlayer, volume: 0.2 })
  })

  test('seeking ends at the edges', () => {
    expect(after(load, { type: 'seek', seconds: 500 }).currentTime).toBe(120)
    expect(after(load, { type: 'seek', seconds: -3 }).currentTime).toBe(0)
    expect(clampPosition(Number.NaN, 120)).toBe(0)
    expect(clampPosition(10, Number.NaN)).toBe(0)
  })

  test('volume ends at the edges', () => {
    expect(after({ type: 'volume', volume: 3 }).volume).toBe(1)
    expect(after({ type: 'volume', volume: -1 }).volume).toBe(0)
    expect(after({ type: 'volume', volume: Number.NaN }).volume).toBe(0)
  })

  test('a length that is not known yet changes nothing', () => {
    expect(after(load, { type: 'duration', seconds: Number.NaN }).duration).toBe(120)
    expect(after(load, { type: 'duration', seconds: 121.5 }).duration).toBe(121.5)
  })

  test('late events of an element whose track was cleared are ignored', () => {
    const late: PlayerEvent[] = [
      { type: 'play' },
      { type: 'time', seconds: 9 },
      { type: 'fail', errorType: 'playback' },
    ]
    for (const event of late) expect(nextPlayerState(emptyPlayer, event)).toBe(emptyPlayer)
  })
})
