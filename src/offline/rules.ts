/** Limits of a browser's offline data. Browser-safe: no imports. */

/** Days for which a saved item may be used after the server last allowed it. */
export const offlineDays = 30
/** The size of the pieces in which audio is fetched and stored: a broken connection loses one of them. */
export const pieceBytes = 512 * 1024
/**
 * The first piece of a copy has the number 0; that of a copy which is to replace another has this one, beyond the
 * last piece of any audio.
 */
export const nextCopyPiece = 1_000_000
/** Items that one browser may save, and that one call to the server may name. */
export const offlineItemsMax = 200
/** A worker checks its items with the server at most this often, in minutes. */
export const checkMinutes = 10
