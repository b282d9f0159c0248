import * as t from 'typebox'

/** Whether a member has private feeds. Their addresses are shown only when they are created. */
export const FeedState = t.Object({
  isOn: t.Boolean(),
  createdAt: t.Union([t.String(), t.Null()]),
  lastUsedAt: t.Union([t.String(), t.Null()], { description: 'When an app last asked, to the hour.' }),
})
export type FeedState = t.Static<typeof FeedState>

export const FeedAddresses = t.Object({
  podcastUrl: t.String({ examples: ['https://nocturne.example/feed/3q2-7w.xml'] }),
  catalogueUrl: t.String({ examples: ['https://nocturne.example/opds/3q2-7w'] }),
})
export type FeedAddresses = t.Static<typeof FeedAddresses>
