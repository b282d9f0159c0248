import { useId } from 'react'
import { Switch } from '#src/ui/switch'
import type { ThemeName } from '#src/ui/viewer'

/** The four sizes of the story's type; 2 is the usual one. */
export type StorySize = 1 | 2 | 3 | 4

const swatches: { theme: ThemeName | null; name: string; label: string }[] = [
  { theme: 'dark', name: 'dark', label: 'Night' },
  { theme: 'paper', name: 'paper', label: 'Paper' },
  { theme: null, name: 'auto', label: 'As the system' },
]

/** Type size, theme, and whether the voice's place in the text is shown. */
export function ReaderTools({
  size,
  theme,
  readAlong,
  onSize,
  onTheme,
  onReadAlong,
}: {
  size: StorySize
  theme: ThemeName | null
  /** Null where the story has no word timings. */
  readAlong: boolean | null
  onSize?: (step: -1 | 1) => void
  onTheme?: (theme: ThemeName | null) => void
  onReadAlong?: (isOn: boolean) => void
}) {
  const switchId = useId()
  return (
    <aside className="reader-tools" aria-label="Reading settings">
      <div className="tool">
        <span className="tool-label">Type size</span>
        <div className="size-steps">
          <button type="button" aria-label="Smaller text" disabled={size === 1} onClick={() => onSize?.(-1)}>
            A
          </button>
          <button type="button" aria-label="Larger text" disabled={size === 4} onClick={() => onSize?.(1)}>
            A
          </button>
        </div>
      </div>
      <div className="tool">
        <span className="tool-label">Theme</span>
        <div className="swatches">
          {swatches.map((swatch) => (
            <button
              key={swatch.name}
              className={`swatch swatch-${swatch.name}`}
              type="button"
              aria-pressed={swatch.theme === theme}
              aria-label={swatch.label}
              onClick={() => onTheme?.(swatch.theme)}
            >
              {swatch.theme && 'A'}
            </button>
          ))}
        </div>
      </div>
      {readAlong !== null && (
        <label className="tool" htmlFor={switchId}>
          <span className="tool-label">Read along</span>
          <Switch
            id={switchId}
            checked={readAlong}
            readOnly={!onReadAlong}
            onChange={(event) => onReadAlong?.(event.currentTarget.checked)}
          />
        </label>
      )}
    </aside>
  )
}
