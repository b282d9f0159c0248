import { afterAll } from 'bun:test'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'

/** The answers for a name, one list per query; the last list repeats. `name.` is a CNAME. */
type Answers = readonly (readonly string[])[]

/**
 * Starts a DNS server on loopback, over UDP, with a resolver that queries it. Every record has a TTL of 0, as in a
 * rebinding attack.
 */
export async function startTestDns() {
  const names = new Map<string, Answers>()
  const lookups = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message)
    const times = lookups.get(`${name} ${type}`) ?? 0
    lookups.set(`${name} ${type}`, times + 1)
    const answers = names.get(name) ?? []
    const records = (answers[Math.min(times, answers.length - 1)] ?? []).flatMap((value) =>
      recordOf(value, type),
    )
    const header = Buffer.from(message.subarray(0, 12))
    header.writeUInt16BE(names.has(name) ? 0x8180 : 0x8183, 2)
    header.writeUInt16BE(records.length, 6)
    header.fill(0, 8)
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((bound) => void socket.bind(0, '127.0.0.1', bound))
  afterAll(() => void socket.close())
  // One query is sent for each question, however long the answer takes.
  const resolver = new Resolver({ timeout: 120_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  const none = () => []
  return {
    names,
    /** The number of queries for a name's addresses. */
    timesAsked: (name: string) => lookups.get(`${name} 1`) ?? 0,
    async resolve(host: string): Promise<string[]> {
      const [four, six] = await Promise.all([
        resolver.resolve4(host).catch(none),
        resolver.resolve6(host).catch(none),
      ])
      return [...four, ...six]
    },
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

const types = { a: 1, cname: 5, aaaa: 28 }

function recordOf(value: string, times: number): Buffer[] {
  const type = value.endsWith('.') ? types.cname : isIPv4(value) ? types.a : types.aaaa
  if (type !== types.cname && type !== times) return []
  const data = type === types.cname ? nameBytes(value) : addressBytes(value)
  const head = Buffer.alloc(12)
  // The name is that of the question, the class is internet, the TTL is 0 (RFC 1035 §4.1.3).
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(0, 6)
  head.writeUInt16BE(data.length, 10)
  return [Buffer.concat([head, data])]
}

function nameBytes(name: string): Buffer {
  return Buffer.concat(
    name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
  )
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(left).length - groups(right).length
  const all = [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
