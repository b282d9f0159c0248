import { fileAnswer } from '#src/request/router'
import { audioTypes } from './rules'

/** Answers of a call that sends audio, for the API document. */
export const audioAnswers = (whole: string) => ({
  200: fileAnswer(whole, ...Object.values(audioTypes)),
  206: fileAnswer('The range that was asked for', ...Object.values(audioTypes)),
  304: { description: 'What the asker has (If-None-Match) is still the same' },
  416: { description: 'The range lies past the end' },
})
