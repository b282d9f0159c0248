/** One row of the table at the end of a run. */
export type Outcome = {
  part: string
  /** Injected faults, or attempted attacks. */
  tried: number
  /** The number of faults after which the program continued as it should. */
  survived: number
  acknowledged: number
  /** A sentence for each acknowledged thing that is lost, and each thing that must not be there. */
  lost: string[]
  /** Successful responses to clients without permission; null if none were requested. */
  wronglyAllowed: number | null
  /** Responses of 500 and above other than 503. */
  serverErrors: number
  note: string
}

export function outcomeOf(part: string, fields: Partial<Outcome>): Outcome {
  return {
    part,
    tried: 0,
    survived: 0,
    acknowledged: 0,
    lost: [],
    wronglyAllowed: null,
    serverErrors: 0,
    note: '',
    ...fields,
  }
}

export function isGood({ tried, survived, lost, wronglyAllowed, serverErrors }: Outcome): boolean {
  return survived === tried && lost.length === 0 && !wronglyAllowed && serverErrors === 0
}

export function tableOf(outcomes: readonly Outcome[], seed: number): string {
  const rows = outcomes.map((each) => [
    each.part,
    String(each.tried),
    String(each.survived),
    String(each.acknowledged),
    String(each.lost.length),
    String(each.wronglyAllowed ?? '–'),
    String(each.serverErrors),
    each.note,
  ])
  const head = ['part', 'tried', 'survived', 'acknowledged', 'lost', 'let in', '5xx but 503', 'measured']
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const details = outcomes.flatMap(({ part, lost }) => lost.slice(0, 20).map((each) => `  ${part}: ${each}`))
  return [
    `Seed ${seed}`,
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    ...(details.length > 0 ? ['', 'Lost or broken:', ...details] : []),
  ].join('\n')
}
