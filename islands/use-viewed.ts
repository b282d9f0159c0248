import { type RefObject, useEffect } from 'react'
import { track } from '#islands/track-event'
import { parseContentKey } from '#src/story/rules'

/** A card counts as viewed once half of it was on screen (visitor.md §9). */
const viewedFraction = 0.5

const viewed = new Set<string>()
const keyOfCard = new WeakMap<Element, string>()
let observer: IntersectionObserver | null = null

/** Notes once that the card around `mark` was seen. */
export function useViewed(mark: RefObject<Element | null>, contentKey: string): void {
  useEffect(() => {
    const card = mark.current?.closest('.card, .story-card')
    if (!card || viewed.has(contentKey)) return
    observer ??= new IntersectionObserver(onSeen, { threshold: viewedFraction })
    keyOfCard.set(card, contentKey)
    observer.observe(card)
    return () => observer?.unobserve(card)
  }, [mark, contentKey])
}

function onSeen(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio } of entries) {
    const contentKey = keyOfCard.get(target)
    if (intersectionRatio < viewedFraction || contentKey === undefined) continue
    observer?.unobserve(target)
    if (viewed.has(contentKey)) continue
    viewed.add(contentKey)
    const item = parseContentKey(contentKey)
    track('content_view', { contentId: item?.id, contentType: item?.type })
  }
}
