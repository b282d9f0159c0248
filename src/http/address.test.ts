import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { countedAddress, plainAddress, senderReader } from '#src/http/address'
import { fc } from '#src/testing/properties'

describe('client address', () => {
  const request = (forwarded?: string) =>
    new Request(
      'http://localhost/',
      forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } },
    )

  test('is the peer’s when no proxy is trusted, whatever X-Forwarded-For says', () => {
    const read = senderReader({ trustProxy: [] })
    expect(read(request('1.2.3.4'), '10.0.0.1').address).toBe('10.0.0.1')
    expect(read(request(), '::ffff:10.0.0.1').address).toBe('10.0.0.1')
    expect(read(request('1.2.3.4'), '::1').address).toBe('::1')
  })

  test.each([
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4, 10.0.0.7, 192.168.1.1', '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4,10.0.0.7', '1.2.3.4'],
    ['10.0.0.1', '2001:db8::1', '2001:db8::1'],
    ['::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['fd00::5', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.9', '10.0.0.1'],
    ['10.0.0.1', ' , ,', '10.0.0.1'],
    ['8.8.8.8', '1.2.3.4', '8.8.8.8'],
    ['11.0.0.1', '10.0.0.1', '11.0.0.1'],
    ['192.168.1.2', '1.2.3.4', '192.168.1.2'],
  ])('for peer %s with X-Forwarded-For %p is %s', (peer, forwarded, expected) => {
    const read = senderReader({ trustProxy: ['10.0.0.0/8', '192.168.1.1', 'fd00::/16'] })
    expect(read(request(forwarded), peer).address).toBe(expected)
  })

  test.each([
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:5678', '2001:db8::1'],
    ['"[2001:db8::1]"', '2001:db8::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['unknown', '10.0.0.1'],
    ['_hidden', '10.0.0.1'],
    ['1.2.3.4, unknown', '10.0.0.1'],
    ['1.2.3', '10.0.0.1'],
    ['x'.repeat(500), '10.0.0.1'],
  ])(
    'drops the port of X-Forwarded-For %p, or is the proxy’s when that is invalid',
    (forwarded, expected) => {
      expect(senderReader({ trustProxy: ['10.0.0.0/8'] })(request(forwarded), '10.0.0.1').address).toBe(
        expected,
      )
    },
  )
})

test('only analytics and the caller lookup read an address that is not hashed', async () => {
  const files = await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(join(import.meta.dir, '../..')))
  const reading = []
  for (const file of files.filter((each) => !each.includes('.test.')))
    if (/sender\.address\b/.test(await Bun.file(join(import.meta.dir, '../..', file)).text()))
      reading.push(file)
  expect(reading.sort()).toEqual([
    'src/analytics/sender.ts',
    'src/analytics/session-call.ts',
    'src/server/find-caller.ts',
  ])
})

describe('counted part of an address', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  const groups = fc.array(group, { minLength: 8, maxLength: 8 }).filter((all) => !isMapped(all))
  const isMapped = (all: readonly number[]) =>
    all.slice(0, 5).every((each) => each === 0) && all[5] === 0xffff
  const hex = (all: readonly number[]) => all.map((each) => each.toString(16))

  /** The spellings of one IPv6 address. */
  function writingsOf(all: readonly number[]): string[] {
    const plain = hex(all).join(':')
    const padded = hex(all)
      .map((each) => each.padStart(4, '0'))
      .join(':')
    const ways = [plain, padded, plain.toUpperCase(), padded.toUpperCase(), `${plain}%eth0`, `${padded}%3`]
    for (let from = 0; from < 8; from += 1)
      for (let to = from + 1; to <= 8 && all.slice(from, to).every((each) => each === 0); to += 1)
        ways.push(`${hex(all.slice(0, from)).join(':')}::${hex(all.slice(to)).join(':')}`)
    const [high = 0, low = 0] = all.slice(6)
    ways.push(`${hex(all.slice(0, 6)).join(':')}:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`)
    return ways
  }

  test('is the whole IPv4 address, also when written as IPv6', () => {
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const address = `${a}.${b}.${c}.${d}`
        const mapped = writingsOf([0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d])
        for (const written of [address, `::ffff:${address}`, `::FFFF:${address}`, ...mapped])
          expect([written, countedAddress(written)]).toEqual([written, address])
      }),
    )
  })

  test('is the /64 of an IPv6 address in any spelling', () => {
    fc.assert(
      fc.property(groups, (all) => {
        const network = `${hex(all.slice(0, 4)).join(':')}::/64`
        for (const written of writingsOf(all))
          expect([written, countedAddress(written)]).toEqual([written, network])
      }),
    )
  })

  test('is equal for two IPv6 addresses exactly when their first 64 bits are', () => {
    const rest = fc.array(group, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(groups, groups, rest, (one, another, other) => {
        const neighbour = [...one.slice(0, 4), ...other]
        if (!isMapped(neighbour))
          expect(countedAddress(hex(neighbour).join(':'))).toBe(countedAddress(hex(one).join(':')))
        const isSame = hex(one.slice(0, 4)).join() === hex(another.slice(0, 4)).join()
        const counted = [one, another].map((each) => countedAddress(hex(each).join(':')))
        expect(counted[0] === counted[1]).toBe(isSame)
      }),
    )
  })

  test('is the unchanged text when it is not an address', () => {
    for (const text of [
      '',
      'unknown',
      '1.2.3',
      '01.2.3.4',
      '1.2.3.4.5',
      'g::1',
      '::1::',
      '1.2.3.4/8',
      '[::1]',
    ]) {
      expect(countedAddress(text)).toBe(text)
      expect(plainAddress(text)).toBeNull()
    }
  })
})
