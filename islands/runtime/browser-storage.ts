import { listen } from '#islands/runtime/events'
import { pageOwner } from '#islands/runtime/page-owner'

type Area = 'localStorage' | 'sessionStorage'
const areas: readonly Area[] = ['localStorage', 'sessionStorage']

/** The storage key of the owner: the member whose data the area holds. */
const ownerName = 'nocturne.owner'

/**
 * Keys that belong to the browser and not to a person: volume, font size, the consent to analytics, and the random ids
 * of visits, which are renewed for another member. All other keys belong to a member, and are deleted at sign-out.
 */
const ofBrowser =
  /^(readStoriesCount|nocturne\.(readAlong|storySize|volume|speed|autoplay|keys|notes|consent|device|sequence|tab|session|identity|operator\.seen))$/

/** The owner of each area when this page was shown. Empty for a visitor, whose data become the member's at sign-in. */
const metOwners = new Map(areas.map((area) => [area, readOwner(area)]))

/** Returns the stored value of a key; null if there is none, or if storage is unavailable. */
export function readStored(area: Area, name: string): string | null {
  try {
    return window[area].getItem(name)
  } catch {
    return null
  }
}

/**
 * Stores a text under a key; null deletes it. Returns false if storage is full or unavailable, or if its member has
 * left.
 */
export function writeStored(area: Area, name: string, value: string | null): boolean {
  if (value !== null && !ofBrowser.test(name) && isLeft(area)) return false
  return write(area, name, value)
}

/**
 * Whether the member of this page has signed out, here or in another tab. Its player and forms may still write; such
 * writes are dropped.
 */
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
    // The value then lasts only as long as this page.
    return false
  }
}

/**
 * Checks the owner of each page that is shown. A page that Back restores after its member has left in another tab is
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
 * Whether a page belongs to another person than the member of this one, so that it must not inherit the player and
 * forms.
 */
export function isAnothers(page: Document): boolean {
  const { owner } = document.body.dataset
  return Boolean(owner) && (page.body.dataset.owner ?? owner) !== owner
}

/**
 * Deletes a member's data if the page belongs to another member or a visitor, also when the session was ended
 * elsewhere. Runs before anything else on a page reads storage. A key that ends with `~` and its owner, such as a
 * draft's, is retained for that member: a visitor's page neither reads nor deletes it, another member's page deletes
 * it. A visitor's data become the member's at sign-in. A page that is the same for everybody names no owner, and
 * changes nothing.
 */
function meetOwner(): void {
  for (const area of areas) {
    const { owner = readOwner(area) } = document.body.dataset
    const before = readOwner(area)
    // A write takes 3 ms on a phone, so it is avoided on most pages. If storage is unavailable it fails, and there is
    // nothing to delete.
    if (before !== owner && write(area, ownerName, null)) {
      forgetIn(area, before, owner)
      if (owner) write(area, ownerName, owner)
    }
    metOwners.set(area, owner)
  }
}

/**
 * Deletes the data of this page's member at sign-out; this page stores nothing more. Data that another member has
 * stored here since stays. If storage is unavailable there is no owner.
 */
export function leaveStorage(): void {
  for (const area of areas) if (readOwner(area) === pageOwner()) forgetIn(area, ownerName, ownerName)
}

/**
 * Deletes the data of the previous owner, if that was a member, and the retained data of members other than the new
 * owner.
 */
function forgetIn(area: Area, before: string, owner: string): void {
  for (const name of Object.keys(window[area]))
    if (name.includes('~') ? owner && !name.endsWith(owner) : before && !ofBrowser.test(name))
      write(area, name, null)
}
