import { cookieNames } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { cookieName } from '#src/http/cookies'
import type { Parts } from '#src/parts'
import { audioFor } from './may-hear'
import { findPermission, keepPermission } from './permissions'

/** Answers a GET or HEAD of a narration to someone who may hear it; refuses as `audioFor` does. */
export async function respondAudio(
  parts: Parts,
  request: Request,
  context: RequestContext,
  storyId: string,
  voice: string,
): Promise<Response> {
  const file = await audioFor(parts.db, context.caller, storyId, voice)
  const session = sessionOf(parts, request, context.cookies)
  if (session !== null) keepPermission({ session, storyId, voice }, file)
  return parts.storage.respond(file, request)
}

/**
 * The same answer for a session that was asked within the last five seconds, without the database; null
 * where it has to be asked. The pipeline calls it before it finds out who asks.
 */
export function respondKnownAudio(
  parts: Parts,
  request: Request,
  pathname: string,
  cookies: ReadonlyMap<string, string>,
): Promise<Response> | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const [, storyId, voice] = /^\/api\/premium-audio\/([^/]{36})\/(female|male)$/.exec(pathname) ?? []
  const session = storyId && voice ? sessionOf(parts, request, cookies) : null
  const file = storyId && voice && session !== null ? findPermission({ session, storyId, voice }) : null
  return file && parts.storage.respond(file, request)
}

/** What the permission is tied to; null for a bearer token, which scripts use once. */
function sessionOf({ env }: Parts, request: Request, cookies: ReadonlyMap<string, string>): string | null {
  if (request.headers.has('authorization')) return null
  const token = (name: string) => cookies.get(cookieName(name, env.isSecure)) ?? ''
  return `${token(cookieNames.member)} ${token(cookieNames.operator)}`
}
