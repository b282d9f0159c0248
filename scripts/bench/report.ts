/** What the bench says: a line a figure, with its goal where there is one. Never a pass for what was not measured. */
export function heading(text: string): void {
  process.stdout.write(`\n${text}\n`)
}

export function figure(
  name: string,
  value: number,
  unit: string,
  goal?: { atLeast: number } | { atMost: number },
): void {
  const isMet = !goal || ('atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost)
  const words = goal ? ('atLeast' in goal ? `goal ≥ ${goal.atLeast}` : `goal ≤ ${goal.atMost}`) : ''
  process.stdout.write(
    `  ${name.padEnd(58)} ${format(value).padStart(10)} ${unit.padEnd(10)} ${words}${goal ? (isMet ? '  met' : '  NOT MET') : ''}\n`,
  )
}

export function notMeasured(name: string, why: string): void {
  process.stdout.write(`  ${name.padEnd(58)} not measured: ${why}\n`)
}

function format(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
