// Encodes and decodes Phoenix frames, serializer versions 1.0.0 (an object) and 2.0.0 (an array).
import { z } from 'zod'

export type Version = '1.0.0' | '2.0.0'

export interface Frame {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: Record<string, unknown>
}

/** Thrown if a message is not a valid frame. `message` gives the reason without repeating the content. */
export class BadFrame extends Error {}

// The only binary frame that clients send: a broadcast.
const BROADCAST_PUSH = 3
const JSON_ENCODING = 1
const HEADER_BYTES = 7

const ref = z.string().max(255).nullish()
const name = z.string().min(1).max(255)
const payload = z.record(z.string(), z.unknown()).nullish()
const arrayFrame = z.tuple([ref, ref, name, name, payload])
const objectFrame = z.object({ join_ref: ref, ref, topic: name, event: name, payload })

/** Decodes one message from a client. Throws BadFrame. */
export function decodeFrame(version: Version, data: Buffer, isBinary: boolean): Frame {
  if (isBinary) {
    if (version === '1.0.0') throw new BadFrame('binary frames need version 2.0.0')
    return decodeBroadcast(data)
  }
  const value = parseJson(data.toString('utf8'))
  if (version === '1.0.0') {
    const frame = objectFrame.safeParse(value)
    if (!frame.success) throw new BadFrame('not an object of topic, event, payload, ref and join_ref')
    const { join_ref, ref, topic, event, payload } = frame.data
    return { joinRef: join_ref ?? null, ref: ref ?? null, topic, event, payload: payload ?? {} }
  }
  const frame = arrayFrame.safeParse(value)
  if (!frame.success) throw new BadFrame('not an array of join_ref, ref, topic, event and payload')
  const [joinRef, ownRef, topic, event, body] = frame.data
  return { joinRef: joinRef ?? null, ref: ownRef ?? null, topic, event, payload: body ?? {} }
}

/**
 * Decodes a frame of kind, five lengths, encoding, join_ref, ref, topic, event, metadata and payload. Throws BadFrame.
 */
function decodeBroadcast(data: Buffer): Frame {
  if (data.length < HEADER_BYTES) throw new BadFrame('binary frame without a header')
  const [kind, ...rest] = data.subarray(0, HEADER_BYTES)
  const encoding = rest.pop()
  if (kind !== BROADCAST_PUSH) throw new BadFrame('unknown kind of binary frame')
  if (encoding !== JSON_ENCODING) throw new BadFrame('broadcast payloads must be JSON')
  let start = HEADER_BYTES
  const [joinRef = '', ref = '', topic = '', event = ''] = rest.map((length) => {
    const part = data.subarray(start, start + length)
    start += length
    return part.toString('utf8')
  })
  if (start > data.length) throw new BadFrame('binary frame shorter than its lengths')
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload: parseJson(data.subarray(start).toString('utf8')) },
  }
}

/** Encodes one message to a client. `payload` is already JSON text, and is not changed. */
export function encodeFrame(
  version: Version,
  frame: { joinRef: string | null; ref: string | null; topic: string; event: string; payload: string },
): string {
  const [joinRef, ref, topic, event] = [frame.joinRef, frame.ref, frame.topic, frame.event].map((part) =>
    JSON.stringify(part),
  )
  return version === '1.0.0'
    ? `{"topic":${topic},"event":${event},"payload":${frame.payload},"ref":${ref},"join_ref":${joinRef}}`
    : `[${joinRef},${ref},${topic},${event},${frame.payload}]`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadFrame('not JSON')
  }
}
