import ScriptEditor from '#islands/narration/script-editor'
import { spokenWords } from '#src/narration/cost-words'
import { splitSentences } from '#src/script/format/split-sentences'
import { plainMarks } from '#src/script/rules'
import { markClasses, PauseLabel } from '#src/script/script-text'
import { pluralize } from '#src/text/pluralize'
import { Badge } from '#src/ui/badge'
import { clock } from '#src/ui/clock'
import { Island } from '#src/ui/island'
import { LocalTime } from '#src/ui/local-time'
import { sizeWords } from '#src/ui/size-words'
import { listParagraphs } from '#src/ui/story-text'
import { urls } from '#src/urls'
import type { CurrentNarration } from './studio-queries'

/** The author's text beside its script. */
export function Sides({ storyId, text, script }: { storyId: string; text: string; script: string }) {
  const paragraphs = listParagraphs(text)
  const words = text.split(/\s+/).filter(Boolean).length
  const sentences = paragraphs.reduce((sum, each) => sum + splitSentences(each.text).length, 0)
  return (
    <>
      <div className="studio section-next">
        <section aria-labelledby="before">
          <div className="panel-head">
            <h2 id="before">Text</h2>
            <span className="meta num">
              {pluralize(words, 'word')} · {pluralize(sentences, 'sentence')}
            </span>
          </div>
          <div className="script" dir="auto">
            {paragraphs.map(({ text: paragraph, at }) => (
              <p key={at}>{paragraph}</p>
            ))}
          </div>
        </section>
        <Island name="script-editor" of={ScriptEditor} props={{ storyId, script }} />
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

/** The current narrations, by voice. */
export function Narrations({ storyId, narrations }: { storyId: string; narrations: CurrentNarration[] }) {
  return (
    <section className="section section-next panel stack" aria-labelledby="sound">
      <h2 id="sound">Narration</h2>
      {narrations.length === 0 && <p className="lead">Nobody has spoken it yet.</p>}
      {narrations.map((each) => (
        <div key={each.voice} className="stack-sm">
          <div className="btn-row">
            <Badge kind="soft">{each.narrator ?? each.voice}</Badge>
            <span className="meta num">
              {each.provider === 'upload'
                ? 'uploaded'
                : spokenWords({ provider: each.provider, costUsd: each.costUsd ?? 0 })}
              {` · ${clock(each.durationSeconds)} · ${sizeWords(each.sizeBytes)} · `}
              <LocalTime at={each.createdAt} />
            </span>
          </div>
          {/* biome-ignore lint/a11y/useMediaCaption: its text stands above */}
          <audio
            controls
            preload="none"
            src={urls.premiumAudio(storyId, each.voice)}
            aria-label={`Narration, ${each.voice}`}
          />
        </div>
      ))}
    </section>
  )
}
