import {
  type FormEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { forgetFavorites, loadFavorites } from '#islands/favorite/favorites-store'
import { takePendingAction } from '#islands/member/after-sign-in'
import { forgetAuthStatus } from '#islands/member/auth-status'
import { signInWithPasskey } from '#islands/member/passkey'
import { greet, signIn } from '#islands/member/sign-in'
import { hasPasskeys } from '#islands/member/start-passkeys'
import { rememberTyped } from '#islands/member/typed-words'
import { reload, visit } from '#islands/navigation/visit'
import { api } from '#islands/runtime/api'
import { type AuthRequest, listen } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { giveToastsBack, showDialog } from '#islands/site/show-dialog'
import { forgetOpinions } from '#islands/vote/opinions-store'
import { PinForm, pinTitle } from '#src/member/pin/pin-form'
import { type Provider, providers } from '#src/social/rules'
import { AuthForm, authTitle, authWords } from '#src/ui/auth-form'
import { Dialog } from '#src/ui/dialog'
import { PasskeyButton } from '#src/ui/passkey-button'
import { urls } from '#src/urls'

type Opening = AuthRequest & { isOpen: boolean; formKey: number }

/** Sign-in, registration and the PIN, in a dialog over the page. The loader fetches it at the first request. */
export default function AuthDialog({ request }: { request: AuthRequest | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [opening, setOpening] = useState<Opening>({ mode: 'sign-in', next: '/', isOpen: false, formKey: 0 })
  const { isBusy, problem, setProblem, submit } = useSubmit({ title: 'Oops! 😅' })
  const { mode, next, reason, isLocked = false, formKey } = opening

  /** Opening, changing the mode and closing all clear the form. */
  const change = (changed: Partial<Opening>) => {
    setProblem(null)
    setOpening((last) => ({ ...last, ...changed, formKey: last.formKey + 1 }))
  }

  const onRequest = useEffectEvent((request: AuthRequest) =>
    change({ reason: undefined, isLocked: false, ...request, isOpen: true }),
  )
  useEffect(() => {
    if (request) onRequest(request)
    return listen('nocturne:auth', (request) => onRequest(request))
  }, [request])
  // Each new form gets the focus.
  useLayoutEffect(() => {
    if (opening.isOpen && dialog.current) show(dialog.current)
  }, [opening])

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void submit(async () => {
      await sendForm(opening, form)
      void finishSignIn(opening, dialog.current)
    })
  }

  const onPasskey = () =>
    submit(async () => {
      await signInWithPasskey()
      void finishSignIn(opening, dialog.current)
    })

  const onClose = () => {
    delete document.body.dataset.signingIn
    // The dialog was closed without a sign-in, so the pending action is dropped.
    takePendingAction()
    change({ isOpen: false })
  }

  const onSwitch = (event: MouseEvent) => {
    event.preventDefault()
    change(isLocked ? { isLocked: false } : { mode: mode === 'register' ? 'sign-in' : 'register' })
  }

  const { site = '' } = document.body.dataset
  return (
    <Dialog
      id="auth"
      ref={dialog}
      title={isLocked ? pinTitle : authTitle(mode, site)}
      words={isLocked ? undefined : (reason ?? authWords(mode))}
      onClose={onClose}
    >
      {isLocked ? (
        <PinForm
          key={formKey}
          next={next}
          error={problem?.message}
          isBusy={isBusy}
          onSubmit={onSubmit}
          onPassword={onSwitch}
        />
      ) : (
        <AuthForm
          key={formKey}
          mode={mode}
          providers={listProviders()}
          action={urls.signIn()}
          next={next}
          problem={problem}
          isBusy={isBusy}
          passkey={hasPasskeys() && <PasskeyButton isBusy={isBusy} onPress={() => void onPasskey()} />}
          onSubmit={onSubmit}
          onSwitch={onSwitch}
        />
      )}
    </Dialog>
  )
}

async function sendForm({ mode, isLocked }: Opening, form: HTMLFormElement): Promise<void> {
  const fields = new FormData(form)
  try {
    if (isLocked) await api('POST /api/auth/unlock', { body: { pin: String(fields.get('pin')) } })
    else await signIn(mode, fields)
  } catch (error) {
    form.querySelector<HTMLElement>('[type="password"]')?.focus()
    throw error
  }
}

/** Shows the member's page after a sign-in, and runs the pending action. */
async function finishSignIn(
  { mode, next, isLocked }: Opening,
  dialog: HTMLDialogElement | null,
): Promise<void> {
  const pendingAction = takePendingAction()
  dialog?.close()
  giveToastsBack()
  if (!isLocked) greet(mode)
  forgetAuthStatus()
  forgetFavorites()
  forgetOpinions()
  const typeAgain = rememberTyped()
  await goOn(next)
  typeAgain()
  pendingAction?.()
  await loadFavorites()
}

function show(dialog: HTMLDialogElement): void {
  showDialog(dialog)
  // The styles hide the player's notice meanwhile, because the dialog shows the same message.
  document.body.dataset.signingIn = ''
  dialog.querySelector<HTMLElement>('form[method="post"] input:not([type="hidden"])')?.focus()
}

/** Reloads through soft navigation, so that the player and the pending action survive. */
async function goOn(next: string): Promise<void> {
  const target = new URL(next, location.href)
  const isHere = target.pathname + target.search === location.pathname + location.search
  if (target.origin !== location.origin || isHere) await reload()
  else await visit(target.href)
}

/** Returns the providers that the operator has configured, as listed by the page. */
function listProviders(): Provider[] {
  const names = document.body.dataset.providers?.split(' ') ?? []
  return providers.filter((each) => names.includes(each))
}
