import { type FormEvent, useState } from 'react'
import { apiCall, messageOf, problemOf } from '#islands/api-call'
import { emit } from '#islands/events'
import { KeysSetting } from '#islands/keys-setting'
import { NotesSetting } from '#islands/notes-setting'
import { addPasskey } from '#islands/passkey'
import { PushSetting } from '#islands/push-setting'
import { clearUpForSignOut, forgetMember } from '#islands/sign-out'
import { setTheme } from '#islands/theme'
import { AccountPanel } from '#src/member/account-panel'
import { hideChanges } from '#src/member/hide'
import { HidePanel } from '#src/member/hide-panel'
import type { OpenSession } from '#src/member/operator-schema'
import {
  AppearancePanel,
  DiscretionPanel,
  NotificationPanel,
  PlaybackPanel,
} from '#src/member/preference-panels'
import { PrivacyPanel } from '#src/member/privacy-panel'
import type { CurrentUser } from '#src/member/schema'
import { SessionPanel } from '#src/member/session-panel'
import type { HideForm, Settings } from '#src/member/settings-schema'
import type { OpenPanel, SettingsForm, SettingsView } from '#src/member/settings-view'
import type { WaysIn } from '#src/member/ways-in'
import { WaysInPanel } from '#src/member/ways-in-panel'
import type { PushState } from '#src/push/schema'
import { categoryLabel } from '#src/story/rules'
import { discreetTitle } from '#src/ui/discreet'
import { urls } from '#src/urls'

/** The settings, saved without leaving the page; what was typed stays when the server refuses. */
export default function MemberSettings(props: { view: SettingsView }) {
  const [view, setView] = useState(props.view)
  const [open, setOpen] = useState(props.view.open)
  const [problem, setProblem] = useState(props.view.problem)
  const [isBusy, setBusy] = useState(false)

  const toggle = (panel: OpenPanel, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(null)
    setOpen((last) => (last === panel ? null : panel))
  }
  const submit = async (panel: SettingsForm, event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = textsOf(event.currentTarget)
    setBusy(true)
    setProblem(null)
    try {
      setView({ ...view, ...(await send[panel](fields)) })
      setOpen(null)
    } catch (error) {
      setProblem({ panel: panel === 'remove-passkey' ? 'ways-in' : panel, ...problemOf(error) })
    } finally {
      setBusy(false)
    }
  }
  const signOutElsewhere = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const sessions = await orToast(async () => {
      say(await apiCall(urls.apiSessions(), { method: 'DELETE', body: {} }))
      return listOpen()
    })
    setBusy(false)
    if (sessions) setView((last) => ({ ...last, ...sessions }))
  }
  /** Shown at once; taken back where the server did not keep it. */
  const choose = async (changes: Partial<SettingsView['settings']>) => {
    const before = view.settings
    setView((last) => ({ ...last, settings: { ...last.settings, ...changes } }))
    const saved = await orToast(
      async () => (await apiCall(urls.apiSettings(), { method: 'PATCH', body: changes })) as Settings,
    )
    setView((last) => ({ ...last, settings: saved ?? before }))
    return saved !== null
  }
  /** This page is discreet at once; its icon with the next one. */
  const chooseDiscretion = async (changes: Partial<SettingsView['settings']>) => {
    if (!(await choose(changes))) return
    const isDiscreet = changes.discreetMode === true
    document.body.toggleAttribute('data-discreet', isDiscreet)
    document.title = isDiscreet ? discreetTitle : `Settings – ${document.body.dataset.site}`
    // The page without a network has the look of the last page.
    navigator.serviceWorker?.controller?.postMessage({ ...document.body.dataset })
  }
  const chooseTheme = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const value = submitter?.getAttribute('value')
    const theme = value === 'dark' || value === 'paper' ? value : null
    setTheme(theme)
    void choose({ theme })
  }

  const chooseHidden = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const pressed = (event.nativeEvent as SubmitEvent).submitter
    const asked = textsOf(form, pressed) as HideForm
    const { hiddenCategories, hiddenWords } = view.settings
    const before = { hiddenCategories, hiddenWords }
    const changes = hideChanges(before, asked)
    if (asked.word !== undefined) form.reset()
    // The pressed word is gone in a moment, and the focus would be with it.
    if (asked.shownWord !== undefined) document.querySelector<HTMLInputElement>('#hide [name=word]')?.focus()
    if (await choose(changes))
      emit('nocturne:toast', { title: hideWords(before, asked), undo: () => void choose(before) })
  }

  const panel = {
    view,
    open,
    problem,
    isBusy,
    onOpen: toggle,
    onSubmit: (each: SettingsForm, event: FormEvent<HTMLFormElement>) => void submit(each, event),
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
      <WaysInPanel {...panel} />
      <SessionPanel
        sessions={view.sessions}
        isBusy={isBusy}
        onSubmit={(event) => void signOutElsewhere(event)}
      />
      <PrivacyPanel {...panel} />
    </div>
  )
}

/** Where the member is signed in, and which of those browsers get notifications. */
async function listOpen(): Promise<Pick<SettingsView, 'sessions' | 'push'>> {
  const [sessions, push] = await Promise.all([apiCall(urls.apiSessions()), apiCall(urls.apiPush())])
  return { sessions: sessions as OpenSession[], push: push as PushState }
}

async function signOut(event: FormEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const form = event.currentTarget
  await clearUpForSignOut()
  form.submit()
}

/** What each form asks of the server, and what of the view it changes. */
const send: Record<SettingsForm, (fields: Record<string, string>) => Promise<Partial<SettingsView>>> = {
  async profile(body) {
    const user = (await apiCall(urls.apiAccount(), { method: 'PATCH', body })) as CurrentUser
    emit('nocturne:toast', { title: 'Profile saved' })
    return { firstName: user.firstName ?? '', lastName: user.lastName ?? '' }
  },
  async password(body) {
    say(await apiCall(urls.apiPassword(), { method: 'POST', body }))
    return listOpen()
  },
  async email(body) {
    say(await apiCall(urls.apiEmail(), { method: 'POST', body }))
    return {}
  },
  async 'verify-email'() {
    say(await apiCall(urls.apiVerifyEmail(), { method: 'POST', body: {} }))
    return {}
  },
  async 'ways-in'({ provider = '' }) {
    say(await apiCall(urls.apiIdentity(provider), { method: 'DELETE', body: {} }))
    return { waysIn: (await apiCall(urls.apiWaysIn())) as WaysIn }
  },
  async passkey(fields) {
    say(await addPasskey(fields))
    return { waysIn: (await apiCall(urls.apiWaysIn())) as WaysIn }
  },
  async 'remove-passkey'({ id = '' }) {
    say(await apiCall(urls.apiPasskey(id), { method: 'DELETE', body: {} }))
    return { waysIn: (await apiCall(urls.apiWaysIn())) as WaysIn }
  },
  async history() {
    say(await apiCall(urls.apiHistory(), { method: 'DELETE', body: {} }))
    return {}
  },
  async delete(body) {
    await apiCall(urls.apiAccount(), { method: 'DELETE', body })
    await forgetMember()
    // In full: nothing of the member is to stay on the page or in its player.
    sessionStorage.clear()
    location.assign(urls.accountDeleted())
    return {}
  },
}

function hideWords({ hiddenCategories }: Pick<Settings, 'hiddenCategories'>, asked: HideForm): string {
  if (asked.category)
    return `${categoryLabel(asked.category)} ${hiddenCategories.includes(asked.category) ? 'is shown again' : 'is hidden'}`
  return asked.word ? `“${asked.word}” is hidden` : `“${asked.shownWord ?? ''}” is shown again`
}

function textsOf(form: HTMLFormElement, pressed: HTMLElement | null = null): Record<string, string> {
  return Object.fromEntries([...new FormData(form, pressed)].map(([name, value]) => [name, String(value)]))
}

function say(answer: unknown): void {
  emit('nocturne:toast', { title: messageOf(answer) ?? 'Done' })
}

async function orToast<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    emit('nocturne:toast', { kind: 'bad', title: 'Error', description: problemOf(error).message })
    return null
  }
}
