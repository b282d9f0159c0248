import { useEffect, useState } from 'react'
import { keepStored, readStored } from '#islands/browser-storage'
import { listen } from '#islands/events'
import { setTheme } from '#islands/theme'
import { ReaderTools, type StorySize } from '#src/ui/reader-tools'
import type { ThemeName } from '#src/ui/viewer'

const sizeName = 'nocturne.storySize'
const usualSize: StorySize = 2
const sizes: readonly StorySize[] = [1, 2, 3, 4]

/** Type size and theme, as they suit the reader: kept in this browser, for every story. */
export default function ReaderSettings({ theme }: { theme: ThemeName | null }) {
  const [size, setSize] = useState<StorySize>(usualSize)
  const [shownTheme, setShownTheme] = useState(theme)

  useEffect(() => {
    const kept = readSize()
    setSize(kept)
    showSize(kept)
    return listen('nocturne:theme', (changed) => setShownTheme(changed.theme))
  }, [])

  const changeSize = (step: -1 | 1) => {
    const next = sizes.find((each) => each === size + step) ?? size
    setSize(next)
    showSize(next)
    keepStored('localStorage', sizeName, String(next))
  }

  return <ReaderTools size={size} theme={shownTheme} onSize={changeSize} onTheme={setTheme} />
}

function readSize(): StorySize {
  const kept = Number(readStored('localStorage', sizeName))
  return sizes.find((size) => size === kept) ?? usualSize
}

/** On the body: the dialog over a list and the page of a story read alike. */
function showSize(size: StorySize): void {
  if (size === usualSize) delete document.body.dataset.storySize
  else document.body.dataset.storySize = String(size)
}
