import { track } from '#islands/listening/track-event'
import { listen } from '#islands/runtime/events'

/** A card counts as viewed once this fraction of it was on screen. */
const viewedFraction = 0.5

const viewed = new Set<string>()

/** Records each card with `data-viewed`, the item's id, once it was viewed. `data-type` is the item's type. */
export function startViewedCards(): void {
  const observer = new IntersectionObserver(onSeen, { threshold: viewedFraction })
  const observe = () => {
    for (const card of document.querySelectorAll('[data-viewed]')) observer.observe(card)
  }
  observe()
  listen('nocturne:navigated', observe)
  listen('nocturne:islands', observe)
}

function onSeen(entries: readonly IntersectionObserverEntry[], observer: IntersectionObserver): void {
  for (const { target, intersectionRatio } of entries) {
    const contentId = target.getAttribute('data-viewed')
    if (intersectionRatio < viewedFraction || !contentId) continue
    observer.unobserve(target)
    if (viewed.has(contentId)) continue
    viewed.add(contentId)
    const contentType = target.getAttribute('data-type') === 'flow' ? 'flow' : 'story'
    track('content_view', { contentId, contentType })
  }
}
