/** Bytes of markup that React made, as they are sent. */
export type Piece = Uint8Array<ArrayBuffer>

/**
 * Markup in pieces. Those that many pages share are laid one behind the other as bytes: joining texts and encoding the
 * result took a sixth of a member's list (measured).
 */
export class Markup {
  constructor(readonly pieces: readonly Piece[]) {}
}

const encoder = new TextEncoder()

export function toPiece(markup: string): Piece {
  return encoder.encode(markup)
}

export function joinPieces(pieces: readonly Piece[]): Piece {
  return Buffer.concat(pieces)
}
