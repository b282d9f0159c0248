import { defineCommand } from 'citty'
import { jsonFlag, print, printNote, table } from '#cli/output'
import { readText } from '#cli/read-text'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { costWords } from '#src/narration/cost-words'
import { labNarratorsMax, narrators } from '#src/narration/rules'
import { estimateTest, testAudio } from '#src/narration/voice/test-audio'
import { writeWhole } from '#src/storage/whole-file'
import { voices } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { readList } from '#src/text/tidy-text'

const fileArg = {
  file: { type: 'positional', ...fileNamed('A file with a paragraph, or -'), required: true },
} as const

const test = defineCommand({
  meta: {
    name: 'test',
    description:
      'Narrates a paragraph at once into an MP3. Example: nocturne voices test lamp.txt --voice rachel --out lamp.mp3',
  },
  args: {
    ...fileArg,
    voice: {
      type: 'string',
      ...choiceOf([...voices, ...narrators], `female, male or ${narrators.join(', ')}`),
      default: 'rachel',
    },
    out: { type: 'string', ...fileNamed('The MP3 to write'), default: 'test.mp3' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const text = await readText(args.file)
    await withServices(async (services) => {
      const never = new AbortController().signal
      const { mp3, ...who } = await testAudio(services, { text, voice: args.voice }, operatorName(), never)
      await writeWhole(args.out, [mp3], { access: 'shared' })
      print(args, { file: args.out, bytes: mp3.byteLength, ...who }, () => [args.out])
      printNote(
        `${who.narrator}, spoken by ${who.provider}, ${pluralize(who.characters, 'character')}, ${costWords(who.costUsd)}`,
      )
    })
  },
})

const estimate = defineCommand({
  meta: {
    name: 'estimate',
    description:
      'Shows what a paragraph would cost in several voices; nothing is spent. Example: nocturne voices estimate lamp.txt --voices rachel,adam',
  },
  args: {
    ...fileArg,
    voices: {
      type: 'string',
      description: `Up to ${labNarratorsMax} voices, with commas between`,
      default: 'rachel,adam',
    },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const text = await readText(args.file)
    const named = readList(args.voices).slice(0, labNarratorsMax)
    await withServices(async (services) => {
      const estimates = await estimateTest(services, text, named, operatorName())
      print(args, estimates, () =>
        table(
          estimates.map((each) => [
            each.voice,
            each.provider,
            pluralize(each.characters, 'character'),
            costWords(each.costUsd),
          ]),
        ),
      )
    })
  },
})

export default defineCommand({
  meta: { name: 'voices', description: 'Voices, tried on a paragraph: test, estimate' },
  subCommands: { test, estimate },
})
