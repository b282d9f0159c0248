import { basename } from 'node:path'
import { defineCommand } from 'citty'
import { choose } from '#cli/choose'
import { jsonFlag, print, printNote } from '#cli/output'
import { readText, requireFile } from '#cli/read-text'
import { itemArg } from '#cli/stories/item'
import { choiceOf, fileNamed } from '#cli/value-hints'
import { operatorName, withServices } from '#cli/with-services'
import { narrators } from '#src/narration/rules'
import { requireItem, uploadNarration } from '#src/narration/upload/upload-narration'
import { uploadTimings } from '#src/narration/upload/upload-timings'
import { requireItemId } from '#src/story/find-item-id'
import { voices } from '#src/story/rules'
import { pluralize } from '#src/text/pluralize'
import { urls } from '#src/urls'

export const attachAudio = defineCommand({
  meta: {
    name: 'attach-audio',
    description:
      'Makes an MP3, WAV or M4A file the narration of an item in a voice; the one before is kept. Example: nocturne premium attach-audio the-night-ferry ferry.mp3 --voice male',
  },
  args: {
    ...itemArg,
    file: { type: 'positional', ...fileNamed('The MP3, WAV or M4A file'), required: true },
    voice: {
      type: 'string',
      ...choiceOf([...voices, ...narrators], `female, male or a narrator: ${narrators.join(', ')}`),
      default: 'female',
    },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    await requireFile(args.file)
    await withServices(async (services) => {
      const id = await requireItemId(services.db, args.item)
      await requireItem(services, id)
      const file = { staged: await services.storage.receive(args.file), fileName: basename(args.file) }
      const { voice, fileName, warnings } = await uploadNarration(
        services,
        id,
        { ...file, narrated: args.voice },
        operatorName(),
      )
      const audioUrl = urls.premiumAudio(id, voice)
      print(args, { filename: fileName, audioUrl, warnings }, () => [`${fileName} (${voice})`])
      for (const warning of warnings) printNote(warning)
    })
  },
})

export const attachTimings = defineCommand({
  meta: {
    name: 'attach-timings',
    description:
      'Gives a narration that was recorded elsewhere its timings: WebVTT, SubRip, or JSON with start, end and text. Example: nocturne premium attach-timings the-night-ferry ferry.vtt --voice male',
  },
  args: {
    ...itemArg,
    file: { type: 'positional', ...fileNamed('The timings, or - for standard input'), required: true },
    voice: { type: 'string', ...choiceOf(voices), default: 'female' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const file = await readText(args.file)
    const voice = choose('voice', voices, args.voice)
    await withServices(async ({ db }) => {
      const id = await requireItemId(db, args.item)
      const aligned = await uploadTimings(db, id, { voice, file }, operatorName())
      print(args, aligned, () => [
        `${pluralize(aligned.sentences, 'sentence')}; ${aligned.matched} of ${pluralize(aligned.words, 'word')} matched.`,
      ])
    })
  },
})
