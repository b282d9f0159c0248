import { railFigures } from '#src/ui/rail-figures'

/** The reading progress, with ticks at the milestones. On wide screens the rail is beside the text. */
export function ProgressRail({ readingMinutes }: { readingMinutes: number }) {
  const { percent, timeLeft, y } = railFigures(0, readingMinutes)
  return (
    <aside className="rail" aria-label="Progress">
      <strong className="num">{percent}</strong>
      <span>{timeLeft}</span>
      <svg className="rail-track" viewBox="0 0 96 300" aria-hidden="true">
        <rect x="91" width="3" height="300" rx="1.5" fill="var(--surface-3)" />
        <rect x="91" width="3" height={y} rx="1.5" fill="var(--accent)" />
        <circle cx="92.500" cy={y} r="5" fill="var(--accent)" />
        <path d="M84 75h6M84 150h6M84 225h6" stroke="var(--control-line)" strokeWidth="1.5" />
      </svg>
    </aside>
  )
}
