import { AudioLines } from 'lucide-react'
import { useState } from 'react'
import { emit } from '#islands/events'
import { LabPlayer } from '#islands/lab-player'
import { failureWords } from '#islands/operator-call'
import { SideBySide } from '#islands/side-by-side'
import { type Spoken, speak } from '#islands/speak'
import { useEstimate } from '#islands/use-estimate'
import { costWords, spokenWords } from '#src/narration/cost-words'
import { narrators, testCharactersMax } from '#src/narration/rules'
import { Button } from '#src/ui/button'
import { Icon } from '#src/ui/icon'
import { Notice } from '#src/ui/notice'
import { Select } from '#src/ui/select'
import { TextArea } from '#src/ui/text-area'

const sample =
  'Below them the engine kept its one long note. She told him about the island, about the house with the blue gutters, about the aunt who had left it to her with a list of instructions and no key. “And you still went?” he asked. She laughed. “Of course I went.”'

/** The voice lab (operator.md §2): a paragraph heard in one voice, or in several side by side. */
export default function VoiceLab() {
  const [text, setText] = useState(sample)
  const [voice, setVoice] = useState('rachel')
  const [spoken, setSpoken] = useState<Spoken | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const [estimate] = useEstimate(text, [voice])

  const fail = (title: string, description?: string) => {
    setProblem(description ?? title)
    emit('nocturne:toast', { kind: 'bad', title, description })
  }
  const generate = async () => {
    if (!text.trim()) return fail('No text provided')
    setBusy(true)
    setProblem(undefined)
    try {
      setSpoken(await speak(text, voice))
    } catch (error) {
      fail('Audio generation failed', failureWords(error, 'Failed to generate audio'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <p className="lead">Hear one paragraph in several voices before you spend anything on a whole story.</p>
      <div className="split split-main section">
        <section className="panel stack" aria-labelledby="lab">
          <h2 id="lab">Test text</h2>
          <TextArea
            label="Text"
            maxLength={testCharactersMax}
            value={text}
            error={problem}
            hint="A text without marks is enhanced first."
            onChange={(event) => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
          <Select
            label="Voice"
            choices={narrators}
            value={voice}
            onChange={(event) => setVoice(event.target.value)}
          />
          <div className="btn-row">
            <Button kind="primary" disabled={isBusy} onClick={() => void generate()}>
              <Icon of={AudioLines} size="sm" />
              {isBusy ? 'Generating...' : 'Generate Enhanced Audio'}
            </Button>
            {estimate && (
              <span className="meta num">
                {estimate.characters.toLocaleString('en')} characters · {costWords(estimate.costUsd)}
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
                <span className="meta">{spokenWords(spoken)}</span>
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
