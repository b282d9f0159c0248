import { useElementId } from '#src/ui/element-id'

const stars = [
  [120, 70, 1.5],
  [260, 44, 1.1],
  [390, 120, 1.6],
  [540, 60, 1.2],
  [655, 128, 1.4],
  [742, 40, 1.6],
  [830, 96, 1.1],
  [1180, 52, 1.5],
  [1290, 130, 1.2],
  [1345, 66, 1.6],
  [1240, 210, 1.1],
  [470, 190, 1.2],
  [905, 188, 1.3],
  [690, 226, 1.1],
] as const

/**
 * A single lit window in a dark house, for hero, landing and age gate. `x` positions the house, `lift` raises the
 * hills.
 */
export function NightScene({
  x = 1010,
  wide = 1400,
  high = 520,
  lift = 1,
}: {
  x?: number
  wide?: number
  high?: number
  lift?: number
}) {
  const id = `ns${useElementId().replace(/\W/g, '')}`
  const hill = (part: number, slopes: Slopes, fill: string, opacity?: number) => (
    <path d={hillPath([wide, high], high * part * lift, slopes)} fill={fill} opacity={opacity} />
  )
  return (
    <svg
      className="hero-art"
      viewBox={`0 0 ${wide} ${high}`}
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <Lights id={id} />
      <rect width={wide} height={high} fill={`url(#${id}s)`} />
      {stars.map(([sx, sy, r]) => (
        <circle key={sx} cx={f((sx * wide) / 1400)} cy={sy} r={r} fill="#f5dcb4" opacity="0.7" />
      ))}
      <Moon id={id} x={x - 60} />
      {hill(0.68, [90, 140], '#464078', 0.85)}
      {hill(0.77, [70, 120], '#262a56')}
      <House id={id} x={x + 40} y={high * 0.655 * lift} />
      {hill(0.89, [60, 70], '#171a38')}
      {hill(0.985, [40, 56], '#0c0e1f')}
    </svg>
  )
}

function Moon({ id, x }: { id: string; x: number }) {
  return (
    <g className="scene-moon">
      <circle cx={x} cy="150" r="250" fill={`url(#${id}m)`} />
      <circle cx={x} cy="150" r="62" fill="#7f97c8" opacity="0.35" />
      <path d={`M${x} 88A62 62 0 0 1 ${x} 212A30 62 0 0 0 ${x} 88Z`} fill="#f5dcb4" />
    </g>
  )
}

function House({ id, x, y }: { id: string; x: number; y: number }) {
  const at = (dx: number, dy: number) => `${f(x + dx)} ${f(y + dy)}`
  const wall = `M${at(-22, 110)}V${f(y + 22)}L${at(32, -16)}L${at(88, 22)}V${f(y + 110)}Z`
  const chimney = `M${at(58, 6)}V${f(y - 22)}H${f(x + 70)}V${f(y + 12)}Z`
  const pane = `M${at(14, 62)}V${f(y + 38)}a13 13 0 0 1 26 0V${f(y + 62)}Z`
  const bars = `M${at(27, 26)}V${f(y + 62)}M${at(14, 44)}H${f(x + 40)}`
  return (
    <g>
      <circle cx={f(x + 27)} cy={f(y + 42)} r="120" fill={`url(#${id}w)`} />
      <path d={wall} fill="#12152c" />
      <path d={chimney} fill="#12152c" />
      <path d={pane} fill="#fbcd96" />
      <path d={bars} stroke="#12152c" strokeWidth="2.5" />
    </g>
  )
}

function Lights({ id }: { id: string }) {
  return (
    <defs>
      <linearGradient id={`${id}s`} x1="0" y1="0" x2="0.2" y2="1">
        <stop offset="0" stopColor="#0d1126" />
        <stop offset="0.55" stopColor="#232c57" />
        <stop offset="1" stopColor="#5b4c7d" />
      </linearGradient>
      <radialGradient id={`${id}m`}>
        <stop offset="0.2" stopColor="#f5dcb4" stopOpacity="0.26" />
        <stop offset="0.45" stopColor="#c9b6c4" stopOpacity="0.1" />
        <stop offset="0.72" stopColor="#8f93c4" stopOpacity="0.03" />
        <stop offset="1" stopColor="#8f93c4" stopOpacity="0" />
      </radialGradient>
      <radialGradient id={`${id}w`}>
        <stop offset="0" stopColor="#f9bd83" stopOpacity="0.62" />
        <stop offset="0.4" stopColor="#f9bd83" stopOpacity="0.22" />
        <stop offset="0.75" stopColor="#f9bd83" stopOpacity="0.05" />
        <stop offset="1" stopColor="#f9bd83" stopOpacity="0" />
      </radialGradient>
    </defs>
  )
}

/** Heights of the left and the right top of a hill. */
type Slopes = readonly [a: number, b: number]

function hillPath([wide, high]: readonly [number, number], y: number, [a, b]: Slopes): string {
  const start = `M-20 ${f(y)}C${f(wide * 0.16)} ${f(y - a)} ${f(wide * 0.3)} ${f(y - a * 0.7)}`
  const middle = `${f(wide * 0.47)} ${f(y - a * 0.15)}S${f(wide * 0.74)} ${f(y - b)}`
  return `${start} ${middle} ${wide + 20} ${f(y - b * 0.35)}V${high + 20}H-20Z`
}

const f = (number: number) => Math.round(number * 10) / 10
