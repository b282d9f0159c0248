import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Popover of a chip in the bar. Esc and a press outside close it. The focus starts at the chosen entry, or at the first
 * control below the head.
 */
export function BarPopover({
  title,
  action,
  onClose,
  children,
}: {
  title: string
  action?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const popover = useRef<HTMLElement>(null)

  useEffect(() => {
    const chosen = popover.current?.querySelector<HTMLElement>(
      '[aria-pressed="true"], [type="radio"]:checked',
    )
    const first =
      chosen ?? popover.current?.querySelector<HTMLElement>(':is(button, input):not(.popover-head *)')
    ;(first ?? popover.current)?.focus()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // One press closes one thing: a menu above this popover has already handled it.
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      onClose()
    }
    const onPress = ({ target }: PointerEvent) => {
      const isChip = target instanceof Element && target.closest('.player-chip') !== null
      if (target instanceof Node && target.isConnected && !popover.current?.contains(target) && !isChip)
        onClose()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [onClose])

  return (
    <section
      className="popover popover-at"
      role="dialog"
      aria-label={title}
      data-open=""
      tabIndex={-1}
      ref={popover}
    >
      <div className="popover-head">
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
