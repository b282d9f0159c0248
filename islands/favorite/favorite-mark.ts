/** One heart: the shown state, the state on the server, and whether a call is in progress. */
export type FavoriteMark = { isShown: boolean; isSaved: boolean; isSending: boolean }

export function savedMark(isFavorite: boolean): FavoriteMark {
  return { isShown: isFavorite, isSaved: isFavorite, isSending: false }
}

/** A press: shown at once. */
export function pressed(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isShown: !mark.isShown }
}

/** The call that the server needs now, or null: one at a time, and none where its state is right already. */
export function callFor({ isShown, isSaved, isSending }: FavoriteMark): 'add' | 'remove' | null {
  if (isSending || isShown === isSaved) return null
  return isShown ? 'add' : 'remove'
}

export function sending(mark: FavoriteMark): FavoriteMark {
  return { ...mark, isSending: true }
}

/** The server has the sent state; a press in the meantime remains and needs a call of its own. */
export function confirmed(mark: FavoriteMark, call: 'add' | 'remove'): FavoriteMark {
  return { ...mark, isSaved: call === 'add', isSending: false }
}

/** The call failed: back to the server's state. */
export function rolledBack(mark: FavoriteMark): FavoriteMark {
  return savedMark(mark.isSaved)
}
