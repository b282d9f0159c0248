import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { type Picture, pictureFont, pictureSizes } from '#src/picture/rules'
import { drawPicture } from './draw'

/**
 * Draws in a separate process, since a square takes a core for seconds and 100 MB, which are freed when the process
 * ends. Reads a Picture from stdin and writes a PNG to stdout.
 */
async function main(): Promise<void> {
  // Requests of listeners have priority.
  setPriority(10)
  const picture: Picture = await Bun.stdin.json()
  const module = fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))
  await initWasm(await Bun.file(module).arrayBuffer())
  const fontFile = fileURLToPath(new URL(`../../../${pictureFont}`, import.meta.url))
  const options = {
    font: { fontBuffers: [await Bun.file(fontFile).bytes()], defaultFontFamily: 'Newsreader' },
    fitTo: { mode: 'width', value: pictureSizes[picture.shape].width } as const,
  }
  const svg = drawPicture(picture, (text) => widthOf(text, options))
  await Bun.stdout.write(new Resvg(svg, options).render().asPng())
}

type Options = ConstructorParameters<typeof Resvg>[1]

/** Measured at a size of 100, since the renderer rounds. */
function widthOf(text: string, options: Options): number {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><text font-size="100">${Bun.escapeHTML(text)}</text></svg>`
  const drawn = new Resvg(svg, options)
  return (drawn.getBBox()?.width ?? 0) / 100
}

await main()
