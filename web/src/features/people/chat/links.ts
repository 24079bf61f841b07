/** The addresses in a message that may be followed: those of secure pages, and no others. */

export interface Part {
  /** Where in the text it begins. */
  at: number
  text: string
  /** Where it leads, when it is an address. */
  href?: string
}

// Up to white space, a quote, an angle bracket, or a mark that changes the reading direction.
const ADDRESS = /https:\/\/[^\s<>"\u200e\u200f\u202a-\u202e\u2066-\u2069]+/giu
const CLOSING = /[.,:;!?'\u2019\u201d*_~]$/u
const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/** The text in parts, which together are exactly the text again. */
export function linkParts(text: string): Part[] {
  const parts: Part[] = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutSentenceEnd(found)
    if (!isSafe(address)) continue
    if (index > done) parts.push({ at: done, text: text.slice(done, index) })
    parts.push({ at: index, text: address, href: address })
    done = index + address.length
  }
  if (done < text.length) parts.push({ at: done, text: text.slice(done) })
  return parts
}

/** Cuts off what ends the sentence, or closes a bracket that was opened before the address. */
function withoutSentenceEnd(found: string): string {
  const stray = PAIRS.some(
    ([open, close]) => found.endsWith(close) && count(found, close) > count(found, open),
  )
  return stray || CLOSING.test(found) ? withoutSentenceEnd(found.slice(0, -1)) : found
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** A user name before an @ could pass for the site. */
function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null
  return (
    url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.')
  )
}
