import { apiCall } from '#islands/api-call'
import type { CurrentUser } from '#src/member/schema'
import { urls } from '#src/urls'

/** visitor.md §9 */
const cachedMs = 5 * 60_000

type Kept = { answer: Promise<unknown>; keptUntil: number }
const kept = new Map<string, Kept>()

/** Who is signed in, null for a visitor. Asked once in five minutes, never a second time after a failure. */
export async function currentUser(): Promise<CurrentUser | null> {
  const answer = await keptCall(urls.apiAuth('user'))
  return isUser(answer) ? answer : null
}

export async function isOperator(): Promise<boolean> {
  const answer = await keptCall('/api/admin/status')
  return typeof answer === 'object' && answer !== null && 'isAdmin' in answer && answer.isAdmin === true
}

/** Somebody signed in or out: what was known is asked anew. */
export function forgetAuthStatus(): void {
  kept.clear()
}

function keptCall(path: string): Promise<unknown> {
  const now = Date.now()
  const found = kept.get(path)
  if (found && found.keptUntil > now) return found.answer
  const answer = apiCall(path)
  kept.set(path, { answer, keptUntil: now + cachedMs })
  return answer
}

function isUser(answer: unknown): answer is CurrentUser {
  return typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string'
}
