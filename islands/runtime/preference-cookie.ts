const yearSeconds = 365 * 24 * 3_600

/** Stores a preference that the server reads on the next page (theme, hidden welcome). Null deletes it. */
export function setPreferenceCookie(name: string, value: string | null): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const maxAge = value === null ? 0 : yearSeconds
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`
}
