/** Limits of a browser's offline data. Browser-safe: no imports. */

/** Days for which a saved item may be used after the server last allowed it. */
export const offlineDays = 30
/** Size of the pieces in which audio is fetched and stored: a broken connection loses one of them. */
export const pieceBytes = 512 * 1024
/**
 * Number of the first piece of a copy that is to replace another, beyond the last piece of any audio. Other copies
 * start at 0.
 */
export const nextCopyPiece = 1_000_000
/** Maximum items that one browser may save, and that one call to the server may name. */
export const offlineItemsMax = 200
/** A worker checks its items with the server at most this often, in minutes. */
export const checkMinutes = 10
