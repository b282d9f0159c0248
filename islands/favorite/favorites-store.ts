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
import { listenToTabs, postToTabs } from '#islands/runtime/tab-news'
import { useHydrated } from '#islands/runtime/use-hydrated'
import { parseContentKey } from '#src/story/rules'

/** Hearts that were pressed or loaded, by content key; all others are as the page was rendered. */
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
 * A heart as its page was rendered. `isMember` is null where the page does not name the viewer; the server is asked
 * then.
 */
type Heart = { contentKey: string; isFavorite: boolean; isMember: boolean | null }

/** One heart, the same on every card, page and bar: its state and its press handler. */
export function useFavorite({ contentKey, isFavorite, isMember }: Heart) {
  const mark = useAtomValue(marksAtom)[contentKey]
  const isHydrated = useHydrated()
  useEffect(hearFavorites, [])
  return {
    isFavorite: isHydrated && mark ? mark.isShown : isFavorite,
    toggle: () => void press({ contentKey, isFavorite, isMember }),
  }
}

let isHearing = false

/** From the first heart on, hearts that are pressed in other tabs are shown here too. */
function hearFavorites(): void {
  if (isHearing) return
  isHearing = true
  listenToTabs((news) => {
    if (news.type === 'favorite') change(news.contentKey, savedMark(news.isFavorite))
  })
}

/** A press on a heart: shown at once, sent to the server, and taken back where that fails. A visitor signs in first. */
async function press({ contentKey, isFavorite, isMember }: Heart): Promise<void> {
  // Where that is unknown, the call's answer decides.
  if (!(isMember ?? (await isSignedIn().catch(() => true)))) {
    askToSignIn(() => changeFavorite(contentKey, 'add'), reason)
    return
  }
  change(contentKey, pressed(markOf(contentKey, savedMark(isFavorite))))
  void sync(contentKey)
}

const isSignedIn = async () => (await currentUser()) !== null

/** One toast is shown at a time: the welcome toast gets its time before the next one. */
const welcomeMs = 2_500

/** Adds or removes a favourite as was requested before signing in; the server leaves what is so already. */
function changeFavorite(contentKey: string, call: 'add' | 'remove'): void {
  change(contentKey, pressed(savedMark(call === 'remove')))
  void sync(contentKey, welcomeMs)
}

/**
 * Loads which items are a member's favourites, for hearts that no page rendered. Visitors and failures change
 * nothing.
 */
export async function loadFavorites(): Promise<void> {
  try {
    if (!(await isSignedIn())) return
    const favorites = await api('GET /api/content-favorites')
    const known = Object.fromEntries(favorites.map(({ contentKey }) => [contentKey, savedMark(true)]))
    store.set(marksAtom, { ...known, ...store.get(marksAtom) })
  } catch (error) {
    console.warn('The favourites could not be read.', error)
  }
}

/** Clears the hearts after a sign-in or sign-out, so that those of the page are shown. */
export function forgetFavorites(): void {
  store.set(marksAtom, {})
}

/** One call at a time for a heart, until the server has what is shown. */
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
