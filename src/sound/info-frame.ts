/** LAME's delay, in samples, before the first input sample. */
const encoderDelay = 576
const frameSamples = 1_152
/** The encoder's settings: MPEG 1 layer III, 64 kb/s, 44.1 kHz, mono, no padding. */
const header = [0xff, 0xfb, 0x50, 0xc4]
const frameBytes = 208
/** The tag comes after the header and 17 bytes that are empty in a silent frame. */
const tagAt = 4 + 17

/**
 * Builds the silent first frame of an MP3 with a constant bit rate. It states the number of frames and bytes that
 * follow, and the encoder's padding samples at both ends (Xing's Info tag, with LAME's extension). Without it a player
 * starts 25 ms late.
 */
export function infoFrame({
  samples,
  frames,
  bytes,
}: {
  samples: number
  frames: number
  bytes: number
}): Uint8Array {
  const frame = Buffer.alloc(frameBytes)
  frame.set(header)
  let at = frame.write('Info', tagAt, 'latin1') + tagAt
  at = frame.writeUInt32BE(0b1111, at)
  at = frame.writeUInt32BE(frames, at)
  at = frame.writeUInt32BE(bytes, at)
  for (let percent = 0; percent < 100; percent += 1) frame[at + percent] = Math.floor((percent * 256) / 100)
  at = frame.writeUInt32BE(100, at + 100)
  const lameAt = at
  frame.write('LAME3.100', lameAt, 'latin1')
  frame[lameAt + 9] = 1
  const padding = Math.max(0, Math.min(4_095, frames * frameSamples - encoderDelay - samples))
  frame[lameAt + 20] = 64
  frame[lameAt + 21] = encoderDelay >> 4
  frame[lameAt + 22] = ((encoderDelay & 15) << 4) | (padding >> 8)
  frame[lameAt + 23] = padding & 255
  frame.writeUInt32BE(bytes, lameAt + 28)
  frame.writeUInt16BE(crc16(frame.subarray(0, lameAt + 34)), lameAt + 34)
  return frame
}

/** CRC-16 (ARC), the end of LAME's tag. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
