import * as t from 'typebox'
import { redirect } from '#src/http/redirect'
import { clearHistory } from '#src/member/data/clear-history'
import { endedQuery } from '#src/member/data/ended-rules'
import { switchPanels } from '#src/member/settings/switch-panel-rules'
import { removeDevice } from '#src/push/remove-device'
import { memberOf, signedInOf } from '#src/request/caller'
import { writePreference } from '#src/request/cookies'
import { router } from '#src/request/router'
import type { Services } from '#src/services'
import { browserOf } from '#src/sign-in/member-session'
import { urls } from '#src/urls'
import { signOutElsewhere } from './account'
import { hideChanges } from './hide-rules'
import { findSettings, saveSettings } from './settings'
import type { Said } from './settings-page'
import { HideForm, PreferenceForm, themes } from './settings-schema'

const hide = { detail: { hide: true } }

/** Routes for the choices of the settings, for browsers without a script. Each redirects back to the settings. */
export function preferenceForms(services: Services) {
  const { db } = services
  return router()
    .post(
      '/settings/preferences',
      async ({ context, caller, body }) => {
        const { id } = memberOf(caller)
        const theme = themes.find((each) => each === body.theme) ?? null
        if (body.panel) {
          const { setting } = switchPanels[body.panel]
          await saveSettings(db, id, { [setting]: body[setting] === 'on' })
        } else {
          await saveSettings(db, id, { theme })
          writePreference(context, 'theme', theme)
        }
        return back('preferences')
      },
      { body: PreferenceForm, ...hide },
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
      async ({ caller, context }) => {
        const ended = await signOutElsewhere(db, signedInOf(caller), browserOf(context))
        return redirect(urls.settings({ said: 'sessions', ended: endedQuery(ended) }))
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

function back(said: Said, panel?: string): Response {
  return redirect(urls.settings({ said }) + (panel ? `#${panel}` : ''))
}
