import { useHydrated } from '#islands/runtime/use-hydrated'
import { timeWords, utcWords } from '#src/ui/local-time'

/** A time inside of an island. The server renders it in UTC; after hydration it is in the viewer's zone. */
export function IslandTime({ at }: { at: string }) {
  const isHydrated = useHydrated()
  return <time dateTime={at}>{isHydrated ? timeWords(new Date(at)) : utcWords(new Date(at))}</time>
}
