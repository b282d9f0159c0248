/** Numbers of what a browser keeps. Browser-safe: no imports. */

/** What is kept may be used so long after the server last said yes. */
export const keptDays = 30
/** Audio is fetched and kept in pieces of this size: a broken connection costs one of them. */
export const pieceBytes = 512 * 1024
/** The pieces of a copy begin at 0; those of one that is to take its place here, past any audio's last piece. */
export const nextCopyPiece = 1_000_000
/** So many items in one browser; the server answers for so many at once. */
export const keptItemsMax = 200
/** A worker asks the server about what it keeps at most this often, in minutes. */
export const askAgainMinutes = 10
