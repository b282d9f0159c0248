import type { DeviceKind } from '#src/listening/rules'

/** The first match counts: Edge and Opera also name Chrome, and Chrome names Safari. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** "Firefox on Linux": a user agent in recognisable words. */
export function deviceWords(userAgent: string): string {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}

/** The kind of device in plain words: a tablet of Android is one without "Mobile". */
export function deviceKind(userAgent: string): DeviceKind {
  if (/iPad|Tablet/.test(userAgent) || (/Android/.test(userAgent) && !/Mobile/.test(userAgent)))
    return 'tablet'
  return /iPhone|Mobile/.test(userAgent) ? 'phone' : 'computer'
}

function nameIn(names: [RegExp, string][], text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
