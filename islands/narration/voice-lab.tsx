import { useState } from 'react'
import { LabPlayer } from '#islands/narration/lab-player'
import { SideBySide } from '#islands/narration/side-by-side'
import { type Spoken, speak } from '#islands/narration/speak'
import { useEstimate } from '#islands/narration/use-estimate'
import { emit } from '#islands/runtime/events'
import { useSubmit } from '#islands/runtime/use-submit'
import { costWords, providerAndCostWords } from '#src/narration/cost-words'
import { narrators, testCharactersMax } from '#src/narration/rules'
import { joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { choicesOf, Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

const sample =
  'Below them the engine kept its one long note. She told him about the island, about the house with the blue gutters, about the aunt who had left it to her with a list of instructions and no key. “And you still went?” he asked. She laughed. “Of course I went.”'

/** The voice lab: plays a paragraph in one voice, or in several side by side. */
export default function VoiceLab() {
  const [text, setText] = useState(sample)
  const [voice, setVoice] = useState('rachel')
  const [spoken, setSpoken] = useState<Spoken | null>(null)
  const { isBusy, problem, setProblem, submit } = useSubmit({
    title: 'Audio generation failed',
    otherwise: 'Failed to generate audio',
  })
  const [estimate] = useEstimate(text, [voice])

  const generate = () => {
    if (text.trim()) return void submit(async () => setSpoken(await speak(text, voice)))
    setProblem({ field: 'text', message: 'No text provided' })
    emit('nocturne:toast', { kind: 'bad', title: 'No text provided' })
  }

  return (
    <>
      <div className="split split-main">
        <section className="panel stack" aria-labelledby="lab">
          <h2 id="lab">Test text</h2>
          <TextArea
            label="Text"
            maxLength={testCharactersMax}
            value={text}
            error={problem?.message}
            hint="A text without marks is enhanced first."
            onChange={(event) => {
              setText(event.target.value)
              setProblem(null)
            }}
          />
          <Select
            label="Voice"
            choices={choicesOf(narrators)}
            value={voice}
            onChange={(event) => setVoice(event.target.value)}
          />
          <div className="btn-row">
            <Button kind="primary" isBusy={isBusy} onClick={generate}>
              <Icon name="i-lucide-sm-audio-lines" />
              {isBusy ? 'Generating...' : 'Generate Enhanced Audio'}
            </Button>
            {estimate && (
              <span className="meta num">
                {joinFacts(pluralize(estimate.characters, 'character'), costWords(estimate.costUsd))}
              </span>
            )}
          </div>
        </section>
        <section className="panel stack" aria-labelledby="lab-result">
          <h2 id="lab-result">Result</h2>
          {spoken ? (
            <>
              <div className="row-words" role="status">
                <b>{spoken.narrator}</b>
                <span className="meta">{providerAndCostWords(spoken)}</span>
              </div>
              <LabPlayer key={spoken.url} name={spoken.narrator} src={spoken.url} />
            </>
          ) : (
            <Notice>Nothing generated yet.</Notice>
          )}
        </section>
      </div>
      <SideBySide text={text} />
    </>
  )
}
