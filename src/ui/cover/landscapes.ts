import { between, circle, f, gradient, type Motif, times } from '#src/ui/cover/shapes'

export const moon: Motif = (c, next, id) => {
  const x = between(next, 190, 290)
  const y = between(next, 176, 214)
  const r = between(next, 74, 98)
  const side = next() < 0.5 ? 0 : 1
  // Below 0 the moon is gibbous, above 0 a crescent.
  const terminator = between(next, -0.62, 0.72)
  const sea = between(next, 318, 344)
  const inner = `A${f(r * Math.abs(terminator))} ${f(r)} 0 0 ${terminator > 0 ? 1 - side : side}`
  const lit = `M${f(x)} ${f(y - r)}A${f(r)} ${f(r)} 0 0 ${side} ${f(x)} ${f(y + r)}${inner} ${f(x)} ${f(y - r)}Z`
  const stars = times(7, () =>
    circle([between(next, 40, 440), between(next, 90, 290)], between(next, 1.6, 3.4), c.glow, 0.65),
  )
  const strips = times(6, (i) => {
    const half = (118 - i * 15) * between(next, 0.75, 1.1)
    const left = f(x - half + between(next, -14, 14))
    return `<rect x="${left}" y="${f(sea + 14 + i * 19)}" width="${f(half * 2)}" height="${f(5 + i * 0.9)}" rx="4" fill="${c.glow}" opacity="${f(0.62 - i * 0.085)}"/>`
  })
  const halo =
    circle([x, y], r * 1.75, c.light, 0.1) +
    circle([x, y], r * 1.35, c.light, 0.14) +
    circle([x, y], r, c.light, 0.3)
  const water = `<rect y="${f(sea)}" width="480" height="${f(480 - sea)}" fill="url(#${id}w)"/><rect y="${f(sea)}" width="480" height="2" fill="${c.light}" opacity="0.55"/>`
  return {
    defs: gradient(`${id}w`, [
      [0, c.mid],
      [1, c.deep],
    ]),
    shapes: `${stars}${halo}<path d="${lit}" fill="${c.glow}"/>${water}${strips}`,
  }
}

export const waves: Motif = (c, next) => {
  const x = between(next, 150, 330)
  const r = between(next, 62, 84)
  const drift = between(next, 0, 480)
  const fills = [
    [c.light, 0.55],
    [c.light, 0.85],
    [c.mid, 1],
    [c.mid, 0.75],
    [c.deep, 0.85],
    [c.deep, 1],
  ] as const
  const bands = fills.map(([fill, opacity], i) => {
    const top = 214 + i * 46
    const height = 20 + i * 4
    const length = 150 + i * 22
    const shift = (drift + i * 97) % (length * 2)
    let d = `M${f(-shift)} ${top}`
    for (let at = -shift, up = 1; at < 520; at += length, up = -up) {
      d += `q${f(length / 2)} ${f(-height * up * 1.6)} ${f(length)} 0`
    }
    return `<path d="${d}V500H-400Z" fill="${fill}" opacity="${opacity}"/><path d="${d}" fill="none" stroke="${c.glow}" stroke-width="2" opacity="${f(0.5 - i * 0.06)}"/>`
  })
  return {
    shapes: circle([x, 196], r * 1.5, c.glow, 0.1) + circle([x, 196], r, c.glow, 0.95) + bands.join(''),
  }
}

export const horizon: Motif = (c, next, id) => {
  const x = between(next, 170, 310)
  const r = between(next, 84, 112)
  const ridges = [
    [c.light, 0.75, 262, 30],
    [c.mid, 1, 300, 40],
    [c.deep, 0.8, 344, 44],
    [c.deep, 1, 394, 32],
  ] as const
  // Peaks and valleys alternate and every tangent is level, so that no ridge has a notch.
  const hills = ridges.map(([fill, opacity, y, height], i) => {
    let x0 = -60 - i * 37
    let y0: number = y
    let isUp = i % 2 === 0
    let d = `M${x0} ${y0}`
    while (x0 < 500) {
      const x1 = x0 + between(next, 130, 210)
      const y1 = y + (isUp ? -height : height * 0.45) * between(next, 0.55, 1)
      const half = (x0 + x1) / 2
      d += `C${f(half)} ${f(y0)} ${f(half)} ${f(y1)} ${f(x1)} ${f(y1)}`
      x0 = x1
      y0 = y1
      isUp = !isUp
    }
    return `<path d="${d}V500H-200Z" fill="${fill}" opacity="${opacity}"/>`
  })
  const mist = times(
    3,
    (i) =>
      `<rect x="${f(between(next, -40, 200))}" y="${f(116 + i * 32)}" width="${f(between(next, 130, 260))}" height="3" rx="1.5" fill="${c.glow}" opacity="0.28"/>`,
  )
  const sun = `<circle cx="${f(x)}" cy="232" r="${f(r)}" fill="url(#${id}g)"/>`
  return {
    defs: gradient(`${id}g`, [
      [0, c.glow],
      [1, c.light],
    ]),
    shapes: circle([x, 232], r * 1.55, c.glow, 0.09) + sun + mist + hills.join(''),
  }
}
