import { UsageError } from '#cli/failure'
import { visible } from '#cli/output'
import { Stopped } from '#cli/stoppable'

export const yesFlag = {
  yes: { type: 'boolean', description: 'Skip the question', default: false },
} as const

/** Whether there is a person to ask. In a pipe nobody sees a question, and it would corrupt the data. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/**
 * Asks for confirmation before a large change or a deletion. Without a terminal `--yes` is required. Throws `Stopped`
 * on Ctrl-C, which the terminal sends as a key while it asks.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!canAsk())
    throw new UsageError(
      'This asks for confirmation, but there is no terminal. Add --yes to skip the question.',
    )
  const { consola } = await import('consola')
  const answer = await consola.prompt(visible(question), { type: 'confirm', cancel: 'null' })
  if (answer === null) throw new Stopped('SIGINT')
  return answer
}
