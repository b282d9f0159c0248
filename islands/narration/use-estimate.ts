import { useEffect, useState } from 'react'
import type { Answer } from '#islands/runtime/api'
import { operatorApi } from '#islands/runtime/operator-api'

/** Long enough that the price is requested after typing, not after each letter. */
const quietMs = 700

type VoiceEstimate = Answer<'POST /api/test-audio/estimate'>['voices'][number]

/** Returns the price of a text in some voices, before money is spent; an empty list while it is loading. */
export function useEstimate(text: string, voices: readonly string[]): VoiceEstimate[] {
  const [estimates, setEstimates] = useState<VoiceEstimate[]>([])
  const voiceList = voices.join(',')
  useEffect(() => {
    setEstimates([])
    if (!text.trim() || !voiceList) return
    let isStale = false
    const timer = setTimeout(async () => {
      const body = { text, voices: voiceList.split(',') }
      // A text that cannot be narrated has no price. Its error is shown when it is generated.
      const answer = await operatorApi('POST /api/test-audio/estimate', { body }).catch(() => null)
      if (!isStale && answer) setEstimates(answer.voices)
    }, quietMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [text, voiceList])
  return estimates
}
