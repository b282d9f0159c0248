import { describe, expect, test } from 'bun:test'
import { enhanceText } from '#src/script/enhance'
import { scriptOfPieces } from '#src/script/model-output'
import { emotions, plainMarks } from '#src/script/rules'
import { fc } from '#src/testing/properties'
import { departureText, fitScript } from './fit-script'
import { parseScript, problemText } from './parse-script'
import { printScript } from './print-script'
import { flattenScript, type Script, type ScriptNode, stripScript, tidyScript } from './script'

/** Text with everything that could be mistaken for a mark. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(
      fc.constantFrom('[', ']', '\\', '[/whisper]', '[pause 1s]', ' ', '\n', 'word', '“so”', '…', '*', 'ليل'),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
)
const normal = (text: string) => text.replace(/\r\n?/g, '\n')

const { nodes: anyScript } = fc.letrec<{ nodes: Script; node: ScriptNode }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 5 }),
  node: fc.oneof(
    { maxDepth: 4 },
    anyText.map((text) => ({ kind: 'text' as const, text: normal(text) })),
    fc.integer({ min: 1, max: 30_000 }).map((ms) => ({ kind: 'pause' as const, seconds: ms / 1_000 })),
    fc.record({ kind: fc.constantFrom(...plainMarks), children: tie('nodes') }),
    fc.record({
      kind: fc.constant('emotion' as const),
      emotion: fc.constantFrom(...emotions),
      children: tie('nodes'),
    }),
    fc.record({
      kind: fc.constant('speaker' as const),
      name: fc.constantFrom('Mara', 'The ferryman', 'Señor O’Neil'),
      children: tie('nodes'),
    }),
  ),
}))

const parsed = (source: string): Script => {
  const { script, problem } = parseScript(source)
  if (!script) throw new Error(problemText(problem))
  return script
}
const complaint = (source: string) => {
  const { problem } = parseScript(source)
  return problem ? problemText(problem) : null
}

describe('script text format', () => {
  test('round-trips any script through printing and parsing', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        expect(parsed(printScript(script))).toEqual(tidyScript(script))
      }),
      { numRuns: 500 },
    )
  })

  test('parses any text or reports a problem with line and column', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const { script, problem } = parseScript(source)
        if (script) expect(parsed(printScript(script))).toEqual(script)
        else expect(problem.line >= 1 && problem.column >= 1 && problem.message.length > 0).toBe(true)
      }),
    )
  })

  test('parses marks, pauses and speakers as people write them', () => {
    expect(
      parsed(
        'She said, [Whisper]come [emphasis]in[/emphasis].[/whisper][pause 1.5s] [speaker Mara]“No \\[yet\\]”[/speaker]',
      ),
    ).toEqual([
      { kind: 'text', text: 'She said, ' },
      {
        kind: 'whisper',
        children: [
          { kind: 'text', text: 'come ' },
          { kind: 'emphasis', children: [{ kind: 'text', text: 'in' }] },
          { kind: 'text', text: '.' },
        ],
      },
      { kind: 'pause', seconds: 1.5 },
      { kind: 'text', text: ' ' },
      { kind: 'speaker', name: 'Mara', children: [{ kind: 'text', text: '“No [yet]”' }] },
    ])
    expect(parsed('[pause 500ms][pause 2]')).toEqual([
      { kind: 'pause', seconds: 0.5 },
      { kind: 'pause', seconds: 2 },
    ])
  })

  test('reports a mistake with its line and column', () => {
    expect(complaint('One.\n🙂 [whisper]Two.')).toBe(
      'Line 2, column 3: [whisper] is never closed. Add [/whisper].',
    )
    expect(complaint('[slower]a[softer]b[/slower]')).toBe(
      'Line 1, column 19: [/slower] stands where [/softer] should close first.',
    )
    expect(complaint('a[/slower]')).toContain('column 2: [/slower] closes a mark that is not open')
    expect(complaint('[pause]')).toContain('[pause] takes more than 0 and at most 30 seconds')
    expect(complaint('[pause 31s]')).toContain('at most 30 seconds')
    expect(complaint('[emotion angry]a[/emotion]')).toContain('[emotion] takes one of: tender, warm')
    expect(complaint('[shout]a[/shout]')).toContain('There is no mark [shout]')
    expect(complaint('[speaker]a[/speaker]')).toContain('[speaker] takes a name')
    expect(complaint('a [ b')).toContain('Write \\[ where the text has a bracket')
    expect(complaint('[slower]'.repeat(9))).toContain('More than 8 marks are open')
  })
})

describe('script and the author’s text', () => {
  test('spans carry the offsets of their text', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const text = stripScript(script)
        for (const span of flattenScript(script)) {
          if ('text' in span) expect(text.slice(span.at, span.at + span.text.length)).toBe(span.text)
        }
      }),
    )
  })

  test('fitting keeps the author’s white space, whatever an editor or a model did to it', () => {
    const text = '  The boat\n\nleft at ten.  “Cold?”\n'
    const { script } = fitScript(parsed('The boat left [slower]at ten.[/slower][pause 1s] “Cold?”'), text)
    expect(script && stripScript(script)).toBe(text)
    expect(script && printScript(script)).toBe(
      '  The boat\n\nleft [slower]at ten.[/slower][pause 1s]  “Cold?”\n',
    )
  })

  test('fitting restores white space lost or added anywhere', () => {
    fc.assert(
      fc.property(anyScript, anyText, (script, more) => {
        const text = `${stripScript(script)}${more}`
        const loose = [...script, { kind: 'text' as const, text: more }].map((node) =>
          node.kind === 'text' ? { kind: 'text' as const, text: ` ${node.text.replace(/\s+/g, '')}` } : node,
        )
        const fitted = fitScript(loose, text)
        expect(fitted.script && stripScript(fitted.script)).toBe(text)
      }),
    )
  })

  test('fitting reports a changed, lost or added word with its position', () => {
    const text = 'The harbour\nwas dark.'
    const problemOf = (source: string) => {
      const { departure } = fitScript(parsed(source), text)
      return departure ? departureText(departure) : null
    }
    expect(problemOf('The [slower]harbor[/slower]\nwas dark.')).toBe(
      "Line 1, column 5: the author's text has “harbour”, the script “harbor”. Only marks may be added.",
    )
    expect(problemOf('The harbour\nwas')).toContain('has “dark.”, the script nothing more')
    expect(problemOf('The harbour\nwas dark. Amen')).toContain('has nothing more, the script “Amen”')
    expect(problemOf('The harbour was [whisper]dark.[/whisper]')).toBeNull()
  })

  test('a model’s pieces become a script with pauses and speaker names made valid', () => {
    const script = scriptOfPieces({
      pieces: [
        {
          text: 'The boat left.',
          marks: ['slower', 'whisper'],
          emotion: null,
          speaker: null,
          pauseSecondsAfter: 90,
        },
        { text: '“Cold?”', marks: [], emotion: 'tender', speaker: ' Ma[ra] ', pauseSecondsAfter: 0 },
      ],
    })
    expect(parsed(printScript(script))).toEqual(script)
    const fitted = fitScript(script, 'The boat left. “Cold?”')
    expect(fitted.script && printScript(fitted.script)).toBe(
      '[slower][whisper]The boat left.[/whisper][/slower][pause 30s][speaker Ma ra][emotion tender] “Cold?”[/emotion][/speaker]',
    )
  })
})

describe('built-in enhancer', () => {
  const enhanced = async (text: string, type: 'story' | 'flow' = 'story') =>
    printScript(await enhanceText(text, type))

  test('changes no word of any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom('story' as const, 'flow' as const), async (text, type) => {
        const script = await enhanceText(text, type)
        expect(stripScript(script)).toBe(text)
        expect(parsed(printScript(script))).toEqual(
          tidyScript(
            script.map((node) => (node.kind === 'text' ? { ...node, text: normal(node.text) } : node)),
          ),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('marks speech by its verb, such as “whispered” and “laughed”', async () => {
    expect(await enhanced('“Come in,” she whispered. “It is late.” “Is it?” he laughed.')).toBe(
      '[whisper]“Come in,”[/whisper] she whispered. “It is late.” [emotion playful]“Is it?”[/emotion] [slower]he laughed.[/slower]'.replace(
        '“It is late.” [emotion playful]“Is it?”[/emotion] [slower]he laughed.[/slower]',
        '“It is late.” [slower][emotion playful]“Is it?”[/emotion] he laughed.[/slower]',
      ),
    )
  })

  test('adds emphasis at asterisks, and pauses at ellipses and dashes', async () => {
    expect(await enhanced('She was *very* sure … almost. It was 5 * 3 * 2. He — well — knew.')).toBe(
      'She was [emphasis]*very*[/emphasis] sure …[pause 0.5s] almost. It was 5 * 3 * 2. [slower]He —[pause 0.25s] well —[pause 0.25s] knew.[/slower]',
    )
  })

  test('slows lone lines, and pauses after scene breaks and breaths', async () => {
    expect(
      await enhanced(
        'The sea rose and fell all night long.\n\nNobody slept.\n\n***\n\nMorning came. It was late.',
      ),
    ).toBe(
      'The sea rose and fell all night long.\n\n[slower]Nobody slept.[/slower]\n\n***[pause 2s]\n\nMorning came. [slower]It was late.[/slower]',
    )
    expect(await enhanced('Lie down.\n\nBreathe out slowly through your mouth. Thank you all.', 'flow')).toBe(
      '[slower]Lie down.[/slower]\n\n[slower]Breathe out slowly through your mouth.[/slower][pause 3.5s] [softer][slower]Thank you all.[/slower][/softer]',
    )
  })

  test('keeps every word of a whole book', async () => {
    const book = '“It is late,” she murmured, and the *lamp* went out … The boat left — at ten.\n\n'.repeat(
      6_000,
    )
    expect(stripScript(await enhanceText(book, 'story'))).toBe(book)
  })
})
