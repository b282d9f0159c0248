import type { FormEvent, ReactNode } from 'react'
import { consoleUrls } from '#src/console-urls'
import { nameCharactersMax } from '#src/member/rules'
import { BrandMark } from '#src/ui/brand-mark'
import { Button } from '#src/ui/button'
import { Field } from '#src/ui/field'

/** The console's three entrances, which decide the words of the sign-in card. */
export type AccessEntrance = 'admin' | 'admin-login' | 'premium-content'

const accessWords: Record<AccessEntrance, { title: string; button: string }> = {
  admin: { title: 'Admin Access', button: 'Login to Admin Dashboard' },
  'admin-login': { title: 'Access Analytics Dashboard', button: 'Login to Analytics Dashboard' },
  'premium-content': { title: 'Admin Login Required', button: 'Login to Premium Content' },
}

/** The sign-in card of the console: a plain POST form, which the island sends without leaving the page. */
export function AccessForm({
  entrance,
  next,
  unsentInput,
  error,
  isBusy,
  onSubmit,
}: {
  entrance: AccessEntrance
  /** The page to return to. */
  next: string
  /** Hidden fields that are posted with the form. */
  unsentInput?: ReactNode
  error?: string
  isBusy?: boolean
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
}) {
  const { title, button } = accessWords[entrance]
  return (
    <section className="dialog dialog-narrow" aria-labelledby={`access-${entrance}`}>
      <div className="dialog-head dialog-mark">
        <BrandMark />
        <h1 className="title-lg" id={`access-${entrance}`}>
          {title}
        </h1>
      </div>
      <form className="stack" action={consoleUrls.adminLogin()} method="post" onSubmit={onSubmit} noValidate>
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="entrance" value={entrance} />
        {unsentInput}
        <Field
          label="Admin token"
          type="password"
          name="token"
          autoComplete="current-password"
          maxLength={512}
          error={error}
        />
        <Field
          label="Your name, for the audit log"
          name="name"
          autoComplete="name"
          placeholder="Optional"
          maxLength={nameCharactersMax}
        />
        <Button kind="primary" size="lg" isBlock type="submit" isBusy={isBusy}>
          {isBusy ? 'Authenticating...' : button}
        </Button>
      </form>
      <p className="meta">
        The token is in the file named at the first start, or in <span className="mono">ADMIN_TOKEN</span>.
      </p>
    </section>
  )
}
