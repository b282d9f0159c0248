import { atom, getDefaultStore, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import {
  callFor,
  confirmed,
  type FavoriteMark,
  pressed,
  rolledBack,
  savedMark,
  sending,
} from '#islands/favorite/favorite-mark'
import { track } from '#islands/listening/track-event'
import { askToSignIn, isAskedToSignIn } from '#islands/member/after-sign-in'
import { currentUser } from '#islands/member/auth-status'
import { api } from '#islands/runtime/api'
import { emit } from '#islands/runtime/events'
import { listenToTabs, postToTabs } from '#islands/runtime/tab-messages'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { parseContentKey } from '#src/story/rules'

/** Favourite buttons that were pressed or loaded, by content key. All others are as the page was rendered. */
const marksAtom = atom<Readonly<Record<string, FavoriteMark>>>({})
const store = getDefaultStore()

const reason = 'Favorites need an account. It is free.'

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
 * A favourite button as its page was rendered. `isMember` is null if the page does not say; the server is asked then.
 */
type Heart = { contentKey: string; isFavorite: boolean; isMember: boolean | null }

/**
 * Returns the state and press handler of a favourite button. Every card, page and bar shows the same state of an item.
 */
export function useFavorite({ contentKey, isFavorite, isMember }: Heart) {
  const mark = useAtomValue(marksAtom)[contentKey]
  const isHydrated = useHydrated()
  useEffect(listenForFavorites, [])
  return {
    isFavorite: isHydrated && mark ? mark.isShown : isFavorite,
    toggle: () => void press({ contentKey, isFavorite, isMember }),
  }
}

let isListening = false

/** Shows favourites that are changed in other tabs. Starts with the first favourite button. */
function listenForFavorites(): void {
  if (isListening) return
  isListening = true
  listenToTabs((message) => {
    if (message.type === 'favorite') change(message.contentKey, savedMark(message.isFavorite))
  })
}

/** Handles a press: shown at once, sent to the server, and reverted on failure. A visitor is asked to sign in first. */
async function press({ contentKey, isFavorite, isMember }: Heart): Promise<void> {
  // If this cannot be found out, the request's response decides.
  if (!(isMember ?? (await isSignedIn().catch(() => true)))) {
    askToSignIn(() => changeFavorite(contentKey, 'add'), reason)
    return
  }
  change(contentKey, pressed(markOf(contentKey, savedMark(isFavorite))))
  void sync(contentKey)
}

const isSignedIn = async () => (await currentUser()) !== null

/** How long the welcome toast is shown before the next one. Only one toast is shown at a time. */
const welcomeMs = 2_500

/**
 * Adds or removes a favourite after the sign-in that this action required. The server ignores it if nothing changes.
 */
function changeFavorite(contentKey: string, call: 'add' | 'remove'): void {
  change(contentKey, pressed(savedMark(call === 'remove')))
  void sync(contentKey, welcomeMs)
}

/** Loads a member's favourites, for buttons that no page rendered. For a visitor, or on failure, nothing changes. */
export async function loadFavorites(): Promise<void> {
  try {
    if (!(await isSignedIn())) return
    const favorites = await api('GET /api/content-favorites')
    const known = Object.fromEntries(favorites.map(({ contentKey }) => [contentKey, savedMark(true)]))
    store.set(marksAtom, { ...known, ...store.get(marksAtom) })
  } catch (error) {
    console.warn('Your favorites could not be loaded.', error)
  }
}

/** Clears the state after a sign-in or sign-out, so that the page's own is shown. */
export function forgetFavorites(): void {
  store.set(marksAtom, {})
}

/** Sends one request at a time for an item, until the server has what is shown. */
async function sync(contentKey: string, toastAfterMs = 0): Promise<void> {
  const call = callFor(markOf(contentKey))
  if (!call) return
  change(contentKey, sending(markOf(contentKey)))
  try {
    await send(contentKey, call)
  } catch (error) {
    change(contentKey, rolledBack(markOf(contentKey)))
    return showFailure(contentKey, call, error)
  }
  change(contentKey, confirmed(markOf(contentKey), call))
  postToTabs({ type: 'favorite', contentKey, isFavorite: call === 'add' })
  const [title, description] = words[call].done
  setTimeout(() => emit('nocturne:toast', { kind: 'good', title, description }), toastAfterMs)
  if (call === 'add') trackAdded(contentKey)
  await sync(contentKey)
}

function send(contentKey: string, call: 'add' | 'remove'): Promise<unknown> {
  return call === 'add'
    ? api('POST /api/content-favorites', { body: { contentKey } })
    : api('DELETE /api/content-favorites/:contentKey', { path: { contentKey } })
}

function showFailure(contentKey: string, call: 'add' | 'remove', error: unknown): void {
  if (!isAskedToSignIn(error, () => changeFavorite(contentKey, call)))
    emit('nocturne:toast', { kind: 'bad', title: 'Error', description: words[call].failed })
}

function trackAdded(contentKey: string): void {
  const parsed = parseContentKey(contentKey)
  track('story_favorited', { contentId: parsed?.id, contentType: parsed?.type })
}

function markOf(contentKey: string, rendered = savedMark(false)): FavoriteMark {
  return store.get(marksAtom)[contentKey] ?? rendered
}

function change(contentKey: string, mark: FavoriteMark): void {
  store.set(marksAtom, { ...store.get(marksAtom), [contentKey]: mark })
}
