/** Recognises what people should not write in a chat before it is sent. The rules are local; nothing leaves the device. */
import { toIban } from './iban.ts'

export type Risk = 'password' | 'iban' | 'card' | 'phone' | 'link'

const RULES: readonly [Risk, (text: string, site: string) => boolean][] = [
  ['password', hasPassword],
  ['iban', hasIban],
  ['card', hasCardNumber],
  ['link', hasLinkElsewhere],
  ['phone', hasPhoneNumber],
]

/** The most serious risk in a text, or null. `site` is the host whose links are our own. */
export function riskIn(text: string, site: string): Risk | null {
  return RULES.find(([, applies]) => applies(text, site))?.[0] ?? null
}

// What follows a colon is a secret; what follows a space is one unless the sentence just goes on.
const NAMED = /\b(?:password|pw|pass|code)\b(?:\s+(?:is|was)\b)?(\s*[:=]\s*|\s+)["'“‘]?(\S+)/giu
const GOES_ON = new Set(
  `a about again also an and any are as at back be because been before but by came can cannot changed changes come comes correct could did
  do does doesn't doesnt expired expires field for forgotten from gets had has hasn't have he her here him i if in into
  invalid is isn't it it's its just keeps later like manager managers may me might my new no not now of off old on once only
  or our out over page please reset safe same she should since so still that the their them then there they this through to
  today together tomorrow too until up us was wasn't we were what when where which who why will with without won't word
  works would wrong yes yesterday yet you your`.split(/\s+/),
)

function hasPassword(text: string): boolean {
  return [...text.matchAll(NAMED)].some(([, between = '', rest = '']) => {
    const word = rest.replace(/[.,;:!?)"'”’]+$/u, '')
    return word !== '' && (/[:=]/u.test(between) || !GOES_ON.has(word.toLowerCase().replace('’', "'")))
  })
}

const IBAN_START = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}/giu
const SHORTEST_IBAN = 15
const LONGEST_IBAN = 34

/** Its length depends on the country, and a word may follow it, so each possible length is tried. */
function hasIban(text: string): boolean {
  return [...text.matchAll(IBAN_START)].some(({ index }) => {
    const run = /^[A-Z0-9](?:[ .\-\u00a0]?[A-Z0-9])*/iu.exec(text.slice(index))?.[0] ?? ''
    let signs = ''
    for (const [place, sign] of [...run].entries()) {
      if (/[A-Z0-9]/iu.test(sign)) signs += sign
      if (signs.length > LONGEST_IBAN) return false
      const isWhole = !/[A-Z0-9]/iu.test(run[place + 1] ?? '')
      if (isWhole && signs.length >= SHORTEST_IBAN && toIban(signs.toUpperCase())) return true
    }
    return false
  })
}

// All issuers' numbers begin with these digits and have these lengths.
const CARD = /(?<![\p{L}\p{N}]|\d[ \-\u00a0])[2-6]\d{3}(?:[ \-\u00a0]?\d){9,15}(?![\p{L}\p{N}])/gu

function hasCardNumber(text: string): boolean {
  return [...text.matchAll(CARD)].some(([found]) => passesLuhn(found.replace(/\D/gu, '')))
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = place % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

// With a country code, or with a leading zero as dialled within the country. Dates may begin with a zero, too.
const PHONE = /(?<![\p{L}\p{N}.,/-]|\d )(?:\+|0)[\d ()/.\-\u00a0]{7,24}\d(?![\p{L}\p{N}])/gu
const DAY = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/u
const FEWEST_DIGITS = 8
const MOST_DIGITS = 15

function hasPhoneNumber(text: string): boolean {
  return [...text.matchAll(PHONE)].some(([found]) => {
    const { length } = found.replace(/\D/gu, '')
    return length >= FEWEST_DIGITS && length <= MOST_DIGITS && !DAY.test(found)
  })
}

// With a scheme, with www, or a host name followed by a path.
const LINK =
  /\bhttps?:\/\/[^\s<>"]+|\bwww\.[^\s<>"]+|(?<![\p{L}\p{N}@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,}\/[^\s<>"]*/giu

function hasLinkElsewhere(text: string, site: string): boolean {
  return [...text.matchAll(LINK)].some(([found]) => {
    const address = /^https?:/iu.test(found) ? found : `https://${found}`
    return URL.canParse(address) && new URL(address).host !== site
  })
}
