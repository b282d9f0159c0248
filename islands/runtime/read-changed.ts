/**
 * Reads the rest of a page after a change. Returns null if that fails: the change itself has succeeded, and must not be
 * tried again.
 */
export function readChanged<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error) => {
    console.warn('It is changed, but the page shows the rest as it was.', error)
    return null
  })
}
