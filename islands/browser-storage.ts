type Area = 'localStorage' | 'sessionStorage'

/** What the browser keeps under a name; null where there is nothing, or where storage is closed. */
export function readStored(area: Area, name: string): string | null {
  try {
    return window[area].getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text under a name, null forgets it. Full or closed storage (some private modes) is no error. */
export function keepStored(area: Area, name: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(name)
    else window[area].setItem(name, value)
  } catch {
    // Then it holds for this page only.
  }
}
