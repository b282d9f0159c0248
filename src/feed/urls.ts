import { withQuery } from '#src/urls'

/** Addresses of feeds and of what they contain. They are not in src/urls.ts, because browsers only open them. */
export const feedUrls = {
  /** The address of a member's private feed, which contains its key. */
  podcast: (token: string, page = 1) =>
    withQuery(`/feed/${token}.xml`, { page: page > 1 ? page : undefined }),
  catalogue: (token: string, page = 1) => withQuery(`/opds/${token}`, { page: page > 1 ? page : undefined }),
  feedArt: (token: string, version: string) => withQuery(`/feed/${token}/art.png`, { v: version }),
  feedItemArt: (token: string, id: string, version: string) => `/feed/${token}/${id}/art-${version}.png`,
  feedText: (token: string, id: string) => `/feed/${token}/${id}/text.xhtml`,
  feedTranscript: (token: string, id: string, voice: string) => `/feed/${token}/${id}/${voice}.vtt`,
  feedAudio: (token: string, id: string, voice: string, extension: string) =>
    `/feed/${token}/${id}/${voice}.${extension}`,
}
