import { fileAnswer } from '#src/request/router'
import { audioTypes } from './rules'

/** Answers of a call that sends audio, for the API document. */
export const audioAnswers = (whole: string) => ({
  200: fileAnswer(whole, ...Object.values(audioTypes)),
  206: fileAnswer('The requested range', ...Object.values(audioTypes)),
  304: { description: 'The version that the caller has (If-None-Match) is current' },
  416: { description: 'The range lies past the end' },
})
