import type { ThemeName } from '#src/ui/viewer'

/** The four sizes of the story's type; 2 is the usual one. */
export type StorySize = 1 | 2 | 3 | 4

const swatches: { theme: ThemeName | null; name: string; label: string }[] = [
  { theme: 'dark', name: 'dark', label: 'Night' },
  { theme: 'paper', name: 'paper', label: 'Paper' },
  { theme: null, name: 'auto', label: 'As the system' },
]

/** Type size and theme. */
export function ReaderTools({
  size,
  theme,
  onSize,
  onTheme,
}: {
  size: StorySize
  theme: ThemeName | null
  onSize?: (step: -1 | 1) => void
  onTheme?: (theme: ThemeName | null) => void
}) {
  return (
    <>
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
    </>
  )
}
