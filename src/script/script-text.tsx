import { Fragment } from 'react'
import { flattenScript, type Script, type Span, type Style } from '#src/script/format/script'
import { Icon } from '#src/ui/icon'

/** A script for operators to read: the author's text, with its marks as styles and small labels. Browser-safe. */
export function ScriptText({ script }: { script: Script }) {
  return paragraphsOf(flattenScript(script)).map((spans, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other name, and are shown all anew
    <p key={at}>
      {spans.map((span, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Fragment key={place}>
          <StyleLabel span={span} before={spans[place - 1]} />
        </Fragment>
      ))}
    </p>
  ))
}

/** The styles of the marks, for the legend beside the script. */
export const markClasses = { softer: 'soft', slower: 'slow', whisper: 'whisper', emphasis: 'stress' } as const

export function PauseLabel({ seconds }: { seconds: number }) {
  return (
    <span className="say">
      <Icon name="i-lucide-sm-pause" />
      <span className="visually-hidden">Pause of </span>
      {seconds} s
    </span>
  )
}

function StyleLabel({ span, before }: { span: Span; before: Span | undefined }) {
  if ('pauseSeconds' in span) return <PauseLabel seconds={span.pauseSeconds} />
  const last = before && 'style' in before ? before.style : null
  const labels = labelsOf(span.style).filter((label) => !last || !labelsOf(last).includes(label))
  const look = classesOf(span.style)
  return (
    <>
      {labels.map((label) => (
        <span key={label} className="say">
          {label}
        </span>
      ))}
      {look ? <span className={look}>{span.text}</span> : span.text}
    </>
  )
}

/** The labels of a style. They are shown where the style begins. */
function labelsOf({ emotion, speaker, whisper, softer, slower }: Style): string[] {
  return [speaker, emotion, whisper && 'whisper', softer && 'softer', slower && 'slower'].filter(
    (label) => typeof label === 'string',
  )
}

function classesOf(style: Style): string {
  return (['softer', 'slower', 'whisper', 'emphasis'] as const)
    .flatMap((mark) => (style[mark] ? [markClasses[mark]] : []))
    .join(' ')
}

/** Groups spans by the paragraphs of the text, which end at an empty line. */
function paragraphsOf(spans: readonly Span[]): Span[][] {
  const paragraphs: Span[][] = [[]]
  for (const span of spans) {
    if ('pauseSeconds' in span) {
      paragraphs.at(-1)?.push(span)
      continue
    }
    const [first = '', ...others] = span.text.split(/\n\s*\n/)
    if (first) paragraphs.at(-1)?.push({ ...span, text: first })
    for (const text of others) paragraphs.push(text ? [{ ...span, text }] : [])
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0)
}
