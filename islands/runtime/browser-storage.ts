import { listen } from '#islands/runtime/events'
import { pageOwner } from '#islands/runtime/page-owner'

type Area = 'localStorage' | 'sessionStorage'
const areas: readonly Area[] = ['localStorage', 'sessionStorage']

/** The owner of this browser's data, and of this tab's, when the last page was opened. */
const ownerName = 'nocturne.owner'

/**
 * Names that belong to the browser and not to a person: volume, font size, the consent to analytics, and the random
 * ids of visits, which are renewed with another member. All other names belong to a member, and are deleted at
 * sign-out.
 */
const ofBrowser =
  /^(readStoriesCount|nocturne\.(readAlong|storySize|volume|speed|autoplay|keys|notes|consent|device|sequence|tab|session|identity|operator\.seen))$/

/** The owners of storage when this page was opened: empty for a visitor, whose data become the member's at sign-in. */
const metOwners = new Map(areas.map((area) => [area, readOwner(area)]))

/** The stored value of a name; null where there is none, or where storage is closed. */
export function readStored(area: Area, name: string): string | null {
  try {
    return window[area].getItem(name)
  } catch {
    return null
  }
}

/** Stores a text under a name, null deletes it. False where storage is full or closed, or its member has left. */
export function writeStored(area: Area, name: string, value: string | null): boolean {
  if (value !== null && !ofBrowser.test(name) && isLeft(area)) return false
  return write(area, name, value)
}

/** The member of this page has signed out, here or in another tab: later writes of its player and forms are dropped. */
function isLeft(area: Area): boolean {
  const owner = metOwners.get(area)
  return Boolean(owner) && owner !== readOwner(area)
}

function readOwner(area: Area): string {
  return readStored(area, ownerName) ?? ''
}

function write(area: Area, name: string, value: string | null): boolean {
  try {
    if (value === null) window[area].removeItem(name)
    else window[area].setItem(name, value)
    return true
  } catch {
    // Then it holds for this page only.
    return false
  }
}

/**
 * Checks the owner of each page that is shown. A page restored by Back after its member has left in another tab is
 * reloaded.
 */
export function startStorage(): void {
  meetOwner()
  listen('nocturne:navigated', meetOwner)
  window.addEventListener('pageshow', ({ persisted }) => {
    const { owner } = document.body.dataset
    if (persisted && owner && readOwner('localStorage') !== owner) location.reload()
  })
}

/**
 * Whether a page is for another person than the member of this one, so that it must not inherit the player and forms.
 */
export function isAnothers(page: Document): boolean {
  const { owner } = document.body.dataset
  return Boolean(owner) && (page.body.dataset.owner ?? owner) !== owner
}

/**
 * Runs before anything of a page is read: deletes a member's data where the page belongs to another member or a
 * visitor, also when the session was ended elsewhere. A name that ends with `~` and its owner, as of drafts, waits for
 * that member: no page of a visitor reads it, and one of another member deletes it. A visitor's data become the
 * member's at sign-in. A page that is the same for everybody names no owner, and changes nothing.
 */
function meetOwner(): void {
  for (const area of areas) {
    const { owner = readOwner(area) } = document.body.dataset
    const before = readOwner(area)
    // To write takes a phone 3 ms, on each page. It fails where storage is closed: then there is nothing to delete.
    if (before !== owner && write(area, ownerName, null)) {
      forgetIn(area, before, owner)
      if (owner) write(area, ownerName, owner)
    }
    metOwners.set(area, owner)
  }
}

/**
 * The member of this page signs out: their data are deleted, and this page stores nothing more. What another has stored
 * here since stays. Where storage is closed there is no owner.
 */
export function leaveStorage(): void {
  for (const area of areas) if (readOwner(area) === pageOwner()) forgetIn(area, ownerName, ownerName)
}

/** Deletes what the owner before has left, if that was a member, and what waits for another member than the new one. */
function forgetIn(area: Area, before: string, owner: string): void {
  for (const name of Object.keys(window[area]))
    if (name.includes('~') ? owner && !name.endsWith(owner) : before && !ofBrowser.test(name))
      write(area, name, null)
}
