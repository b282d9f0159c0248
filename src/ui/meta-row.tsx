import { Children, type ReactNode } from 'react'

/** Small facts in one quiet line, separated by dots. Empty ones are left out. */
export function MetaRow({ children }: { children: ReactNode }) {
  return <div className="meta-row">{Children.toArray(children).map(asElement)}</div>
}

function asElement(child: ReactNode): ReactNode {
  return typeof child === 'string' || typeof child === 'number' ? <span key={child}>{child}</span> : child
}
