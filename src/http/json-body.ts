import { AppError } from '#src/app-error'
import { createTimeSlicer } from '#src/process/time-slice'

/** Maximum depth: more than any call of the API needs, and far less than overflows a recursive reader's stack. */
export const jsonDepthMax = 32
/** Maximum values in all objects and arrays of one body, unless the route sets its own. */
const jsonMembersMax = 10_000

/** Bytes scanned or parsed between two pauses; takes a few milliseconds at most. */
const pieceBytes = 512 * 1024

type Pause = () => Promise<void>

/**
 * Parses the JSON body of a request. A linear pass first measures its depth and number of values; then the body is
 * parsed in pieces of 512 KB, so that none blocks other requests. Throws `invalid` beyond 32 levels, `too_large` beyond
 * `membersMax` values, and `unreadable` if it is not JSON. No error repeats any of the body.
 */
export async function parseJsonBody(
  bytes: Uint8Array,
  membersMax = jsonMembersMax,
  pause = createTimeSlicer(),
): Promise<unknown> {
  await measure(bytes, membersMax, pause)
  try {
    return await parsePart(withoutByteOrderMark(bytes), pause)
  } catch {
    throw new AppError('unreadable', 'The body could not be read. Send valid JSON.')
  }
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const letterU = 0x75
const array = { opens: 0x5b, closes: 0x5d }
const object = { opens: 0x7b, closes: 0x7d }

async function measure(bytes: Uint8Array, membersMax: number, pause: Pause): Promise<void> {
  let depth = 0
  let members = 0
  for (let at = 0, pauseAt = pieceBytes; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = stringEnd(bytes, at)
    else if (byte === array.opens || byte === object.opens) {
      depth += 1
      members += 1
    } else if (byte === array.closes || byte === object.closes) depth -= 1
    else if (byte === comma) members += 1
    if (depth > jsonDepthMax)
      throw new AppError('invalid', `This is nested deeper than ${jsonDepthMax} levels. Flatten it.`)
    if (members > membersMax)
      throw new AppError('too_large', `This has more than ${membersMax} values. Send fewer at once.`)
    if (at > pauseAt) {
      await pause()
      pauseAt = at + pieceBytes
    }
  }
}

/** The index of the closing quote of the string that begins at `from`, or the end of the bytes. */
function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(quote, from + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (bytes[at - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return bytes.length
}

// A byte order mark in the middle of a text is an ordinary character.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

async function parsePart(bytes: Uint8Array, pause: Pause): Promise<unknown> {
  await pause()
  if (bytes.length <= pieceBytes) return JSON.parse(decoder.decode(bytes))
  const from = bytes.findIndex((byte) => byte > 0x20)
  const to = bytes.findLastIndex((byte) => byte > 0x20)
  const inner = bytes.subarray(from + 1, to)
  if (bytes[from] === quote && bytes[to] === quote) return parseString(inner, pause)
  if (bytes[from] === array.opens && bytes[to] === array.closes) return parseArray(inner, pause)
  if (bytes[from] === object.opens && bytes[to] === object.closes) return parseObject(inner, pause)
  throw new SyntaxError('Nothing else in JSON is that long.')
}

/**
 * Parses a long string in pieces that end after a whole character or escape. They are concatenated by +, which copies
 * nothing until the text is read: the schema refuses a text that is too long by its length.
 */
async function parseString(inner: Uint8Array, pause: Pause): Promise<string> {
  let text = ''
  for (let from = 0; from < inner.length; ) {
    let to = from
    while (to < inner.length && to < from + pieceBytes)
      to += inner[to] !== backslash ? 1 : inner[to + 1] === letterU ? 6 : 2
    while (((inner[to] ?? 0) & 0xc0) === 0x80) to += 1
    text += JSON.parse(`"${decoder.decode(inner.subarray(from, to))}"`)
    from = to
    await pause()
  }
  return text
}

async function parseArray(inner: Uint8Array, pause: Pause): Promise<unknown[]> {
  const values: unknown[] = []
  for (const group of groupMembers(inner)) {
    if (group.length > pieceBytes) values.push(await parsePart(group, pause))
    else for (const value of JSON.parse(`[${decoder.decode(group)}]`)) values.push(value)
    await pause()
  }
  return values
}

async function parseObject(inner: Uint8Array, pause: Pause): Promise<object> {
  const entries: [string, unknown][] = []
  for (const group of groupMembers(inner)) {
    if (group.length > pieceBytes) {
      const keyEnd = stringEnd(group, group.indexOf(quote)) + 1
      const valueFrom = group.indexOf(colon, keyEnd) + 1
      const [key = ''] = Object.keys(JSON.parse(`{${decoder.decode(group.subarray(0, valueFrom))}0}`))
      entries.push([key, await parsePart(group.subarray(valueFrom), pause)])
    } else entries.push(...Object.entries(JSON.parse(`{${decoder.decode(group)}}`)))
    await pause()
  }
  return Object.fromEntries(entries)
}

/** Groups the members between two brackets into pieces; a member larger than a piece is a group of its own. */
function* groupMembers(inner: Uint8Array): Generator<Uint8Array> {
  let from = 0
  let memberEnd = 0
  let depth = 0
  for (let at = 0; at <= inner.length; at += 1) {
    const byte = inner[at]
    if (byte === quote) at = stringEnd(inner, at)
    else if (byte === array.opens || byte === object.opens) depth += 1
    else if (byte === array.closes || byte === object.closes) depth -= 1
    if (at < inner.length && (byte !== comma || depth > 0)) continue
    if (at - from > pieceBytes && memberEnd > from) {
      yield filled(inner.subarray(from, memberEnd))
      from = memberEnd + 1
    }
    if (at - from > pieceBytes || at === inner.length) {
      yield filled(inner.subarray(from, at))
      from = at + 1
    }
    memberEnd = at
  }
}

/** An empty group, as between two commas, would be parsed as an empty list, so it is refused here. */
function filled(group: Uint8Array): Uint8Array {
  if (!group.some((byte) => byte > 0x20)) throw new SyntaxError('A member is missing.')
  return group
}
