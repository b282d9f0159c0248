import { createTimeSlicer } from '#src/process/time-slice'
import { paragraphsOf, sceneBreak } from '#src/script/format/paragraphs'
import { type Script, type ScriptNode, tidyScript } from '#src/script/format/script'
import { type Sentence, splitSentences } from '#src/script/format/split-sentences'
import type { ItemType } from '#src/story/rules'
import type { Emotion, PlainMark } from './rules'

/**
 * Marks a text for a voice without a model: by its punctuation, its dialogue and the shape of its paragraphs. Without
 * the marks it is the same text. Stories are read; flows leave time to follow the instructions. Yields to other
 * requests: a book takes a third of a second.
 */
export async function enhanceText(text: string, type: ItemType): Promise<Script> {
  const pause = createTimeSlicer()
  const nodes: ScriptNode[] = []
  const paragraphs = [...paragraphsOf(text)]
  let at = 0
  for (const [index, { paragraph, at: from }] of paragraphs.entries()) {
    await pause()
    nodes.push({ kind: 'text', text: text.slice(at, from) })
    at = from + paragraph.length
    if (sceneBreak.test(paragraph))
      nodes.push({ kind: 'text', text: paragraph }, { kind: 'pause', seconds: sceneSeconds })
    else nodes.push(...enhanceParagraph(paragraph, type, { isLast: index === paragraphs.length - 1 }))
  }
  nodes.push({ kind: 'text', text: text.slice(at) })
  return tidyScript(nodes)
}

const sceneSeconds = 2
/** A paragraph with no more words than this was set apart on purpose. */
const briefWordsMax = 5
/** Pause after a flow's instruction, since following it takes longer than hearing it. */
const breathSeconds = 3.5

function enhanceParagraph(paragraph: string, type: ItemType, { isLast }: { isLast: boolean }): ScriptNode[] {
  const sentences = splitSentences(paragraph)
  const nodes: ScriptNode[] = []
  let at = 0
  for (const [index, sentence] of sentences.entries()) {
    nodes.push({ kind: 'text', text: paragraph.slice(at, sentence.at) })
    const whole = paragraph.slice(sentence.at, sentence.at + sentence.text.length)
    at = sentence.at + whole.length
    const inside = enhanceSentence(whole)
    const isEnding = isLast && index === sentences.length - 1 && sentences.length > 1
    const marks = marksOf(sentence, type, { isBrief: isBrief(sentences), isEnding })
    nodes.push(...wrap(inside, marks))
    if (type === 'flow' && asksForBreath.test(whole)) nodes.push({ kind: 'pause', seconds: breathSeconds })
  }
  nodes.push({ kind: 'text', text: paragraph.slice(at) })
  return nodes
}

const asksForBreath =
  /^(?:now |and |then |slowly,? |gently,? |let yourself )*(?:breathe|inhale|exhale|hold|relax|soften|release|let go|rest|notice)\b/i

function isBrief(sentences: readonly Sentence[]): boolean {
  const [only] = sentences
  return sentences.length === 1 && only !== undefined && only.text.split(/\s+/).length <= briefWordsMax
}

function marksOf(
  { text }: Sentence,
  type: ItemType,
  { isBrief, isEnding }: { isBrief: boolean; isEnding: boolean },
): PlainMark[] {
  const isSpoken = /["“”]/.test(text)
  const marks: PlainMark[] = []
  if (isEnding || (isBrief && !isSpoken) || (type === 'flow' && asksForBreath.test(text)))
    marks.push('slower')
  if (isEnding && type === 'flow') marks.push('softer')
  return marks
}

/** A range with its own style, from `at` to `end`. The text around it stays plain. */
type Stretch = { at: number; end: number; node: (children: Script) => ScriptNode }
type Cut = Stretch | { at: number; end: number; seconds: number }

/** Marks dialogue with the style of its tag, stressed words, and pauses at an ellipsis or a dash. */
function enhanceSentence(sentence: string): ScriptNode[] {
  const cuts = withoutOverlaps([...speech(sentence), ...stressed(sentence), ...hesitations(sentence)])
  const nodes: ScriptNode[] = []
  let at = 0
  for (const cut of cuts) {
    nodes.push({ kind: 'text', text: sentence.slice(at, cut.at) })
    if ('seconds' in cut) nodes.push({ kind: 'pause', seconds: cut.seconds })
    else nodes.push(cut.node([{ kind: 'text', text: sentence.slice(cut.at, cut.end) }]))
    at = cut.end
  }
  nodes.push({ kind: 'text', text: sentence.slice(at) })
  return nodes
}

function withoutOverlaps(cuts: Cut[]): Cut[] {
  const chosen: Cut[] = []
  for (const cut of cuts.toSorted((a, b) => a.at - b.at || b.end - a.end)) {
    if (cut.at >= (chosen.at(-1)?.end ?? 0)) chosen.push(cut)
  }
  return chosen
}

const quoted = /“[^“”]+”|"[^"]+"/g

/** Gives quoted text the style of the words around it: “Come in,” she whispered. */
function speech(sentence: string): Stretch[] {
  const narration = sentence.replace(quoted, ' ')
  const wrapIn = styleOf(narration)
  if (!wrapIn) return []
  return [...sentence.matchAll(quoted)].map(({ 0: words, index }) => ({
    at: index,
    end: index + words.length,
    node: wrapIn,
  }))
}

const whispers = /\b(?:whisper(?:s|ed|ing)?|breathed|under (?:her|his|their) breath)\b/i
const softly = /\b(?:murmur(?:s|ed|ing)?|softly|quietly|gently|in a low voice|low voice|sigh(?:s|ed|ing)?)\b/i
const feelings: readonly (readonly [RegExp, Emotion])[] = [
  [/\b(?:laugh(?:s|ed|ing)?|teas(?:es|ed|ing)|grinn(?:ed|ing)|giggl(?:es|ed|ing)|smirked)\b/i, 'playful'],
  [/\b(?:smil(?:es|ed|ing)|warmly|kindly)\b/i, 'warm'],
  [/\b(?:tenderly|lovingly)\b/i, 'tender'],
  [/\b(?:stammer(?:s|ed|ing)?|nervously|hesitat(?:es|ed|ing))\b/i, 'nervous'],
  [/\b(?:exclaimed|cried out|excitedly|breathlessly)\b/i, 'excited'],
  [/\b(?:sobb(?:ed|ing)|sadly|wept)\b/i, 'sad'],
]

function styleOf(narration: string): Stretch['node'] | null {
  if (whispers.test(narration)) return (children) => ({ kind: 'whisper', children })
  if (softly.test(narration)) return (children) => ({ kind: 'softer', children })
  const emotion = feelings.find(([words]) => words.test(narration))?.[1]
  return emotion ? (children) => ({ kind: 'emotion', emotion, children }) : null
}

/** Finds *this* and _this_, which is how authors mark stress. */
function stressed(sentence: string): Stretch[] {
  const found = sentence.matchAll(
    /(?<![\p{L}\p{N}*_])([*_]{1,2})(?=\S)[^*_]{1,80}?(?<=\S)\1(?![\p{L}\p{N}*_])/gu,
  )
  return [...found].map(({ 0: words, index }) => ({
    at: index,
    end: index + words.length,
    node: (children) => ({ kind: 'emphasis', children }),
  }))
}

/** Finds the pauses at “…” and “ — ” within a sentence. */
function hesitations(sentence: string): Cut[] {
  const found = sentence.matchAll(/(?:…|\.{3}|\s[—–])(?=\s+\S)/g)
  return [...found].map(({ 0: sign, index }) => {
    const at = index + sign.length
    return { at, end: at, seconds: /[—–]/.test(sign) ? 0.25 : 0.5 }
  })
}

function wrap(children: Script, marks: readonly PlainMark[]): Script {
  return marks.reduce<Script>((inside, kind) => [{ kind, children: inside }], children)
}
