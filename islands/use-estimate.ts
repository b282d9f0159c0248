import { useEffect, useState } from 'react'
import { operatorCall } from '#islands/operator-call'
import { urls } from '#src/urls'

/** Long enough that a text is priced once it is written, not while. */
const quietMs = 700

export type VoiceEstimate = { voice: string; characters: number; costUsd: number }

/** What a text would cost in some voices, before anything is spent; nothing while that is not known. */
export function useEstimate(text: string, voices: readonly string[]): VoiceEstimate[] {
  const [estimates, setEstimates] = useState<VoiceEstimate[]>([])
  const wished = voices.join(',')
  useEffect(() => {
    setEstimates([])
    if (!text.trim() || !wished) return
    let isStale = false
    const timer = setTimeout(async () => {
      const body = { text, voices: wished.split(',') }
      // A text that cannot be spoken says so when it is generated; until then there is no price.
      const answer = await operatorCall(urls.apiTestAudioEstimate(), { method: 'POST', body }).catch(
        () => null,
      )
      if (!isStale && answer) setEstimates((answer as { voices: VoiceEstimate[] }).voices)
    }, quietMs)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [text, wished])
  return estimates
}
