import { useHydrated } from '#islands/runtime/use-hydrated'
import { timeWords, utcWords } from '#src/ui/local-time'

/** A time inside of an island: in UTC from the server, in the viewer's zone once hydrated. */
export function IslandTime({ at }: { at: string }) {
  const isHydrated = useHydrated()
  return <time dateTime={at}>{isHydrated ? timeWords(new Date(at)) : utcWords(new Date(at))}</time>
}
