import { LIMITS } from '@potluck/supabase/limits'

/** Rules for the text of a chat message, and its id. */

export const LONGEST_MESSAGE = LIMITS.longestMessage

// The same rules as private.characters and private.visible_length in the database; a test compares them.
const marks = [
  '\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f',
  // Hebrew and Arabic, Devanagari, Thai
  '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670',
  '\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed',
  '\\u0900-\\u0903\\u093a-\\u093c\\u093e-\\u094f\\u0951-\\u0957',
  '\\u0e31\\u0e34-\\u0e3a\\u0e47-\\u0e4e',
  // Zero-width characters, direction marks, emoji modifiers
  '\\u200b\\u200c\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff',
  '\\ufe00-\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}',
]
const ATTACHED = new RegExp(`\\u200d[\\u2190-\\u2bff\\u{1f000}-\\u{1faff}]?|[${marks.join('')}]`, 'gu')
const FLAG = /[\u{1f1e6}-\u{1f1ff}]{2}/gu
const blanks = [
  '\\s\\u0085\\u00a0\\u00ad\\u034f\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f',
  '\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0',
]
const INVISIBLE = new RegExp(`[${blanks.join('')}]`, 'gu')

/**
 * The number of visible characters: an emoji family or a letter with its accents counts as one. Ten code points count
 * as at least one character, so that a letter with endless marks is also limited.
 */
export function characters(text: string): number {
  const seen = text.replace(ATTACHED, '').replace(FLAG, 'x')
  return Math.max(points(seen), Math.ceil(points(text) / 10))
}

/** The text to send for a draft: trimmed, and without characters that the database cannot store. */
export function toSend(draft: string): string {
  return draft
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}

/** True if the draft has visible characters and is not too long. */
export function canSend(draft: string): boolean {
  const text = toSend(draft)
  return text.replace(INVISIBLE, '') !== '' && characters(text) <= LONGEST_MESSAGE
}

function points(text: string): number {
  let count = 0
  for (const _point of text) count += 1
  return count
}

/** A random UUID. `crypto.randomUUID` is missing on pages without TLS, such as a site on a home network. */
export function newMessageId(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const [version = 0, variant = 0] = [bytes[6], bytes[8]]
  bytes[6] = (version & 0x0f) | 0x40
  bytes[8] = (variant & 0x3f) | 0x80
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
