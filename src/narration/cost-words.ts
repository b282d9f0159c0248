import { joinFacts } from '#src/text/join-facts'
import { providerNames, voiceProviders } from './rules'

/** "about $0.07", "free". Browser-safe. */
export function costWords(costUsd: number): string {
  if (costUsd === 0) return 'free'
  return costUsd < 0.01 ? 'less than $0.01' : `about $${costUsd.toFixed(2)}`
}

/** The provider that speaks a paragraph, and the cost: "ElevenLabs · about $0.07". */
export function providerAndCostWords({ provider, costUsd }: { provider: string; costUsd: number }): string {
  const known = voiceProviders.find((each) => each === provider)
  return joinFacts(known ? providerNames[known] : provider, costWords(costUsd))
}
