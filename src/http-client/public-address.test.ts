import { expect, test } from 'bun:test'
import { addressProblem } from './guarded-fetch'
import { isPublicAddress } from './public-address'

const notPublic = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1'],
  ...['192.0.2.5', '192.88.99.1', '192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::1'],
  ...['3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', 'ff0e::1', '4000::1'],
  ...['', 'example.com', '1.2.3', '1.2.3.4.5', 'localhost', '8.8.8.8/32'],
]
const isPublic = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '198.20.0.1',
  '223.255.255.1',
]

test('isPublicAddress accepts only public unicast addresses', () => {
  expect(notPublic.filter(isPublicAddress)).toEqual([])
  expect(
    [...isPublic, '2606:4700::1111', '2a00:1450:4001::1'].filter((each) => !isPublicAddress(each)),
  ).toEqual([])
})

const refusedUrls = [
  ...[
    'https://127.0.0.1/v1',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
  ],
  ...[
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://localhost./',
    'https://a.local/',
  ],
  ...['https://metadata.google.internal/', 'https://printer/', 'https://router.lan/', 'https://①②⑦.0.0.1/'],
  ...[
    'https://169.254.169.254/latest',
    'https://[fd00::1]/',
    'http://api.example.com/v1',
    'ftp://example.com/',
  ],
  ...[
    'file:///etc/passwd',
    'data:text/plain,a',
    'gopher://example.com/',
    'javascript:alert(1)',
    'example.com',
  ],
  ...['https://user@example.com/', 'https://user:pass@example.com/', 'https://example.com/?a=b'],
  ...['https://example.com/#a', '', 'https://', '//example.com', 'https://192.168.1.1:8080/v1'],
]

test('addressProblem rejects unsafe URLs by their text alone', () => {
  expect(notPublic.length + refusedUrls.length).toBeGreaterThanOrEqual(60)
  expect(refusedUrls.filter((url) => addressProblem(url, []) === null)).toEqual([])
  expect(addressProblem('https://api.openai.com/v1', [])).toBeNull()
  expect(addressProblem('https://api.runpod.ai/v2/abc/openai/v1', [])).toBeNull()
})

test('addressProblem allows only the private addresses that the operator trusts', () => {
  const trusted = ['http://10.0.0.5:8000']
  expect(addressProblem('http://10.0.0.5:8000/v1', trusted)).toBeNull()
  expect(addressProblem('http://10.0.0.5:8001/v1', trusted)).not.toBeNull()
  expect(addressProblem('http://10.0.0.5/v1', trusted)).not.toBeNull()
  expect(addressProblem('http://user@10.0.0.5:8000/v1', trusted)).not.toBeNull()
})
