/** Words of a text, `to` behind the last. */
export type Span = { from: number; to: number }

/** Longer than any word of a rule that somebody would write in pieces. */
export const piecesMax = 40
