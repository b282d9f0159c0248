import { AppError, type FieldProblem } from '#src/app-error'

/** The error about a field. Its message has the field's label, and says what it accepts. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid', fieldSentence({ path, message }), { fields: [{ path, message }] })
}

/** The error about a field with a message that is already a sentence. */
export function refusedField(path: string, message: string): AppError {
  return new AppError('invalid', message, { fields: [{ path, message }] })
}

/** Turns a message of the validation layer into a sentence: "Duration must be whole minutes from 1 to 60." */
export function fieldSentence({ path, message }: FieldProblem): string {
  const label = labelOf(path)
  const [, expected, received] = message.match(/^Expected (.+?)(?:, received (\w+))?$/) ?? []
  if (!label) return withFullStop(message)
  if (message === 'Required') return `${label} must be given.`
  if (message.startsWith('Must ')) return withFullStop(`${label} must ${message.slice('Must '.length)}`)
  if (expected && received) return `${label} must be ${typeWords(expected)}, not ${typeWords(received)}.`
  return withFullStop(expected ? `${label} must be ${expected}` : `${label}: ${message}`)
}

/**
 * The label of a field in forms, after the row of the list that it is in: `stories[2].title` is "Row 3, Title". The
 * table has the labels that differ from the field's name; invalid-field.test.ts compares them with those of the forms.
 */
export function labelOf(path: string): string {
  const [, row, field] = path.match(/^\w+\[(\d+)\](?:\.(.+))?$/) ?? []
  if (field && row) return `Row ${Number(row) + 1}, ${labelOf(field)}`
  const name =
    path
      .replace(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? ''
  const words = name.replace(/([a-z])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`)
  return Object.hasOwn(labels, name) ? (labels[name] ?? '') : words.charAt(0).toUpperCase() + words.slice(1)
}

const labels: Record<string, string> = {
  actor: 'Person',
  publishedAt: 'Appears',
  isFree: 'Free sample',
  days: 'Period',
  status: 'Visible',
  narratorFemale: 'Female narrator',
  narratorMale: 'Male narrator',
  allowed: 'Allowed phrases',
  excel: 'Excel or CSV file',
  mp3s: 'MP3 files',
  keywords: 'Keywords or phrases',
  q: 'Search',
  openaiApiKey: 'OpenAI API key',
  openaiApiUrl: 'OpenAI API URL',
  openaiModelName: 'Model name',
  runpodApiKey: 'RunPod API key',
  runpodApiUrl: 'RunPod API URL',
  runpodModelName: 'Model name',
  runpodMaxTokens: 'Max tokens',
  runpodTemperature: 'Temperature',
  timeframe: 'Time period',
  token: 'Admin token',
}

/** The words for JSON's types. */
const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** One type, or several joined by "or". */
function typeWords(expected: string): string {
  return expected
    .split(' or ')
    .map((type) => types[type] ?? type)
    .join(' or ')
}

function withFullStop(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
}
