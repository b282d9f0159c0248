import type { ReactNode } from 'react'

type Props = { href: string; children: ReactNode }

/** The link below a list to the entries that it does not show. */
export function More({ href, children }: Props) {
  return (
    <p className="more">
      <a className="btn btn-quiet" href={href}>
        {children}
      </a>
    </p>
  )
}

/** A `More` link below a table, inside its panel. */
export function TableMore({ href, children }: Props) {
  return (
    <p className="table-more">
      <a className="btn btn-ghost btn-sm" href={href}>
        {children}
      </a>
    </p>
  )
}
