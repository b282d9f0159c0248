import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent } from 'react'

type Look = {
  /** `primary` has the accent colour: at most one per view. */
  kind?: 'primary' | 'quiet' | 'ghost' | 'danger'
  size?: 'sm' | 'lg'
  isBlock?: boolean
}

/**
 * A button. While `isBusy`, a press does nothing, and the button keeps the focus, which browsers take from a disabled
 * one.
 */
export function Button({
  kind,
  size,
  isBlock,
  isBusy = false,
  className,
  ...rest
}: Look & { isBusy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>) {
  const busy = isBusy && { 'aria-disabled': true, onClick: dropPress }
  return (
    <button type="button" {...rest} {...busy} className={buttonClasses({ kind, size, isBlock }, className)} />
  )
}

/** Prevents a submit button, or Enter in its form, from sending anything. */
function dropPress(event: MouseEvent): void {
  event.preventDefault()
}

/** A link that looks like a button. `data-*` attributes are passed on. */
export function ButtonLink({
  kind,
  size,
  isBlock,
  className,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...rest} className={buttonClasses({ kind, size, isBlock }, className)} />
}

function buttonClasses({ kind = 'quiet', size, isBlock }: Look, more: string | undefined): string {
  const className = ['btn', `btn-${kind}`, size && `btn-${size}`, isBlock && 'btn-block', more]
  return className.filter(Boolean).join(' ')
}
