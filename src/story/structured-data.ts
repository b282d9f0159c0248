import type { Env } from '#src/env'
import type { Item } from './schema'

/**
 * Structured data (schema.org) of an item. Text and audio that need a membership are marked as paywalled, so that
 * search engines do not mistake the preview for cloaking.
 */
export function structuredData(
  item: Item,
  { url, imageUrl }: { url: string; imageUrl: string },
  env: Pick<Env, 'siteName' | 'publicUrl'>,
): object {
  return {
    '@context': 'https://schema.org',
    '@type': item.type === 'story' ? 'ShortStory' : 'AudioObject',
    name: item.title,
    description: item.description || item.excerpt,
    url,
    image: imageUrl,
    genre: item.categories,
    inLanguage: 'en',
    datePublished: item.publishedAt,
    isFamilyFriendly: false,
    contentRating: 'Adults only',
    publisher: { '@type': 'Organization', name: env.siteName, url: env.publicUrl },
    isAccessibleForFree: item.audioUrl !== null,
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.story-text' },
    ...(item.audioDurationSeconds !== null && {
      audio: {
        '@type': 'AudioObject',
        duration: `PT${Math.round(item.audioDurationSeconds)}S`,
        requiresSubscription: item.audioUrl === null,
      },
    }),
  }
}
