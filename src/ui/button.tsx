import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react'

type Look = {
  /** `primary` is the lamp: one a view. */
  kind?: 'primary' | 'quiet' | 'ghost' | 'danger'
  size?: 'sm' | 'lg'
  isBlock?: boolean
}

export function Button({
  kind,
  size,
  isBlock,
  className,
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" {...rest} className={buttonClasses({ kind, size, isBlock }, className)} />
}

/** A link that looks like a button. Pass `data-*` attributes as they are. */
export function ButtonLink({
  kind,
  size,
  isBlock,
  className,
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...rest} className={buttonClasses({ kind, size, isBlock }, className)} />
}

function buttonClasses({ kind = 'quiet', size, isBlock }: Look, more?: string): string {
  const className = ['btn', `btn-${kind}`, size && `btn-${size}`, isBlock && 'btn-block', more]
  return className.filter(Boolean).join(' ')
}
