const width = 300
const middle = 13

/** The days of a challenge as a row of nights: done, today's, and future ones. */
export function Nights({
  totalDays,
  currentDay,
  completedDays,
}: {
  totalDays: number
  currentDay: number
  completedDays: readonly number[]
}) {
  const step = width / Math.max(7, totalDays)
  const radius = Math.min(8, step * 0.36)
  const done = new Set(completedDays)
  return (
    <svg
      className="nights"
      viewBox={`0 0 ${width} ${2 * middle}`}
      role="img"
      aria-label={`Day ${currentDay} of ${totalDays}`}
    >
      {Array.from({ length: totalDays }, (_, at) => {
        const day = at + 1
        const x = step * (at + 0.5)
        if (done.has(day)) return <circle key={day} cx={x} cy={middle} r={radius} fill="var(--text-2)" />
        if (day !== currentDay)
          return (
            <circle
              key={day}
              cx={x}
              cy={middle}
              r={Math.max(0.5, radius - 0.75)}
              fill="none"
              stroke="var(--control-line)"
              strokeWidth="1.5"
            />
          )
        return (
          <g key={day} fill="var(--accent)">
            <circle
              cx={x}
              cy={middle}
              r={Math.min(11, step / 2)}
              fill="none"
              stroke="var(--accent)"
              strokeWidth="1.5"
            />
            <circle cx={x} cy={middle} r={Math.max(0.5, radius - 0.5)} />
          </g>
        )
      })}
    </svg>
  )
}
