import type { ReactNode } from 'react'
import { Button } from '#src/ui/button'

/** A form of selects. A choice is applied at once (apply-choices.ts) or, without a script, by a button. */
export function ChoicesForm({ action, children }: { action: string; children: ReactNode }) {
  return (
    <form className="btn-row" action={action} method="get" data-keep="" data-apply-choices="">
      {children}
      <noscript>
        <Button type="submit" size="sm">
          Show
        </Button>
      </noscript>
    </form>
  )
}
