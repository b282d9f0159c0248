/** 12_400_000 → "11.8 MB". Browser-safe. */
export function sizeWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  const size = bytes / 1024 ** power
  return `${power === 0 ? size : size.toFixed(1)} ${units[power]}`
}
