import { urls } from '#src/urls'
import type { Feed, FeedItem } from './list-feed-items'

/** The feed as OPDS 2.0, which reading apps browse (https://drafts.opds.io/opds-2.0): plain data, to be sent as JSON. */
export function catalogueOf(
  feed: Feed,
  { origin, token, imageUrl }: { origin: string; token: string; imageUrl: string },
) {
  return {
    metadata: { title: feed.title, numberOfItems: feed.items.length },
    links: [
      { rel: 'self', href: origin + urls.catalogue(token), type: 'application/opds+json' },
      { rel: 'alternate', href: origin + urls.podcast(token), type: 'application/rss+xml' },
    ],
    publications: feed.items.map((item) => publication(item, feed.title, origin, token, imageUrl)),
  }
}

function publication(item: FeedItem, publisher: string, origin: string, token: string, imageUrl: string) {
  return {
    metadata: {
      '@type': 'http://schema.org/Audiobook',
      identifier: `urn:uuid:${item.id}`,
      title: item.title,
      publisher,
      language: 'en',
      modified: item.publishedAt.toISOString(),
      published: item.publishedAt.toISOString(),
      duration: Math.round(item.durationSeconds),
      ...(item.words && { description: item.words }),
      ...(item.categories.length > 0 && { subject: [...item.categories] }),
    },
    links: [
      {
        rel: 'http://opds-spec.org/acquisition',
        href: origin + urls.feedAudio(token, item.id, item.voice, item.extension),
        type: item.mediaType,
        duration: Math.round(item.durationSeconds),
        size: item.sizeBytes,
      },
    ],
    images: [{ href: imageUrl, type: 'image/png' }],
  }
}
