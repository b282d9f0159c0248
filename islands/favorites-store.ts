import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { ApiError, apiCall } from '#islands/api-call'
import { currentUser } from '#islands/auth-status'
import { emit } from '#islands/events'
import {
  callFor,
  type FavoriteMark,
  keptMark,
  pressed,
  rolledBack,
  sending,
  settled,
} from '#islands/favorite-mark'
import { askToSignIn } from '#islands/sign-in-wish'
import { track } from '#islands/track-event'
import { useHydrated } from '#islands/use-hydrated'
import { parseContentKey } from '#src/story/rules'

/** Hearts that were pressed or asked for, by content key; all others are as the page was rendered. */
const marksAtom = atom<Readonly<Record<string, FavoriteMark>>>({})
const store = getDefaultStore()

const address = '/api/content-favorites'
const words = {
  add: {
    done: ['Added to favorites', 'Content has been added to your favorites'],
    failed: 'Failed to add to favorites',
  },
  remove: {
    done: ['Removed from favorites', 'Content has been removed from your favorites'],
    failed: 'Failed to remove from favorites',
  },
} as const

/**
 * One heart, the same on every card, page and bar: what it shows and what a press does. `isMember` null: the
 * page did not say who presses, so it is asked.
 */
export function useFavorite(contentKey: string, isFavorite: boolean, isMember: boolean | null) {
  const mark = useAtomValue(marksAtom)[contentKey]
  const isHydrated = useHydrated()
  return {
    isFavorite: isHydrated && mark ? mark.isShown : isFavorite,
    toggle: () => void press(contentKey, isFavorite, isMember),
  }
}

async function press(contentKey: string, isFavorite: boolean, isMember: boolean | null): Promise<void> {
  // Where nobody can say, the call itself will.
  pressFavorite(contentKey, isFavorite, isMember ?? (await isSignedIn().catch(() => true)))
}

const isSignedIn = async () => (await currentUser()) !== null

/** A press on a heart: shown at once, told to the server, taken back where that fails. A visitor signs in first. */
export function pressFavorite(contentKey: string, isFavorite: boolean, isMember: boolean): void {
  if (!isMember) {
    askToSignIn(() => addFavorite(contentKey))
    return
  }
  change(contentKey, pressed(markOf(contentKey, isFavorite)))
  void sync(contentKey)
}

/** One toast is seen at a time: the welcome has its moment before the next one. */
const welcomeMs = 2_500

/** Adds a favourite that was asked for before signing in; one that is there already stays. */
function addFavorite(contentKey: string): void {
  change(contentKey, { ...markOf(contentKey, false), isShown: true })
  void sync(contentKey, welcomeMs)
}

/** Asks which items a member loves, for hearts that no page rendered. Visitors and failures change nothing. */
export async function loadFavorites(): Promise<void> {
  try {
    if (!(await isSignedIn())) return
    const answer = await apiCall(address)
    if (!Array.isArray(answer)) return
    const known = Object.fromEntries(
      answer.filter(hasKey).map(({ contentKey }) => [contentKey, keptMark(true)]),
    )
    store.set(marksAtom, { ...known, ...store.get(marksAtom) })
  } catch (error) {
    console.warn('The favourites could not be read.', error)
  }
}

/** Somebody signed in or out: the hearts are those of the pages again. */
export function forgetFavorites(): void {
  store.set(marksAtom, {})
}

/** One call at a time for a heart, until the server has what is shown. */
async function sync(contentKey: string, sayAfterMs = 0): Promise<void> {
  const call = callFor(markOf(contentKey, false))
  if (!call) return
  change(contentKey, sending(markOf(contentKey, false)))
  try {
    await send(contentKey, call)
  } catch (error) {
    change(contentKey, rolledBack(markOf(contentKey, false)))
    return sayFailure(contentKey, call, error)
  }
  change(contentKey, settled(markOf(contentKey, false), call))
  const [title, description] = words[call].done
  setTimeout(() => emit('nocturne:toast', { kind: 'good', title, description }), sayAfterMs)
  if (call === 'add') trackAdded(contentKey)
  await sync(contentKey)
}

function send(contentKey: string, call: 'add' | 'remove'): Promise<unknown> {
  if (call === 'add') return apiCall(address, { method: 'POST', body: { contentKey } })
  return apiCall(`${address}/${encodeURIComponent(contentKey)}`, { method: 'DELETE' })
}

function sayFailure(contentKey: string, call: 'add' | 'remove', error: unknown): void {
  // The session has ended since the page was made.
  if (error instanceof ApiError && error.status === 401) askToSignIn(() => addFavorite(contentKey))
  else emit('nocturne:toast', { kind: 'bad', title: 'Error', description: words[call].failed })
}

function trackAdded(contentKey: string): void {
  const parsed = parseContentKey(contentKey)
  track('story_favorited', { contentId: parsed?.id, contentType: parsed?.type })
}

function markOf(contentKey: string, isFavorite: boolean): FavoriteMark {
  return store.get(marksAtom)[contentKey] ?? keptMark(isFavorite)
}

function change(contentKey: string, mark: FavoriteMark): void {
  store.set(marksAtom, { ...store.get(marksAtom), [contentKey]: mark })
}

function hasKey(row: unknown): row is { contentKey: string } {
  return typeof row === 'object' && row !== null && 'contentKey' in row && typeof row.contentKey === 'string'
}
