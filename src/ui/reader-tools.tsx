import type { ThemeName } from '#src/ui/viewer'

const swatches: { theme: ThemeName | null; name: string; label: string }[] = [
  { theme: 'dark', name: 'dark', label: 'Night' },
  { theme: 'paper', name: 'paper', label: 'Paper' },
  { theme: null, name: 'auto', label: 'As the system' },
]

/** Controls for type size and theme, used by islands/reading/reader-settings.ts. */
export function ReaderTools({ theme }: { theme: ThemeName | null }) {
  return (
    <>
      <div className="tool">
        <span className="tool-label">Type size</span>
        <div className="size-steps">
          <button type="button" name="size" value="-1" aria-label="Smaller text">
            A
          </button>
          <button type="button" name="size" value="1" aria-label="Larger text">
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
              name="theme"
              value={swatch.theme ?? ''}
              aria-pressed={swatch.theme === theme}
              aria-label={swatch.label}
            >
              {swatch.theme && 'A'}
            </button>
          ))}
        </div>
      </div>
    </>
  )
}
