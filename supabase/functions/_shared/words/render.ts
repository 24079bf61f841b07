// Fills in a translated message, as parsed by Lingui's compiler, in a person's language.

/** Text, or a placeholder: a parameter's name, with the choice between its forms. */
export type Token =
  | string
  | [name: string, kind?: string, forms?: Record<string, Message | number | undefined>]
export type Message = string | Token[]

export interface Reader {
  /** A BCP 47 tag. */
  language: string
  /** An IANA time zone; by default that of the machine. */
  zone?: string | undefined
}
type Params = Record<string, unknown>

/** The text; null if it names a parameter that is missing. */
export function render(message: Message, params: Params, reader: Reader): string | null {
  try {
    return fill(message, params, reader)
  } catch (error) {
    if (error instanceof Missing) return null
    throw error
  }
}

class Missing extends Error {}

const fill = (message: Message, params: Params, reader: Reader, count = ''): string =>
  typeof message === 'string'
    ? message
    : message.map((token) => (token === '#' ? count : sayToken(token, params, reader, count))).join('')

function sayToken(token: Token, params: Params, reader: Reader, count: string): string {
  if (typeof token === 'string') return token
  const [name, kind, forms = {}] = token
  const value = params[name]
  if (value === undefined || value === null) throw new Missing(name)
  if (kind === undefined) return inWords(name, value, reader)
  const isPlural = kind === 'plural'
  // The keys of forms have no hyphens.
  const exact = String(value).replaceAll('-', '_')
  const rule = isPlural ? new Intl.PluralRules(reader.language).select(Number(value)) : exact
  const chosen = forms[exact] ?? forms[rule] ?? forms.other
  if (chosen === undefined || typeof chosen === 'number') throw new Missing(name)
  const counted = isPlural ? new Intl.NumberFormat(reader.language).format(Number(value)) : count
  return fill(chosen, params, reader, counted)
}

const MONEY = new Set(['amount', 'cost', 'share', 'rest'])
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const MOMENT = {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZoneName: 'short',
} as const

/** A parameter in words, by its name: money, a day, a moment, or as it stands. */
function inWords(name: string, value: unknown, { language, zone }: Reader): string {
  const locale = language === 'en' ? 'en-GB' : language
  const date = (options: Intl.DateTimeFormatOptions, timeZone = zone) =>
    new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) }).format(
      new Date(String(value)),
    )
  if (MONEY.has(name))
    return new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(Number(value))
  if (name === 'coins')
    return new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(Number(value))
  if (name === 'day') return date(DAY, 'UTC')
  if (name === 'until') return date(MOMENT)
  if (name === 'at') return date({ ...MOMENT, year: 'numeric' })
  return String(value)
}
