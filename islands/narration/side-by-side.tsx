import { useState } from 'react'
import { LabPlayer } from '#islands/narration/lab-player'
import { type Spoken, speak } from '#islands/narration/speak'
import { useEstimate } from '#islands/narration/use-estimate'
import { problemOf } from '#islands/runtime/api-error'
import { emit } from '#islands/runtime/events'
import { toastProblem } from '#islands/runtime/or-toast'
import { costWords, providerAndCostWords } from '#src/narration/cost-words'
import { labNarratorsMax, narrators } from '#src/narration/rules'
import { Button } from '#src/ui/button'
import { Notice } from '#src/ui/notice'

type Tried = { voice: string; spoken: Spoken | null; problem: string | null }

/** Plays the same paragraph in several voices, each with its own player. */
export function SideBySide({ text }: { text: string }) {
  const [chosen, setChosen] = useState<string[]>([])
  const [tried, setTried] = useState<Tried[]>([])
  const [waiting, setWaiting] = useState<string | null>(null)
  const estimates = useEstimate(text, chosen)
  const costUsd = estimates.reduce((sum, each) => sum + each.costUsd, 0)

  const toggle = (voice: string) =>
    setChosen((all) => (all.includes(voice) ? all.filter((each) => each !== voice) : [...all, voice]))
  const compare = async () => {
    if (!text.trim()) return void emit('nocturne:toast', { kind: 'bad', title: 'No text provided' })
    setTried([])
    for (const voice of chosen) {
      setWaiting(voice)
      const result = await tryVoice(text, voice)
      setTried((all) => [...all, result])
    }
    setWaiting(null)
  }

  return (
    <section className="section stack" aria-labelledby="side-by-side">
      <div className="section-head">
        <h2 className="title-md" id="side-by-side">
          Side by side
        </h2>
        <span className="meta">{labNarratorsMax} voices at most</span>
      </div>
      <fieldset className="stack-sm">
        <legend className="label">Narrators</legend>
        <div className="chips chips-wrap">
          {narrators.map((voice) => (
            <button
              key={voice}
              className="chip"
              type="button"
              aria-pressed={chosen.includes(voice)}
              disabled={!chosen.includes(voice) && chosen.length >= labNarratorsMax}
              onClick={() => toggle(voice)}
            >
              {voice}
            </button>
          ))}
        </div>
      </fieldset>
      <div className="btn-row">
        <Button disabled={chosen.length === 0 || waiting !== null} onClick={() => void compare()}>
          {waiting ? `Generating ${waiting}...` : 'Compare'}
        </Button>
        {estimates.length > 0 && <span className="meta num">{costWords(costUsd)} for all of them</span>}
      </div>
      <div className="voices" aria-live="polite">
        {tried.map(({ voice, spoken, problem }) => (
          <article className="voice" key={voice}>
            <div className="voice-top">
              <div>
                <h3>{voice}</h3>
                {spoken && <p className="meta">{providerAndCostWords(spoken)}</p>}
              </div>
            </div>
            {spoken && <LabPlayer name={voice} src={spoken.url} />}
            {problem && <Notice kind="bad">{problem}</Notice>}
          </article>
        ))}
      </div>
    </section>
  )
}

/**
 * Generates the paragraph in one voice. If that fails, the error is shown on the voice's card and the others continue.
 */
async function tryVoice(text: string, voice: string): Promise<Tried> {
  try {
    return { voice, spoken: await speak(text, voice), problem: null }
  } catch (error) {
    const { message } = problemOf(error, 'Failed to generate audio')
    toastProblem('Audio generation failed', message)
    return { voice, spoken: null, problem: message }
  }
}
