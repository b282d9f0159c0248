import type { ReactNode } from 'react'
import ScriptEditor from '#islands/narration/script-editor'
import TextEditor from '#islands/narration/text-editor'
import { consoleUrls } from '#src/console-urls'
import { providerAndCostWords } from '#src/narration/cost-words'
import { unspokenWords } from '#src/narration/unspoken-words'
import type { ItemText } from '#src/script/queries'
import { plainMarks } from '#src/script/rules'
import { markClasses, PauseLabel } from '#src/script/script-text'
import { countWords } from '#src/story/rules'
import { dot, joinFacts } from '#src/text/join-facts'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { Button } from '#src/ui/button'
import { clock } from '#src/ui/clock'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import { Notice } from '#src/ui/notice'
import { sizeWords } from '#src/ui/size-words'
import { listParagraphs } from '#src/ui/story-text'
import { urls } from '#src/urls'
import type { ListedNarration } from './earlier-narrations'
import type { Unspoken } from './unspoken'

/** Sentences quoted in the notice. The text shows the rest. */
const shownSentencesMax = 5

/** A notice for each recording of an earlier text, with the sentences that have to be spoken again. */
export function UnspokenNotices({ unspoken }: { unspoken: readonly Unspoken[] }) {
  return unspoken.map(({ voice, sentences, total }) => (
    <Notice key={voice} kind="warn">
      {unspokenWords({ voice, count: sentences.length, total })}{' '}
      {sentences.slice(0, shownSentencesMax).map((sentence) => (
        <q key={sentence} className="serif" dir="auto">
          {sentence}{' '}
        </q>
      ))}
      {sentences.length > shownSentencesMax && '…'}
    </Notice>
  ))
}

/** `updatedAt` is the script's version, null if none is stored. `sentences` is the number of sentences in the text. */
export type SidesProps = { story: ItemText; sentences: number; script: string; updatedAt: string | null }

/** The author's text beside its script. A member's text cannot be corrected here. */
export function Sides({ story, sentences, script, updatedAt }: SidesProps) {
  const { id: storyId, content, source } = story
  const count = joinFacts(pluralize(countWords(content), 'word'), pluralize(sentences, 'sentence'))
  return (
    <>
      <nav className="segment studio-parts section-next" aria-label="On this page">
        <a href="#before">Text</a>
        <a href="#script">Script</a>
        <a href="#sound">Narration</a>
      </nav>
      <div className="studio section-next">
        <section aria-labelledby="before">
          <Island
            name="text-editor"
            of={TextEditor}
            props={{
              storyId,
              text: content,
              paragraphs: listParagraphs(content),
              count,
              isEditable: source === 'pre_uploaded',
            }}
          />
        </section>
        <Island name="script-editor" of={ScriptEditor} props={{ storyId, script, updatedAt }} />
      </div>
      <MarksKey />
    </>
  )
}

function MarksKey() {
  return (
    <p className="stretch-key legend-row">
      {plainMarks.map((mark) => (
        <span key={mark}>
          <span className={markClasses[mark]}>{mark}</span>
        </span>
      ))}
      <span>
        <PauseLabel seconds={0.8} /> pause
      </span>
      <span>
        <span className="say">tender</span> emotion
      </span>
    </p>
  )
}

type NarrationsProps = { storyId: string; narrations: ListedNarration[]; earlier: ListedNarration[] }

/** The current narrations by voice, followed by earlier ones. */
export function Narrations({ storyId, narrations, earlier }: NarrationsProps) {
  return (
    <section className="section section-next panel stack" aria-labelledby="sound">
      <h2 id="sound">Narration</h2>
      {narrations.length === 0 && <p className="lead">Not narrated yet.</p>}
      {narrations.map((each) => (
        <div key={each.voice} className="stack-sm">
          <NarrationFacts narration={each} />
          <Hear src={urls.premiumAudio(storyId, each.voice)} label={`Narration, ${each.voice}`} />
        </div>
      ))}
      {earlier.length > 0 && (
        <details className="stack-sm">
          <summary>Earlier narrations, not in use ({earlier.length})</summary>
          <div className="stack">
            {earlier.map((each) => (
              <EarlierNarration key={each.id} storyId={storyId} narration={each} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}

/** An earlier narration, which can be played before it is restored. */
function EarlierNarration({ storyId, narration }: { storyId: string; narration: ListedNarration }) {
  const { id, voice, fileName, durationSeconds } = narration
  const name = `${voice}, ${fileName ?? clock(durationSeconds)}`
  return (
    <form className="stack-sm" action={consoleUrls.restoreNarration(storyId)} method="post">
      <input type="hidden" name="id" value={id} />
      <NarrationFacts narration={narration}>
        <Button size="sm" type="submit" aria-label={`Use again: ${name}`}>
          Use again
        </Button>
      </NarrationFacts>
      <Hear src={consoleUrls.narrationAudio(storyId, id)} label={`Earlier narration: ${name}`} />
    </form>
  )
}

function Hear({ src, label }: { src: string; label: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: its text stands above
    <audio controls preload="none" src={src} aria-label={label} />
  )
}

function NarrationFacts({ narration, children }: { narration: ListedNarration; children?: ReactNode }) {
  const { voice, narrator, provider, costUsd, fileName, durationSeconds, sizeBytes, createdAt } = narration
  return (
    <div className="btn-row">
      <Badge kind="soft">{narrator ?? voice}</Badge>
      <span className="meta num" dir="auto">
        {joinFacts(
          provider === 'upload' ? 'uploaded' : providerAndCostWords({ provider, costUsd: costUsd ?? 0 }),
          fileName,
          clock(durationSeconds),
          sizeWords(sizeBytes),
        )}
        {dot}
        <LocalTime at={createdAt} />
      </span>
      {children}
    </div>
  )
}
