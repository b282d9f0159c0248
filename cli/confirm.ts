import { UsageError } from '#cli/failure'
import { visible } from '#cli/output'
import { Stopped } from '#cli/stoppable'

export const yesFlag = {
  yes: { type: 'boolean', description: 'Do not ask', default: false },
} as const

/** Whether there is somebody to ask: a question in a pipe is seen by nobody, and spoils the data in it. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/**
 * Asks before much is changed or something is deleted; without a terminal to ask on, `--yes` is required. Throws
 * `Stopped` at Ctrl-C, which a terminal that is asked on sends as a key.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!canAsk())
    throw new UsageError(
      'This asks first, and there is no terminal to ask on. Add --yes to do it without a question.',
    )
  const { consola } = await import('consola')
  const answer = await consola.prompt(visible(question), { type: 'confirm', cancel: 'null' })
  if (answer === null) throw new Stopped('SIGINT')
  return answer
}
