import { expect, test } from 'vitest'
import { BadFrame, decodeFrame, encodeFrame } from './frames.ts'

const text = (value: unknown) => Buffer.from(JSON.stringify(value))
const frame = { joinRef: '1', ref: '2', topic: 'realtime:x', event: 'phx_leave', payload: {} }

/** Returns a broadcast as the client encodes it. */
function packed({ lengths = [1, 1, 10, 1, 0], encoding = 1, body = '12realtime:xe{"a":1}' } = {}) {
  return Buffer.concat([Buffer.from([3, ...lengths, encoding]), Buffer.from(body)])
}

const leave = ['1', '2', 'realtime:x', 'phx_leave', {}]
const sent = { topic: 'realtime:x', event: 'phx_leave', payload: {}, ref: '2', join_ref: '1' }
const beat = { joinRef: null, ref: null, topic: 'phoenix', event: 'heartbeat', payload: {} }
const told = { ...frame, event: 'broadcast', payload: { type: 'broadcast', event: 'e', payload: { a: 1 } } }
test.each([
  ['an array in version 2.0.0', '2.0.0', text(leave), frame],
  ['an object in version 1.0.0', '1.0.0', text(sent), frame],
  ['what leaves refs and payload empty', '2.0.0', text([null, null, 'phoenix', 'heartbeat', null]), beat],
  ['a binary broadcast', '2.0.0', packed(), told],
  [
    'a topic of 255 characters',
    '2.0.0',
    text(['1', '2', 'x'.repeat(255), 'phx_leave', {}]),
    { ...frame, topic: 'x'.repeat(255) },
  ],
] as const)('%s is read', (_what, version, data, expected) => {
  expect(decodeFrame(version, data, expected === told)).toEqual(expected)
})

test.each([
  ['what is not JSON', Buffer.from('{'), false],
  ['JSON that is no array', text({ topic: 'x' }), false],
  ['an array too short', text(['1', '2', 'x']), false],
  ['a number for a topic', text(['1', '2', 3, 'e', {}]), false],
  ['a list for a payload', text(['1', '2', 'x', 'e', []]), false],
  ['a topic of 256 characters', text(['1', '2', 'x'.repeat(256), 'e', {}]), false],
  ['an empty binary frame', Buffer.alloc(0), true],
  ['a binary frame shorter than it says', packed({ lengths: [200, 200, 200, 200, 0] }), true],
  ['an unknown kind of binary frame', Buffer.from([9, 0, 0, 0, 0, 0, 1]), true],
  ['a broadcast that is not JSON', packed({ encoding: 0 }), true],
  ['a broadcast with broken JSON', packed({ body: '12realtime:xe{"a"' }), true],
])('version 2.0.0 refuses %s', (_what, data, isBinary) => {
  expect(() => decodeFrame('2.0.0', data, isBinary)).toThrow(BadFrame)
})

test('version 1.0.0 refuses arrays and binary frames', () => {
  expect(() => decodeFrame('1.0.0', text(['1', '2', 'x', 'e', {}]), false)).toThrow(BadFrame)
  expect(() => decodeFrame('1.0.0', packed(), true)).toThrow(BadFrame)
})

test('a payload is written byte by byte as it was given', () => {
  const sent = { ...frame, payload: '{"price":15.90,"id":9007199254740993}' }
  expect(encodeFrame('2.0.0', sent)).toBe(`["1","2","realtime:x","phx_leave",${sent.payload}]`)
  expect(encodeFrame('1.0.0', { ...sent, joinRef: null })).toBe(
    `{"topic":"realtime:x","event":"phx_leave","payload":${sent.payload},"ref":"2","join_ref":null}`,
  )
})
