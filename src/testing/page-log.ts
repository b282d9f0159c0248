import type { Page, Request } from 'playwright-core'
import { describeOnTimeout } from '#src/testing/until'

/** Complaints of a page: errors of the console and of its policy, exceptions, requests to other sites. */
export type Complaints = string[]

/** A call that a page has made, and its status or why there is none. */
type Call = { words: string; outcome: string }

const callsMax = 15
/** Characters of a body that are logged: enough to see what was sent. */
const bodyMax = 300
const openPages = new Map<Page, { complaints: Complaints; calls: Call[] }>()
describeOnTimeout(() => [...openPages.keys()].map(describePage).join('\n\n'))

/**
 * Collects a page's complaints, which are returned, and its last calls other than GET. When `until` times out, its
 * error has both. A refused call (403) is not a complaint.
 */
export function logPage(page: Page, siteUrl: string): Complaints {
  const complaints: Complaints = []
  const calls: Call[] = []
  openPages.set(page, { complaints, calls })
  page.once('close', () => openPages.delete(page))
  page.on('crash', () => complaints.push('the page has crashed'))
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    const isRefused = /status of (401|403|404|409|422)/.test(message.text())
    if (message.type() !== 'error' || isRefused) return
    const isOfResource = message.text().startsWith('Failed to load resource')
    complaints.push(`console: ${message.text()}${isOfResource ? ` ${message.location().url}` : ''}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(siteUrl) && !/^(data|blob):/.test(request.url()))
      complaints.push(`request to ${request.url()}`)
    if (request.method() !== 'GET') void logCall(calls, request)
  })
  // Without a listener the driver does not report why a request has failed.
  page.on('requestfailed', () => {})
  return complaints
}

async function logCall(calls: Call[], request: Request): Promise<void> {
  const body = request.postData()?.slice(0, bodyMax)
  const words = `${request.method()} ${new URL(request.url()).pathname}${body ? ` ${body}` : ''}`
  const call = { words, outcome: 'no answer yet' }
  calls.push(call)
  if (calls.length > callsMax) calls.shift()
  // Rejects if the page is closed first.
  const response = await request.response().catch(() => null)
  call.outcome = response ? String(response.status()) : (request.failure()?.errorText ?? 'no answer')
}

function describePage(page: Page): string {
  const { complaints = [], calls = [] } = openPages.get(page) ?? {}
  return [
    `Open page ${page.url()}`,
    `  complaints: ${complaints.join('; ') || 'none'}`,
    `  last calls other than GET:${calls.length === 0 ? ' none' : ''}`,
    ...calls.map(({ words, outcome }) => `    ${words}: ${outcome}`),
  ].join('\n')
}
