/** Where a press on a link leads, if soft navigation may follow it; null leaves it to the browser. */
export function addressOfLink(link: HTMLAnchorElement): URL | null {
  if (!link.href || link.target || link.hasAttribute('download') || link.dataset.hard !== undefined)
    return null
  const url = new URL(link.href)
  const isFragment = url.hash !== '' && url.pathname + url.search === location.pathname + location.search
  return isOurPage(url) && !isFragment ? url : null
}

/** Where a GET form leads, with its filled fields as the query; null leaves it to the browser. */
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
