import { resultWords } from '#src/story/rules'

/** The number of rows above a list of the console, announced when a filter changes it. */
export function CountLine({ noun, ...total }: { count: number; isAtLeast: boolean; noun: string }) {
  return (
    <p className="result-line meta" data-count="">
      {resultWords(total, noun)}
    </p>
  )
}
