import type { Script, ScriptNode } from './script'

/**
 * The text form of a script, for people: `She said, [whisper]come in.[/whisper] [pause 1.5s]`. A bracket or
 * backslash of the author's has a backslash before it. `parseScript` reads it back as it was.
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

/** An author's text as it stands in a script. */
function escapeText(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&')
}
