import * as t from 'typebox'
import { cookieNames, memberOf } from '#src/http/caller'
import type { RequestContext } from '#src/http/context'
import { redirect } from '#src/http/redirect'
import { router } from '#src/http/router'
import type { Parts } from '#src/parts'
import { removeDevice } from '#src/push/remove-device'
import { oneOf } from '#src/story/schema'
import { urls } from '#src/urls'
import { clearHistory } from './account'
import { hideChanges } from './hide'
import { closeOtherSessions } from './session'
import { findSettings, saveSettings } from './settings'
import type { Said } from './settings-page'
import { HideForm, themes } from './settings-schema'

const hide = { detail: { hide: true } }

/** What is chosen in the settings without a script: each form leads back to them. */
export function preferenceForms(parts: Parts) {
  const { db } = parts
  return router()
    .post(
      '/settings/preferences',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        const theme = themes.find((each) => each === body.theme) ?? null
        if (body.panel === 'notifications')
          await saveSettings(db, id, { emailNotifications: body.emailNotifications === 'on' })
        else if (body.panel === 'playback')
          await saveSettings(db, id, { autoPlayNext: body.autoPlayNext === 'on' })
        else if (body.panel === 'discretion')
          await saveSettings(db, id, { discreetMode: body.discreetMode === 'on' })
        else {
          await saveSettings(db, id, { theme })
          keepTheme(parts, context, theme)
        }
        return back('preferences')
      },
      {
        body: t.Object({
          panel: t.Optional(oneOf(['notifications', 'playback', 'discretion'] as const)),
          autoPlayNext: t.Optional(t.String({ maxLength: 10 })),
          discreetMode: t.Optional(t.String({ maxLength: 10 })),
          emailNotifications: t.Optional(t.String({ maxLength: 10 })),
          theme: t.Optional(t.String({ maxLength: 10 })),
        }),
        ...hide,
      },
    )
    .post(
      '/settings/hide',
      async ({ caller, body }) => {
        const { id } = memberOf(caller)
        await saveSettings(db, id, hideChanges(await findSettings(db, id), body))
        return back('preferences', 'hide')
      },
      { body: HideForm, ...hide },
    )
    .post(
      '/settings/sessions',
      async ({ caller }) => {
        await closeOtherSessions(db, memberOf(caller).id, caller.sid)
        return back('sessions')
      },
      hide,
    )
    .post(
      '/settings/history',
      async ({ caller }) => {
        await clearHistory(db, memberOf(caller).id)
        return back('history')
      },
      hide,
    )
    .post(
      '/settings/remove-device',
      async ({ caller, body }) => {
        await removeDevice(db, memberOf(caller).id, body.id)
        return back('device', 'notifications')
      },
      { body: t.Object({ id: t.String({ maxLength: 100 }) }), ...hide },
    )
}

/** The choice as the theme button keeps it: a cookie that scripts may read. */
function keepTheme({ env }: Parts, context: RequestContext, theme: string | null): void {
  const maxAge = theme ? 365 * 24 * 3_600 : 0
  const secure = env.isSecure ? '; Secure' : ''
  context.setCookies.push(
    `${cookieNames.theme}=${theme ?? ''}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`,
  )
}

function back(said: Said, panel?: string): Response {
  return redirect(urls.settings({ said }) + (panel ? `#${panel}` : ''))
}
