/**
 * Messages for shortages that make a correct query fail, and the room on a disk that is left free. Browser-safe: no
 * imports.
 */

/**
 * Bytes of DATA_DIR's disk that uploads leave free: four WAL segments of PostgreSQL, of 16 MB each. With that it
 * completes a recovery, writes a checkpoint and continues.
 */
export const reserveBytes = 64 * 1024 * 1024

/**
 * Maximum age of a cached answer about the free space: reading it takes the file system microseconds, or a slow one
 * seconds.
 */
export const roomKnownSeconds = 2
/** How often it is logged. */
export const roomWatchSeconds = 10

/** The message for each shortage, and the seconds after which a retry makes sense. */
export const shortageWords = {
  database: {
    message: 'The library cannot be reached for a moment. Please try again.',
    retryAfterSeconds: 5,
  },
  disk: {
    message:
      'The disk of this server is full or cannot be used. An operator has to look at it; nothing that was saved is lost. Please try again later.',
    retryAfterSeconds: 30,
  },
  contention: {
    message: 'Somebody else changed the same at this moment, so nothing was changed. Please try again.',
    retryAfterSeconds: 1,
  },
  memory: {
    message: 'This server is short of memory for a moment. Please try again.',
    retryAfterSeconds: 5,
  },
} as const
