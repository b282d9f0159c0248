/**
 * Messages for shortages that make a correct query fail, and the space that is reserved on a disk. Browser-safe: no
 * imports.
 */

/**
 * Bytes of DATA_DIR's disk that uploads leave free: four WAL segments of PostgreSQL, of 16 MB each. With them it can
 * complete a recovery, write a checkpoint and continue.
 */
export const reserveBytes = 64 * 1024 * 1024

/**
 * Maximum age of a cached answer about the free space. Reading it takes microseconds, or seconds on a slow file system.
 */
export const roomKnownSeconds = 2
/** How often the free space is checked for the log. */
export const roomWatchSeconds = 10

/** The message for each shortage, and the seconds after which a retry makes sense. */
export const shortageWords = {
  database: {
    message: 'The library cannot be reached for a moment. Please try again.',
    retryAfterSeconds: 5,
  },
  disk: {
    message:
      'The disk of this server is full or cannot be used. An operator needs to look at it; nothing that was saved is lost. Please try again later.',
    retryAfterSeconds: 30,
  },
  contention: {
    message: 'Someone else changed this at the same moment, so nothing was changed. Please try again.',
    retryAfterSeconds: 1,
  },
  memory: {
    message: 'This server is short of memory for a moment. Please try again.',
    retryAfterSeconds: 5,
  },
} as const
