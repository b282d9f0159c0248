/**
 * Reads what a change has made of the rest of a page. The change has happened also where that fails, and is not to be
 * tried again: null then.
 */
export function readChanged<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error) => {
    console.warn('It is changed, but the page shows the rest as it was.', error)
    return null
  })
}
