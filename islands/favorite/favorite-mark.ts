/** State of one favourite button: what is shown, what the server has, and whether a request is in progress. */
export type FavoriteMark = { isShown: boolean; isSaved: boolean; isSending: boolean }

export function savedMark(isFavorite: boolean): FavoriteMark {
  return { isShown: isFavorite, isSaved: isFavorite, isSending: false }
}

/** Toggles what is shown. The server is asked later. */
export function pressed(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isShown: !mark.isShown }
}

/**
 * Returns the request that the server needs next. Null while one is in progress, or if the server's state is already
 * right.
 */
export function callFor({ isShown, isSaved, isSending }: FavoriteMark): 'add' | 'remove' | null {
  if (isSending || isShown === isSaved) return null
  return isShown ? 'add' : 'remove'
}

export function sending(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isSending: true }
}

/**
 * The state after a successful request. A press made meanwhile still differs from it, and needs a request of its own.
 */
export function confirmed(mark: FavoriteMark, call: 'add' | 'remove'): FavoriteMark {
  return { ...mark, isSaved: call === 'add', isSending: false }
}

/** The state after a failed request: back to the server's. */
export function rolledBack(mark: FavoriteMark): FavoriteMark {
  return savedMark(mark.isSaved)
}
