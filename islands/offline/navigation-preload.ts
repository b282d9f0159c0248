/** The methods of a NavigationPreloadManager that are used. Undefined where the browser has none. */
type Preload = { enable(): Promise<void>; disable(): Promise<void> } | undefined

/**
 * Lets the browser request a page while the worker starts. Not in Firefox: if such a request fails and the worker waits
 * for it, Firefox shows its own error page (https://github.com/GoogleChrome/workbox/issues/3134).
 */
export async function choosePreload(preload: Preload, userAgent: string): Promise<void> {
  // Disabled, not only left as it is, because earlier workers have enabled it.
  await (/Firefox\//.test(userAgent) ? preload?.disable() : preload?.enable())
}
