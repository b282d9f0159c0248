import { pluralize } from '#src/text/pluralize'

/** "The female recording is of an earlier text: 1 of 3 sentences has to be spoken again." */
export function unspokenWords({
  voice,
  count,
  total,
}: {
  voice: string
  count: number
  total: number
}): string {
  return `The ${voice} recording is of an earlier text: ${count} of ${pluralize(total, 'sentence')} ${count === 1 ? 'has' : 'have'} to be spoken again.`
}
