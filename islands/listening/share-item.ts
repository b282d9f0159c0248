import { track } from '#islands/listening/track-event'
import { emit } from '#islands/runtime/events'
import type { ItemType } from '#src/story/rules'

export type SharedItem = { id: string; type: ItemType; title: string; url: string }

/** Opens the system's share sheet. If there is none, copies the address. */
export async function shareItem(item: SharedItem): Promise<void> {
  if (!('share' in navigator)) return copyLink(item)
  if (await openShareSheet(item.title, item.url)) noteShared(item, 'system')
}

export async function copyLink(item: SharedItem): Promise<void> {
  if (await copyAddress(item.url)) noteShared(item, 'copy')
}

function noteShared({ id, type }: SharedItem, shareMethod: 'system' | 'copy'): void {
  track('story_shared', { contentId: id, contentType: type, data: { shareMethod } })
}

async function openShareSheet(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url })
    return true
  } catch {
    // The person has closed the sheet without sharing.
    return false
  }
}

/** Copies an address, and shows the outcome in a toast. Returns whether it was copied. */
export async function copyAddress(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url)
    emit('nocturne:toast', { kind: 'good', title: 'Link copied', description: url })
    return true
  } catch {
    emit('nocturne:toast', { kind: 'bad', title: 'The link could not be copied', description: url })
    return false
  }
}
