import * as t from 'typebox'
import { oneOf } from '#src/shape/one-of'
import { itemTypes } from '#src/story/rules'
import { Item } from '#src/story/schema'
import { deviceKinds, progressReasons, queueAskedMax } from './rules'

/** Seconds up to a day, which is longer than anything listened to in one piece. */
const seconds = t.Number({ minimum: 0, maximum: 86_400 })

export const ProgressReport = t.Object({
  contentId: t.String({ minLength: 1, maxLength: 64 }),
  contentType: oneOf(itemTypes),
  lastPositionSec: seconds,
  totalSec: t.Optional(t.Union([seconds, t.Null()])),
  completed: t.Optional(t.Boolean()),
  lastUpdatedAt: t.Optional(
    t.String({ maxLength: 40, description: 'ISO 8601 with its zone: when the position was reached.' }),
  ),
  deviceId: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  sequence: t.Optional(
    t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Rising in one playback.' }),
  ),
  reason: t.Optional(oneOf(progressReasons)),
  basedOn: t.Optional(
    t.String({
      maxLength: 96,
      description:
        'The `version` that the player saw last, empty where there was none: a position that another device has moved since is not overwritten.',
    }),
  ),
  owner: t.Optional(
    t.String({
      maxLength: 64,
      description: 'Whose page it was, as its `data-owner` says: a report of someone else’s is refused.',
    }),
  ),
})
export type ProgressReport = t.Static<typeof ProgressReport>

export const Progress = t.Object({
  contentId: t.String(),
  contentType: oneOf(itemTypes),
  lastPositionSec: t.Number(),
  totalSec: t.Union([t.Number(), t.Null()]),
  completed: t.Boolean(),
  lastUpdatedAt: t.String(),
  version: t.String({
    description: 'Changes with every real listening or seek that is taken, and with nothing else.',
    examples: ['5d0c7a31/1795248000000'],
  }),
})
export type Progress = t.Static<typeof Progress>

/** The last position of one device of a listener. */
export const DevicePosition = t.Object({
  deviceId: t.String(),
  device: t.Union([oneOf(deviceKinds), t.Null()], { examples: ['phone'] }),
  positionSec: t.Number({ examples: [724] }),
  totalSec: t.Union([t.Number(), t.Null()]),
  updatedAt: t.String({
    description: 'ISO 8601: when the server heard of it.',
    examples: ['2026-11-21T07:52:00.000Z'],
  }),
})
export type DevicePosition = t.Static<typeof DevicePosition>

/** The saved position, and the last position of each device, the latest device first. */
export const ProgressWithPlaces = t.Object({ ...Progress.properties, places: t.Array(DevicePosition) })
export type ProgressWithPlaces = t.Static<typeof ProgressWithPlaces>

const ids = (description: string) =>
  t.Optional(
    t.String({ maxLength: queueAskedMax * 37, description: `Ids with commas between: ${description}` }),
  )

export const NextQuery = t.Object({
  chosen: ids('what was put into the queue by hand.'),
  around: ids('what stands after the item in the list it was played from.'),
  without: ids('what was just heard: it does not come again by itself.'),
})
export type NextQuery = t.Static<typeof NextQuery>

export const NextItems = t.Object({
  autoPlay: t.Union([t.Boolean(), t.Null()], {
    description: 'Whether the next begins by itself: a member’s setting, null for a visitor.',
    examples: [true],
  }),
  speed: t.Union([t.Number(), t.Null()], {
    description: 'Times as fast as spoken: a member’s setting, null for a visitor.',
    examples: [1.25],
  }),
  items: t.Array(Item),
})
export type NextItems = t.Static<typeof NextItems>

/** The owner of positions: a member's id, or a visitor's functional id. */
export type Listener = { anonId: string; userId: string | null }
