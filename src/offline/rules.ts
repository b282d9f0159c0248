/** Limits of a browser's offline data. Browser-safe: no imports. */

/** Days for which a saved item may be used after the server last allowed it. */
export const offlineDays = 30
/** Audio is fetched and stored in pieces of this size: a broken connection costs one of them. */
export const pieceBytes = 512 * 1024
/** The pieces of a copy begin at 0; those of one that is to take its place here, past any audio's last piece. */
export const nextCopyPiece = 1_000_000
/** Items of one browser; the server answers about so many at once. */
export const offlineItemsMax = 200
/** A worker checks its items with the server at most this often, in minutes. */
export const checkMinutes = 10
