import { pictureVersion } from '#src/picture/rules'
import type { Feed, FeedAudio, FeedItem } from './list-feed-items'
import { pageLinks } from './page-links'
import { feedUrls } from './urls'
import { printXml, type XmlElement } from './xml'

/**
 * Prints the feed for podcast apps: RSS 2.0 with Apple's podcast elements ("A Podcaster's Guide to RSS"), pages by RFC
 * 5005, and transcripts of the podcast namespace. `itunes:block` excludes it from every directory.
 */
export function printPodcast(feed: Feed, { origin, token }: { origin: string; token: string }): string {
  const channel: XmlElement[] = [
    text('title', feed.title),
    text('link', origin),
    text(
      'description',
      feed.isDiscreet
        ? 'A private feed.'
        : `What you can hear at ${feed.title}. Private: this address is yours alone.`,
    ),
    text('language', 'en'),
    text('itunes:author', feed.title),
    text('itunes:block', 'Yes'),
    text('itunes:explicit', 'true'),
    text('itunes:type', 'episodic'),
    {
      name: 'itunes:image',
      attributes: { href: origin + feedUrls.feedArt(token, pictureVersion(feed.picture)) },
    },
    ...pageLinks(feed, (page) => origin + feedUrls.podcast(token, page)).map((link) => ({
      name: 'atom:link',
      attributes: { ...link, type: 'application/rss+xml' },
    })),
    ...feed.items.flatMap((item) => (item.audio ? [episode(item, item.audio, { origin, token })] : [])),
  ]
  return printXml({
    name: 'rss',
    attributes: {
      version: '2.0',
      'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
      'xmlns:atom': 'http://www.w3.org/2005/Atom',
    },
    content: [{ name: 'channel', content: channel }],
  })
}

function episode(
  item: FeedItem,
  audio: FeedAudio,
  { origin, token }: { origin: string; token: string },
): XmlElement {
  const words = [
    item.words,
    item.contentNotes.length > 0 ? `Content notes: ${item.contentNotes.join(', ')}.` : '',
  ]
  return {
    name: 'item',
    content: [
      text('title', item.title),
      text('description', words.filter(Boolean).join('\n\n')),
      { name: 'guid', attributes: { isPermaLink: 'false' }, content: item.id },
      text('pubDate', item.publishedAt.toUTCString()),
      {
        name: 'enclosure',
        attributes: {
          url: origin + feedUrls.feedAudio(token, item.id, audio.voice, audio.extension),
          length: audio.sizeBytes,
          type: audio.mediaType,
        },
      },
      text('itunes:duration', String(Math.round(audio.durationSeconds))),
      text('itunes:explicit', 'true'),
      {
        name: 'itunes:image',
        attributes: { href: origin + feedUrls.feedItemArt(token, item.id, pictureVersion(item.picture)) },
      },
      ...(audio.hasTranscript
        ? [
            {
              name: 'podcast:transcript',
              attributes: {
                url: origin + feedUrls.feedTranscript(token, item.id, audio.voice),
                type: 'text/vtt',
                language: 'en',
                rel: 'captions',
              },
            },
          ]
        : []),
      ...item.categories.map((category) => text('category', category)),
    ],
  }
}

function text(name: string, content: string): XmlElement {
  return { name, content }
}
