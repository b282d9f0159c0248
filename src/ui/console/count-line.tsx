import { resultWords } from '#src/story/rules'

/** Above a list of the console: how much there is, announced when a filter changes it. */
export function CountLine({ noun, ...total }: { count: number; isAtLeast: boolean; noun: string }) {
  return (
    <p className="result-line meta" data-count="">
      {resultWords(total, noun)}
    </p>
  )
}
