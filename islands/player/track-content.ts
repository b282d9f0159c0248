import { contentKey, type ItemType, itemTypes, type Source, sources } from '#src/story/rules'
import type { Track } from '#src/story/track-rules'
import { urls } from '#src/urls'

/** The item that a track narrates, as far as the track's data describe it. */
export type TrackContent = {
  contentId: string
  contentType: ItemType
  contentKey: string
  href: string
  narratorLine: string | null
  hasAudio: boolean
  /** Whether visitors may hear it; true if the track does not say. */
  isFree: boolean
  /** Whether a narration is being made. */
  isGenerating: boolean
  durationSeconds: number
}

/**
 * Returns the item of a track, whose id is source-type-id and whose meta is the item (src/story/track-rules.ts).
 * Returns null if the id has another form.
 */
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
    isFree: !('isFree' in meta && meta.isFree === false),
    isGenerating: 'isGenerating' in meta && meta.isGenerating === true,
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
