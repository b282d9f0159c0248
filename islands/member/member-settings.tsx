import { type FormEvent, useState } from 'react'
import { KeysSetting } from '#islands/member/keys-setting'
import { NotesSetting } from '#islands/member/notes-setting'
import { PushSetting } from '#islands/member/push-setting'
import { settingChoices } from '#islands/member/setting-choices'
import { endOtherSessions, settingsCalls } from '#islands/member/settings-calls'
import { endSession } from '#islands/member/sign-out'
import { textsOf } from '#islands/runtime/form-texts'
import { orToast } from '#islands/runtime/or-toast'
import { passFocus } from '#islands/runtime/pass-focus'
import { useSubmit } from '#islands/runtime/use-submit'
import { AccountPanel } from '#src/member/settings/account-panel'
import { HidePanel } from '#src/member/settings/hide-panel'
import { openButtonId } from '#src/member/settings/open-button'
import {
  AppearancePanel,
  DiscretionPanel,
  NotificationPanel,
  PlaybackPanel,
} from '#src/member/settings/preference-panels'
import { PrivacyPanel } from '#src/member/settings/privacy-panel'
import { SessionPanel, sessionsTitleId } from '#src/member/settings/session-panel'
import type {
  OpenPanel,
  SettingsForm,
  SettingsProblem,
  SettingsView,
} from '#src/member/settings/settings-view-schema'
import { SignInMethodsPanel } from '#src/member/settings/sign-in-methods-panel'

/** The settings, saved without leaving the page. Typed text stays when the server refuses it. */
export default function MemberSettings(props: { view: SettingsView }) {
  const [view, setView] = useState(props.view)
  const [open, setOpen] = useState(props.view.open)
  const [sent, setSent] = useState<Pick<SettingsProblem, 'panel' | 'row'> | null>(props.view.problem)
  const { isBusy, problem, setProblem, submit } = useSubmit({}, props.view.problem)
  const ending = useSubmit({ title: 'Error' })

  const toggle = (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(null)
    setOpen((last) => (last === panel ? null : panel))
  }
  const submitPanel = (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = textsOf(form)
    void submit(async () => {
      setSent({ panel: panel === 'remove-passkey' ? 'ways-in' : panel, row: fields.id ?? fields.provider })
      const changes = await settingsCalls[panel](fields)
      passFocus(form, openButtonOf(panel))
      setView({ ...view, ...changes })
      setOpen(null)
    })
  }
  const signOutElsewhere = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void ending.submit(async () => {
      const changes = await endOtherSessions()
      passFocus(form, sessionsTitleId)
      setView((last) => ({ ...last, ...changes }))
    })
  }
  const { choose, chooseDiscretion, chooseTheme, chooseHidden } = settingChoices(view.settings, (settings) =>
    setView((last) => ({ ...last, settings: { ...last.settings, ...settings } })),
  )

  const panel = {
    view,
    open,
    problem: problem && sent ? { ...sent, ...problem } : null,
    isBusy: isBusy || ending.isBusy,
    onOpen: toggle,
    onSubmit: submitPanel,
  }
  return (
    <div className="stack">
      <AccountPanel {...panel} onSignOut={(event) => void signOut(event)} />
      <NotificationPanel
        chosen={view.settings}
        push={
          <PushSetting
            state={view.push}
            isPossible={view.hasWorker}
            onChange={(push) => setView((last) => ({ ...last, push }))}
          />
        }
        onChange={(changes) => void choose(changes)}
      />
      <PlaybackPanel
        chosen={view.settings}
        browserChoices={
          <>
            <KeysSetting />
            <NotesSetting />
          </>
        }
        onChange={(changes) => void choose(changes)}
      />
      <AppearancePanel chosen={view.settings} onSubmit={chooseTheme} />
      <DiscretionPanel
        chosen={view.settings}
        hasPin={view.hasPin}
        onChange={(changes) => void chooseDiscretion(changes)}
      />
      <HidePanel hidden={view.settings} onSubmit={(event) => void chooseHidden(event)} />
      <SignInMethodsPanel {...panel} />
      <SessionPanel
        sessions={view.sessions}
        hasFeeds={view.feeds.isOn}
        ended={view.ended}
        isBusy={panel.isBusy}
        onSubmit={signOutElsewhere}
      />
      <PrivacyPanel {...panel} />
    </div>
  )
}

async function signOut(event: FormEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const form = event.currentTarget
  const leave = async () => {
    await endSession()
    // A full load, so that no data of the member stays on the page or in its player.
    form.submit()
  }
  await orToast(leave, { title: 'You are still signed in', otherwise: 'Signing out needs the network.' })
}

/** Returns the id of the button that opened a form. For a row's form it is the button that adds rows. */
function openButtonOf(panel: SettingsForm): string {
  return openButtonId(panel === 'ways-in' || panel === 'remove-passkey' ? 'passkey' : panel)
}
