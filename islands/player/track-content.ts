import type { Track } from '#islands/events'
import { contentKey, type ItemType, itemTypes, type Source, sources } from '#src/story/rules'
import { urls } from '#src/urls'

/** What a track is a narration of, as far as its parts say. */
export type TrackContent = {
  contentId: string
  contentType: ItemType
  contentKey: string
  href: string
  narratorLine: string | null
  hasAudio: boolean
  durationSeconds: number
}

/** Reads a track: its id is source-type-id, its meta is the item (src/story/track.ts). Null for another id. */
export function contentOf({ id, meta }: Track): TrackContent | null {
  const [source, type, ...rest] = id.split('-')
  if (!isSource(source) || !isItemType(type) || rest.length === 0) return null
  const contentId = rest.join('-')
  return {
    contentId,
    contentType: type,
    contentKey: contentKey({ source, type, id: contentId }),
    href:
      'slug' in meta && typeof meta.slug === 'string' ? urls.item({ type, slug: meta.slug }) : urls.explore(),
    narratorLine: 'narratorLine' in meta && typeof meta.narratorLine === 'string' ? meta.narratorLine : null,
    hasAudio: !('hasAudio' in meta && meta.hasAudio === false),
    durationSeconds:
      'durationSeconds' in meta && typeof meta.durationSeconds === 'number' ? meta.durationSeconds : 0,
  }
}

function isSource(text: string | undefined): text is Source {
  return sources.some((source) => source === text)
}

function isItemType(text: string | undefined): text is ItemType {
  return itemTypes.some((type) => type === text)
}
