import { pluralize } from '#src/text/pluralize'
import type { DemoState } from './schema'

/** Names what would go: "25 stories, 9 flows and 2 challenges" */
export function goingWords({ stories, flows, challenges }: DemoState): string {
  const words = [
    pluralize(stories, 'story'),
    pluralize(flows, 'flow'),
    ...(challenges > 0 ? [pluralize(challenges, 'challenge')] : []),
  ]
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
