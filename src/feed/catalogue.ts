import { pictureSizes, pictureVersion } from '#src/picture/rules'
import type { Feed, FeedItem } from './list-feed-items'
import { pageLinks } from './page-links'
import { feedItemsMax } from './rules'
import { feedUrls } from './urls'

type FeedPlace = { origin: string; token: string }

const catalogueType = 'application/opds+json'

/**
 * The feed as OPDS 2.0, which reading apps browse (https://drafts.opds.io/opds-2.0): plain data, to be sent as JSON. A
 * catalogue must have publications or navigation, so an empty one links to the library.
 */
export function catalogueOf(feed: Feed, place: FeedPlace) {
  const { origin, token } = place
  return {
    metadata: {
      title: feed.title,
      numberOfItems: feed.total,
      itemsPerPage: feedItemsMax,
      currentPage: feed.page,
    },
    links: [
      ...pageLinks(feed, (page) => origin + feedUrls.catalogue(token, page)).map((link) => ({
        ...link,
        type: catalogueType,
      })),
      { rel: 'alternate', href: origin + feedUrls.podcast(token), type: 'application/rss+xml' },
    ],
    ...(feed.items.length > 0
      ? { publications: feed.items.map((item) => publication(item, feed, place)) }
      : { navigation: [{ title: 'Library', href: origin, type: 'text/html' }] }),
  }
}

function publication(item: FeedItem, feed: Feed, place: FeedPlace) {
  const { audio } = item
  return {
    metadata: {
      '@type': audio ? 'http://schema.org/Audiobook' : 'http://schema.org/Book',
      identifier: `urn:uuid:${item.id}`,
      title: item.title,
      publisher: feed.title,
      language: 'en',
      modified: item.publishedAt.toISOString(),
      published: item.publishedAt.toISOString(),
      ...(audio && { duration: wholeSeconds(audio.durationSeconds) }),
      ...(item.words && { description: item.words }),
      ...(item.categories.length > 0 && { subject: [...item.categories] }),
    },
    links: acquisitions(item, place),
    images: [
      {
        href: place.origin + feedUrls.feedArt(place.token, pictureVersion(feed.picture)),
        type: 'image/png',
        ...pictureSizes.square,
      },
    ],
  }
}

/** Links to the audio, if there is any, and to the text. */
function acquisitions({ id, audio }: FeedItem, { origin, token }: FeedPlace) {
  const rel = 'http://opds-spec.org/acquisition'
  const text = { rel, href: origin + feedUrls.feedText(token, id), type: 'application/xhtml+xml' }
  if (!audio) return [text]
  const spoken = {
    rel,
    href: origin + feedUrls.feedAudio(token, id, audio.voice, audio.extension),
    type: audio.mediaType,
    duration: wholeSeconds(audio.durationSeconds),
    size: audio.sizeBytes,
  }
  return [spoken, text]
}

/** The schema does not allow 0. */
function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.round(seconds))
}
