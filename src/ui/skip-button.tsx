import { Icon } from '#src/ui/icon'

/** Skips fifteen seconds back or forward, by the sign of `seconds`. */
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
