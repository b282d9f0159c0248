import SignInWelcome from '#islands/member/sign-in-welcome'
import { ownerOf } from '#src/member/sign-in/owner'
import { nobody } from '#src/request/caller'
import type { RequestContext } from '#src/request/context'
import { cookieNames, readCookie, readPreference } from '#src/request/cookies'
import { isDiscreet } from '#src/request/discreet-cookie'
import { takeArrival } from '#src/sign-in/arrival'
import { listProviders } from '#src/social/list-providers'
import { discreetTitle } from '#src/ui/discreet'
import { Island } from '#src/ui/island'
import type { Viewer } from '#src/ui/viewer'

/** Finds the viewer of a page, which every page needs. */
export async function findViewer(context: RequestContext): Promise<Viewer> {
  const arrival = takeArrival(context)
  return {
    ...viewerWithoutDatabase(context),
    providers: listProviders(context.services.env),
    greeting: arrival && <Island name="sign-in-welcome" of={SignInWelcome} props={arrival} />,
  }
}

/** The part of the viewer that needs no database: every page gets its site name and discreet mode from here. */
export function viewerWithoutDatabase(context: RequestContext): Viewer {
  const { caller } = context
  const { env, assets } = context.services
  const isQuiet = isDiscreet(context)
  return {
    siteName: isQuiet ? discreetTitle : env.siteName,
    marketingUrl: env.marketingUrl,
    theme: readTheme(context),
    member: caller.member && { ...caller.member, email: caller.member.email ?? '' },
    owner: pageOwner(context),
    isOperator: caller.operator !== null,
    isDiscreet: isQuiet,
    hasPin: caller.hasPin,
    manifest: assets.manifest,
  }
}

function readTheme(context: RequestContext): Viewer['theme'] {
  const theme = readPreference(context, 'theme')
  return theme === 'dark' || theme === 'paper' ? theme : null
}

/**
 * The owner that a page names. Undefined behind a PIN and if the caller could not be determined: a page that named a
 * visitor would make the browser delete its offline data.
 */
function pageOwner(context: RequestContext): Viewer['owner'] {
  const { caller, services } = context
  const isUnknown = caller === nobody && readCookie(context, cookieNames.member) !== null
  return caller.locked || isUnknown ? undefined : ownerOf(services.secrets, caller.member)
}
