import { Icon } from '#src/ui/icon'

/** Fifteen seconds back or forward, as the sign of `seconds` says. */
export function SkipButton({ seconds, onSkip }: { seconds: number; onSkip?: (seconds: number) => void }) {
  const amount = Math.abs(seconds)
  const isBack = seconds < 0
  return (
    <button
      className="icon-btn skip"
      type="button"
      aria-label={`${isBack ? 'Back' : 'Forward'} ${amount} seconds`}
      aria-keyshortcuts={isBack ? 'ArrowLeft' : 'ArrowRight'}
      onClick={() => onSkip?.(seconds)}
    >
      <Icon name="i-lucide-lg-rotate-cw" className={isBack ? 'icon-back' : ''} />
      <b>{amount}</b>
    </button>
  )
}
