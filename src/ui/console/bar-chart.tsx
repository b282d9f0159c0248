type Bar = { name: string; count: number }

/**
 * A few counts as bars, each with its figure. The highest one is recognisable by its height, not only by its colour.
 */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const wide = 360
  const highest = Math.max(...bars.map(({ count }) => count), 1)
  const step = wide / Math.max(1, bars.length)
  const words = bars.map(({ name, count }) => `${name}: ${count}`).join(', ')
  return (
    <svg className="chart" viewBox={`0 0 ${wide} 250`} role="img" aria-label={`${label}. ${words}`}>
      {bars.map(({ name, count }, at) => {
        const high = (count / highest) * 186
        return (
          <g key={name}>
            <rect
              className={count === highest ? 'bar' : 'bar-2'}
              x={at * step + 8}
              y={220 - high}
              width={step - 16}
              height={high}
              rx={4}
            />
            <text className="value" x={at * step + step / 2} y={212 - high} textAnchor="middle">
              {count.toLocaleString('en')}
            </text>
            <text x={at * step + step / 2} y={244} textAnchor="middle">
              {name}
            </text>
          </g>
        )
      })}
      <path className="grid" d={`M0 220.500H${wide}`} />
    </svg>
  )
}

/** Counts as rows, largest first. */
export function MeterList({ label, rows }: { label: string; rows: readonly Bar[] }) {
  const highest = Math.max(...rows.map(({ count }) => count), 1)
  return (
    <ul className="meters" aria-label={label}>
      {rows.map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <progress className="meter" value={count} max={highest} aria-hidden="true" />
          <b>{count.toLocaleString('en')}</b>
        </li>
      ))}
    </ul>
  )
}
