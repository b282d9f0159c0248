/**
 * `deep` is the night side, `mid` the body, `light` mist, `glow` what is lit. The colours are the same in both themes,
 * and outside of pages.
 */
export const palettes = {
  ink: { deep: '#121831', mid: '#2c3d70', light: '#7f97c8', glow: '#f5dcb4' },
  plum: { deep: '#1f1230', mid: '#552d61', light: '#a878a6', glow: '#f6cbab' },
  clay: { deep: '#2a1216', mid: '#86412f', light: '#cf8861', glow: '#f9dcae' },
  moss: { deep: '#0d201f', mid: '#2c564c', light: '#86aa92', glow: '#f2e0b2' },
  rose: { deep: '#2a0f20', mid: '#77334a', light: '#c98590', glow: '#f9d8c4' },
  dusk: { deep: '#161836', mid: '#544d86', light: '#bb93b0', glow: '#fbcda3' },
  sand: { deep: '#2c211d', mid: '#8c6a50', light: '#d3ae83', glow: '#fff0d4' },
} as const
export type PaletteName = keyof typeof palettes
export const paletteNames: readonly PaletteName[] = ['ink', 'plum', 'clay', 'moss', 'rose', 'dusk', 'sand']

export type Colours = { deep: string; mid: string; light: string; glow: string }
