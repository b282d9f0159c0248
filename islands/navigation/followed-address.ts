/** Returns the address of a link if soft navigation may follow it, or null if the browser must. */
export function addressOfLink(link: HTMLAnchorElement): URL | null {
  if (!link.href || link.target || link.hasAttribute('download') || link.dataset.hard !== undefined)
    return null
  const url = new URL(link.href)
  const isFragment = url.hash !== '' && url.pathname + url.search === location.pathname + location.search
  return isOurPage(url) && !isFragment ? url : null
}

/** Returns the address of a GET form with its non-empty fields as the query, or null if the browser must submit it. */
export function addressOfForm(form: HTMLFormElement, submitter: HTMLElement | null): URL | null {
  const isHard =
    form.dataset.hard !== undefined || form.target !== '' || submitter?.hasAttribute('formaction')
  if (form.method !== 'get' || isHard) return null
  const url = new URL(form.getAttribute('action') || location.href, location.href)
  url.search = ''
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === 'string' && value.trim() !== '') url.searchParams.append(name, value)
  }
  return isOurPage(url) ? url : null
}

function isOurPage(url: URL): boolean {
  return url.origin === location.origin && !/^\/(api|assets)\//.test(url.pathname)
}
