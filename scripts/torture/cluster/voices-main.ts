import { elevenLabsAnswer, standIn } from '#src/narration/voice/testing-provider'
import { introduce } from './own-process'

/** A provider of voices. */
introduce({ url: standIn(({ body }) => elevenLabsAnswer(String(body.text ?? ''))).url })
