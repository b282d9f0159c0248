import type { Script, ScriptNode } from './script'

/**
 * The text form of a script, for people: `She said, [whisper]come in.[/whisper] [pause 1.5s]`. A bracket or backslash
 * in the author's text is escaped by a backslash. `parseScript` restores the same script.
 */
export function printScript(script: Script): string {
  return script.map(printNode).join('')
}

function printNode(node: ScriptNode): string {
  switch (node.kind) {
    case 'text':
      return escapeText(node.text)
    case 'pause':
      return `[pause ${node.seconds}s]`
    case 'emotion':
      return `[emotion ${node.emotion}]${printScript(node.children)}[/emotion]`
    case 'speaker':
      return `[speaker ${node.name}]${printScript(node.children)}[/speaker]`
    default:
      return `[${node.kind}]${printScript(node.children)}[/${node.kind}]`
  }
}

/** Escapes an author's text for a script. */
function escapeText(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&')
}
