import { emotions, marksDepthMax, pauseSecondsMax, plainMarks, speakerCharactersMax } from '#src/script/rules'
import { isEmotion, type Script, type ScriptNode, tidyScript } from './script'

/** A mistake in a script. Lines and columns count from 1. */
export type ScriptProblem = { line: number; column: number; message: string }
export type ParsedScript = { script: Script; problem: null } | { script: null; problem: ScriptProblem }

/**
 * Parses the text form of a script. The first mistake is returned with its line and column, and a message for
 * operators. Time and memory grow linearly with the length.
 */
export function parseScript(source: string): ParsedScript {
  const text = source.replace(/\r\n?/g, '\n')
  const root: Open = { mark: null, name: '', at: 0, children: [] }
  const open: Open[] = [root]
  const fail = (at: number, message: string): ParsedScript => ({
    script: null,
    problem: { ...placeOf(text, at), message },
  })
  for (const token of tokensOf(text)) {
    const inner = open.at(-1) ?? root
    if (token.kind === 'text') {
      inner.children.push({ kind: 'text', text: token.text })
    } else if (token.kind === 'stray') {
      return fail(token.at, strayMessage(token.sign))
    } else if (token.isClosing) {
      if (inner === root)
        return fail(token.at, `[/${token.word}] closes a mark that is not open. Take it out.`)
      if (inner.name !== token.word) {
        return fail(token.at, `[/${token.word}] stands where [/${inner.name}] should close first.`)
      }
      open.pop()
      if (inner.mark) open.at(-1)?.children.push({ ...inner.mark, children: inner.children })
    } else {
      const mark = readMark(token.word, token.value)
      if (typeof mark === 'string') return fail(token.at, mark)
      if (mark.kind === 'pause') inner.children.push(mark)
      else {
        if (open.length > marksDepthMax)
          return fail(token.at, `More than ${marksDepthMax} marks are open here. Close some.`)
        open.push({ mark, name: mark.kind, at: token.at, children: [] })
      }
    }
  }
  const left = open.at(-1)
  if (left && left !== root) return fail(left.at, `[${left.name}] is never closed. Add [/${left.name}].`)
  return { script: tidyScript(root.children), problem: null }
}

/** "Line 3, column 14: [whisper] is never closed. Add [/whisper]." */
export function problemText({ line, column, message }: ScriptProblem): string {
  return `Line ${line}, column ${column}: ${message}`
}

/** Line and column of a position in a text, counted from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 }
}

type Mark =
  Exclude<ScriptNode, { kind: 'text' }> extends infer Node
    ? Node extends { children: Script }
      ? Omit<Node, 'children'>
      : never
    : never
type Open = { mark: Mark | null; name: string; at: number; children: ScriptNode[] }
type Token =
  | { kind: 'text'; at: number; text: string }
  | { kind: 'mark'; at: number; isClosing: boolean; word: string; value: string }
  | { kind: 'stray'; at: number; sign: string }

/** Matches an escaped sign, a mark, a lone bracket, or text up to the next of these. */
const pattern = /\\([\\[\]])|\[(\/?)([a-z]+)(?:[ \t]([^[\]\n\\]*))?\]|([[\]])|([^\\[\]]+|\\)/gi

function* tokensOf(text: string): Generator<Token> {
  for (const match of text.matchAll(pattern)) {
    const [, escaped, slash, word, value, stray, plain] = match
    const at = match.index
    if (word !== undefined)
      yield {
        kind: 'mark',
        at,
        isClosing: slash === '/',
        word: word.toLowerCase(),
        value: value?.trim() ?? '',
      }
    else if (stray !== undefined) yield { kind: 'stray', at, sign: stray }
    else yield { kind: 'text', at, text: escaped ?? plain ?? '' }
  }
}

function strayMessage(sign: string): string {
  return `This ${sign} belongs to no mark. Write \\${sign} where the text has a bracket; marks look like [whisper]…[/whisper] and [pause 1.5s].`
}

/** The mark of an opening tag, or the message about a mistake in the tag. */
function readMark(word: string, value: string): Mark | { kind: 'pause'; seconds: number } | string {
  const plain = plainMarks.find((each) => each === word)
  if (plain) return value === '' ? { kind: plain } : `[${word}] takes no value. Write [${word}].`
  if (word === 'pause') return readPause(value)
  if (word === 'emotion') {
    const emotion = value.toLowerCase()
    if (isEmotion(emotion)) return { kind: 'emotion', emotion }
    return `[emotion] takes one of: ${emotions.join(', ')}. For example [emotion tender].`
  }
  if (word === 'speaker') {
    if (value && [...value].length <= speakerCharactersMax) return { kind: 'speaker', name: value }
    return `[speaker] takes a name of 1 to ${speakerCharactersMax} characters. For example [speaker Mara].`
  }
  return `There is no mark [${word}]. Marks are: pause, ${plainMarks.join(', ')}, emotion, speaker. Write \\[ where the text has a bracket.`
}

function readPause(value: string): { kind: 'pause'; seconds: number } | string {
  const [, digits = '', unit] = /^(\d+(?:\.\d{1,3})?)\s*(ms|s)?$/.exec(value) ?? []
  const seconds = Number(digits) / (unit === 'ms' ? 1_000 : 1)
  if (digits && seconds > 0 && seconds <= pauseSecondsMax)
    return { kind: 'pause', seconds: Math.round(seconds * 1_000) / 1_000 }
  return `[pause] takes more than 0 and at most ${pauseSecondsMax} seconds. For example [pause 1.5s].`
}
