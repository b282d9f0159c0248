import { shortDate } from '#src/text/date-format'

type Point = { date: string; count: number }

/** Counts by day as a line. A screen reader reads their sum; the table below has every figure. */
export function LineChart({ label, points }: { label: string; points: readonly Point[] }) {
  const top = niceTop(Math.max(...points.map(({ count }) => count), 0))
  const x = (at: number) => (points.length === 1 ? 500 : (at * 1_000) / (points.length - 1)).toFixed(1)
  const y = (count: number) => (300 - (count / top) * 300).toFixed(1)
  const line = points.map(({ count }, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(count)}`).join('')
  const last = points.length - 1
  const steps = [1, 2 / 3, 1 / 3, 0].map((share) => Math.round(top * share))
  return (
    <>
      <div className="plot" role="img" aria-label={`${label}: ${summary(points)}`}>
        <div className="plot-y">
          {steps.map((step) => (
            <span key={step}>{step.toLocaleString('en')}</span>
          ))}
        </div>
        <svg viewBox="0 0 1000 300" preserveAspectRatio="none" aria-hidden="true">
          {steps.map((step) => (
            <path key={step} className="grid" d={`M0 ${y(step)}H1000`} />
          ))}
          <path className="area" d={`${line}L${x(last)} 300L${x(0)} 300Z`} />
          <path className="line" d={line} />
          <path className="end" d={`M${x(last)} ${y(points[last]?.count ?? 0)}h0.01`} />
        </svg>
        <div className="plot-x">
          {ticks(points).map((date) => (
            <span key={date}>{dayWords(date)}</span>
          ))}
        </div>
      </div>
      <details className="figures">
        <summary className="meta">Figures</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="right">
                {label}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ date, count }) => (
              <tr key={date}>
                <th scope="row">{dayWords(date)}</th>
                <td className="right num">{count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function summary(points: readonly Point[]): string {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return 'nothing yet'
  const highest = points.reduce((best, point) => (point.count > best.count ? point : best), first)
  return `from ${first.count} on ${dayWords(first.date)} to ${last.count} on ${dayWords(last.date)}, highest ${highest.count} on ${dayWords(highest.date)}`
}

function ticks(points: readonly Point[]): string[] {
  const places = new Set([0, 1 / 3, 2 / 3, 1].map((share) => Math.round(share * (points.length - 1))))
  return [...places].flatMap((at) => points[at]?.date ?? [])
}

/** A maximum that divides into thirds: 3, 6, 15, 30, 60, 150 … */
function niceTop(highest: number): number {
  for (let size = 1; ; size *= 10) {
    const top = [3, 6, 15].find((step) => step * size >= highest)
    if (top) return top * size
  }
}

/** "2026-11-20" → "20 Nov" */
function dayWords(date: string): string {
  return shortDate(new Date(`${date}T00:00:00Z`), 'UTC')
}
