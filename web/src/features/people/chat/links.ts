/** The addresses in a message that may be followed: those of secure pages, and no others. */

export interface Part {
  /** Where in the text it begins. */
  at: number
  text: string
  /** Where it leads, when it is an address. */
  href?: string
}

// Up to white space, a quote, a bracket of markup, or a mark that turns the direction of what is read.
const ADDRESS = /https:\/\/[^\s<>"\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu
const CLOSING = /[.,:;!?'\u2019\u201d*_~]$/u
const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/** The text as it was typed, in parts; put together they are the text again. */
export function linkParts(text: string): Part[] {
  const parts: Part[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutTheSentence(found)
    if (!isSafe(address)) continue
    if (index > done) parts.push({ at: done, text: text.slice(done, index) })
    parts.push({ at: index, text: address, href: address })
    done = index + address.length
  }
  if (done < text.length) parts.push({ at: done, text: text.slice(done) })
  return parts
}

/** What ends the sentence, or closes a bracket that was opened before the address, is no part of it. */
function withoutTheSentence(found: string): string {
  const stray = PAIRS.some(
    ([open, close]) => found.endsWith(close) && count(found, close) > count(found, open),
  )
  return stray || CLOSING.test(found) ? withoutTheSentence(found.slice(0, -1)) : found
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** A name before an @ would pass for the site. */
function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.')
  )
}
