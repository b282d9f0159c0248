/** One heart: what it shows, what the server has, and whether a call is under way. */
export type FavoriteMark = { isShown: boolean; isKept: boolean; isSending: boolean }

export function keptMark(isFavorite: boolean): FavoriteMark {
  return { isShown: isFavorite, isKept: isFavorite, isSending: false }
}

/** A press: shown at once. */
export function pressed(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isShown: !mark.isShown }
}

/** What has to be told to the server now, or null: one call at a time, and none where it knows already. */
export function callFor({ isShown, isKept, isSending }: FavoriteMark): 'add' | 'remove' | null {
  if (isSending || isShown === isKept) return null
  return isShown ? 'add' : 'remove'
}

export function sending(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isSending: true }
}

/** The server has what was sent; a press in the meantime stays and asks for its own call. */
export function settled(mark: FavoriteMark, call: 'add' | 'remove'): FavoriteMark {
  return { ...mark, isKept: call === 'add', isSending: false }
}

/** The call failed: back to what the server has. */
export function rolledBack(mark: FavoriteMark): FavoriteMark {
  return keptMark(mark.isKept)
}
