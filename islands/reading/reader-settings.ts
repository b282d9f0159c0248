import { readStored, writeStored } from '#islands/runtime/browser-storage'
import { listen } from '#islands/runtime/events'
import { setTheme } from '#islands/site/theme'
import type { ThemeName } from '#src/ui/viewer'

const sizeName = 'nocturne.storySize'
/** Font sizes of a story. */
const sizes = { min: 1, usual: 2, max: 4 }

/** Sets font size and theme for all stories in this browser. The buttons are those of ReaderTools. */
export function mount(host: Element): () => void {
  const changeSize = (step: number) => {
    const size = Math.min(sizes.max, Math.max(sizes.min, readSize() + step))
    writeStored('localStorage', sizeName, String(size))
    showSize(host, size)
  }
  const onPress = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button?.name === 'size') changeSize(Number(button.value))
    if (button?.name === 'theme') setTheme(themeOf(button.value))
  }
  showSize(host, readSize())
  host.addEventListener('click', onPress)
  const stopListening = listen('nocturne:theme', ({ theme }) => showTheme(host, theme))
  return () => {
    host.removeEventListener('click', onPress)
    stopListening()
  }
}

function readSize(): number {
  const stored = Number(readStored('localStorage', sizeName))
  return Number.isInteger(stored) && stored >= sizes.min && stored <= sizes.max ? stored : sizes.usual
}

/** Sets the size on the body, so that the dialog over a list and the page of a story look the same. */
function showSize(host: Element, size: number): void {
  if (size === sizes.usual) delete document.body.dataset.storySize
  else document.body.dataset.storySize = String(size)
  for (const button of host.querySelectorAll<HTMLButtonElement>('button[name=size]'))
    button.disabled = size === (button.value === '1' ? sizes.max : sizes.min)
}

function showTheme(host: Element, theme: ThemeName | null): void {
  for (const button of host.querySelectorAll<HTMLButtonElement>('button[name=theme]'))
    button.ariaPressed = String(themeOf(button.value) === theme)
}

const themeOf = (value: string): ThemeName | null => (value === 'dark' || value === 'paper' ? value : null)
