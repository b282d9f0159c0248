import { between, circle, f, gradient, type Motif, times } from '#src/ui/cover/shapes'

export const petals: Motif = (c, next, id) => {
  const count = 7 + Math.floor(next() * 4)
  const x = between(next, 215, 265)
  const y = between(next, 226, 258)
  const turn = between(next, 0, 60)
  const ring = (
    [length, width]: readonly [number, number],
    fill: string,
    opacity: number,
    offset: number,
  ) => {
    const leaf = `M0 0C${width} ${f(-length * 0.3)} ${width} ${f(-length * 0.8)} 0 ${-length}C${-width} ${f(-length * 0.8)} ${-width} ${f(-length * 0.3)} 0 0Z`
    return times(
      count,
      (i) =>
        `<path d="${leaf}" transform="rotate(${f(turn + offset + (360 / count) * i)})" fill="${fill}" opacity="${opacity}" stroke="${c.glow}" stroke-opacity="0.5" stroke-width="1.5"/>`,
    )
  }
  const rings =
    ring([214, 78], `url(#${id}p)`, 0.5, 0) +
    ring([138, 50], c.light, 0.55, 180 / count) +
    ring([76, 26], c.glow, 0.75, 0)
  return {
    defs: gradient(`${id}p`, [
      [0, c.light],
      [1, c.mid],
    ]),
    shapes: `${circle([x, y], 218, c.light, 0.08)}<g transform="translate(${f(x)} ${f(y)})">${rings}</g>${circle([x, y], 13, c.deep, 0.85)}`,
  }
}

export const arcs: Motif = (c, next, id) => {
  const x = between(next, 205, 275)
  const lean = between(next, -5, 5)
  const foot = 500
  const doors = [
    [c.deep, 0.75],
    [c.mid, 0.9],
    [c.deep, 0.9],
    [c.mid, 1],
    [c.light, 0.95],
    [`url(#${id}d)`, 1],
  ] as const
  const drawn = doors.map(([fill, opacity], i) => {
    const half = 222 - i * 35
    const top = 250 - (doors.length - i) * 6 + i * 6
    const cx = x + lean * i
    const arch = `M${f(cx - half)} ${foot}V${f(top)}A${f(half)} ${f(half)} 0 0 1 ${f(cx + half)} ${f(top)}V${foot}`
    return `<path d="${arch}Z" fill="${fill}" opacity="${opacity}"/><path d="${arch}" fill="none" stroke="${c.light}" stroke-width="2" opacity="0.45"/>`
  })
  return {
    defs: gradient(`${id}d`, [
      [0, c.glow],
      [1, c.light],
    ]),
    shapes: drawn.join(''),
  }
}

export const lampWindow: Motif = (c, next, id) => {
  const x = between(next, 196, 284)
  const half = between(next, 66, 80)
  const top = between(next, 180, 194)
  const foot = 350
  const arch = (h: number, t: number, b: number) =>
    `M${f(x - h)} ${f(b)}V${f(t)}A${f(h)} ${f(h)} 0 0 1 ${f(x + h)} ${f(t)}V${f(b)}Z`
  const slant = between(next, -90, 90)
  const floor = `<rect y="${foot + 22}" width="480" height="120" fill="${c.deep}" opacity="0.7"/>`
  const light = `<path d="M${f(x - half)} ${foot + 22}L${f(x + half)} ${foot + 22}L${f(x + half + slant + 46)} 480L${f(x - half + slant - 46)} 480Z" fill="url(#${id}f)" opacity="0.42"/>`
  const panes = `<path d="${arch(half + 13, top, foot + 13)}" fill="${c.deep}"/><path d="${arch(half, top, foot)}" fill="url(#${id}p)"/>`
  const bars = `<path d="M${f(x)} ${f(top - half)}V${foot}M${f(x - half)} ${f(top + 8)}H${f(x + half)}M${f(x - half)} ${f(top + 86)}H${f(x + half)}" stroke="${c.deep}" stroke-width="9" fill="none"/>`
  const sill = `<rect x="${f(x - half - 30)}" y="${foot + 8}" width="${f(half * 2 + 60)}" height="15" rx="4" fill="${c.light}"/>`
  const moonInPane = circle([x + half * 0.46, top - 26], half * 0.2, c.glow, 1)
  return {
    defs:
      gradient(`${id}p`, [
        [0, c.light],
        [0.55, c.glow],
        [1, c.glow],
      ]) +
      gradient(`${id}f`, [
        [0, c.glow],
        [1, c.mid],
      ]),
    shapes:
      circle([x, 236], 210, c.glow, 0.07) +
      circle([x, 236], 158, c.glow, 0.09) +
      floor +
      light +
      panes +
      moonInPane +
      bars +
      sill,
  }
}

export const threads: Motif = (c, next) => {
  const rise = between(next, -70, 70)
  const pull = between(next, 90, 150)
  const x = between(next, 180, 300)
  const y = between(next, 190, 270)
  const set = (sign: number, stroke: string, opacity: number) =>
    times(11, (i) => {
      const at = 76 + i * 33
      const d = `M-20 ${f(at + sign * rise)}C140 ${f(at - sign * pull)} 330 ${f(at + sign * pull * 1.15)} 500 ${f(at - sign * rise)}`
      return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${f(2.5 + (i % 4) * 1.6)}" opacity="${f(opacity - Math.abs(5 - i) * 0.05)}"/>`
    })
  const knot = circle([x, y], 66, c.glow, 0.95) + circle([x, y], 92, c.glow, 0.12)
  return { shapes: circle([x, y], 150, c.mid, 0.8) + set(1, c.light, 0.7) + knot + set(-1, c.glow, 0.5) }
}
