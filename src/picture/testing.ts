import { until } from '#src/testing/until'

/** Reads the size of a PNG; throws for anything else. */
export async function pngSize(response: Response): Promise<{ width: number; height: number }> {
  const bytes = await response.bytes()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if (view.getBigUint64(0) !== 0x89504e470d0a1a0an) throw new Error('This is no PNG.')
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Requests a picture until it is drawn, since on a busy machine drawing takes longer than one request waits. */
export function whenDrawn(ask: () => Promise<Response>): Promise<Response> {
  return until(async () => {
    const answer = await ask()
    return answer.status === 503 ? null : answer
  })
}
