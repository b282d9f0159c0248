import * as t from 'typebox'
import type { PushTopic } from './rules'
import { endpointCharactersMax } from './rules'

const instant = t.String({ examples: ['2026-11-20T20:15:00.000Z'] })

/** The result of `PushSubscription.toJSON()`, with the browser's time zone. */
export const Subscription = t.Object({
  endpoint: t.String({
    minLength: 1,
    maxLength: endpointCharactersMax,
    examples: ['https://push.example.net/send/3q2-7w'],
  }),
  keys: t.Object({
    p256dh: t.String({
      pattern: '^[A-Za-z0-9_-]{87}=?$',
      description: 'An uncompressed point of P-256.',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: t.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
  }),
  timeZone: t.Optional(
    t.String({
      maxLength: 64,
      description: 'For the quiet hours; else that of a challenge of the member, else UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
})
export type Subscription = t.Static<typeof Subscription>

export const PushDevice = t.Object({
  id: t.String(),
  device: t.String({ examples: ['Firefox on Linux'] }),
  createdAt: instant,
  lastSuccessAt: t.Union([instant, t.Null()], {
    description: 'When its push service last took a message.',
  }),
  isCurrent: t.Boolean({ description: 'The browser that asks.' }),
})
export type PushDevice = t.Static<typeof PushDevice>

/** The state of a member's notifications. */
export const PushState = t.Object({
  publicKey: t.String({
    description: 'For `pushManager.subscribe`, as base64url (RFC 8292).',
    examples: ['BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'],
  }),
  isOn: t.Boolean({ description: 'The member wants them, in whichever browser.' }),
  devices: t.Array(PushDevice),
})
export type PushState = t.Static<typeof PushState>

/** The message to the service worker (islands/offline/notice.ts). It contains no title. */
export type PushMessage = { title: string; body: string; icon?: string; path: string; tag: PushTopic }
