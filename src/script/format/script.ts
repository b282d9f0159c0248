import { type Emotion, emotions, type PlainMark } from '#src/script/rules'

/**
 * A text with instructions for a voice, independent of the provider. `text` nodes are the author's text, word for word;
 * the other nodes are between them (`pause`) or around them. Browser-safe.
 */
export type ScriptNode =
  | { kind: 'text'; text: string }
  | { kind: 'pause'; seconds: number }
  | { kind: PlainMark; children: Script }
  | { kind: 'emotion'; emotion: Emotion; children: Script }
  | { kind: 'speaker'; name: string; children: Script }
export type Script = readonly ScriptNode[]

/** The author's text: the script without its marks. */
export function stripScript(script: Script): string {
  const parts: string[] = []
  const collect = (nodes: Script) => {
    for (const node of nodes) {
      if (node.kind === 'text') parts.push(node.text)
      else if (node.kind !== 'pause') collect(node.children)
    }
  }
  collect(script)
  return parts.join('')
}

/** The style of a stretch of text. */
export type Style = {
  emphasis: boolean
  whisper: boolean
  slower: boolean
  softer: boolean
  emotion: Emotion | null
  speaker: string | null
}
const plainStyle: Style = {
  emphasis: false,
  whisper: false,
  slower: false,
  softer: false,
  emotion: null,
  speaker: null,
}

/** A part of a flattened script. `at` is its position in the author's text, in UTF-16 units. */
export type Span = { at: number; text: string; style: Style } | { at: number; pauseSeconds: number }

/** Flattens a script to a list in the order of the text. Inner marks override outer ones. */
export function flattenScript(script: Script): Span[] {
  const spans: Span[] = []
  let at = 0
  const walk = (nodes: Script, style: Style) => {
    for (const node of nodes) {
      if (node.kind === 'pause') spans.push({ at, pauseSeconds: node.seconds })
      else if (node.kind === 'text') {
        spans.push({ at, text: node.text, style })
        at += node.text.length
      } else walk(node.children, styleWith(style, node))
    }
  }
  walk(script, plainStyle)
  return spans
}

function styleWith(style: Style, node: Exclude<ScriptNode, { kind: 'text' | 'pause' }>): Style {
  if (node.kind === 'emotion') return { ...style, emotion: node.emotion }
  if (node.kind === 'speaker') return { ...style, speaker: node.name }
  return { ...style, [node.kind]: true }
}

/** Normalises a script: removes empty texts and marks, and joins neighbouring texts. */
export function tidyScript(script: Script): Script {
  const tidy: ScriptNode[] = []
  for (const node of script) {
    const last = tidy.at(-1)
    if (node.kind === 'text') {
      if (node.text === '') continue
      if (last?.kind === 'text') tidy[tidy.length - 1] = { kind: 'text', text: last.text + node.text }
      else tidy.push(node)
    } else if (node.kind === 'pause') tidy.push(node)
    else {
      const children = tidyScript(node.children)
      if (children.length > 0) tidy.push({ ...node, children })
    }
  }
  return tidy
}

export function isEmotion(name: string): name is Emotion {
  return emotions.some((each) => each === name)
}
