import { RotateCcw, RotateCw } from 'lucide-react'
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
      <Icon of={isBack ? RotateCcw : RotateCw} />
      <b>{amount}</b>
    </button>
  )
}
