// The words by which imported files and typed amounts are read, in every language of the site. A new language adds its
// own here.
import type { Unit } from './row.ts'

/** Billing intervals, in lower case and without accents. */
export const INTERVALS: Record<Unit, RegExp> = {
  day: /^(days?|daily|tage?n?|taglich|jours?|quotidien(ne)?|dias?|diario|giorn[oi]|giornaliero)$/,
  week: /^(weeks?|weekly|wochen?|wochentlich|semaines?|hebdomadaire|semanas?|semanal|settiman[ae]|settimanale?)$/,
  month:
    /^(mo|mth|months?|monthly|monat(en?|s)?|monatlich|mtl|mois|mensuel(le)?|mes|meses|mensual|mes[ei]|mensile?)$/,
  year: /^(yrs?|years?|yearly|annum|annual(ly)?|jahr(en?|es)?|jahrlich|ans?|annees?|annuel(le)?|anos?|anual|ann[oi]|annuale)$/,
}
export const LONGER_INTERVALS: readonly [RegExp, Unit, number][] = [
  [/^(fortnight(ly)?|vierzehntaglich)$/, 'week', 2],
  [/^(quarter(ly)?|quartal(e|sweise)?|vierteljahr(lich)?|trimestr(e|al|iel(le)?|ale))$/, 'month', 3],
  [/^(half-?year(ly)?|halbjahr(lich)?|semestr(e|al|iel(le)?|ale))$/, 'month', 6],
]
export const BEFORE_INTERVAL =
  /^(?:(?:every|each|per|an?|once|alle|jede[nrs]?|pro|im|par|tou(?:te)?s|chaque|cada|por|al|ogni|les|la|le|el|los|una?|il)\s+|1x\s*|\/\s*)+/
/** The ending of "mensuellement" and "mensualmente". */
export const ADVERB_ENDING = /mente?$/

/** Splitwise's category for payments between people. */
export const PAYMENT = /^(payment|zahlung|paiement|pago|pagamento)$/i

/** Words between an amount and its interval: "19.99 per month". */
export const PER = ['per', 'pro', 'par', 'al', 'por'] as const
/** Currencies that people write as a word. */
export const CURRENCY_WORDS = ['eur', 'euros?', 'usd', 'chf', 'kr'] as const

/** Endings of the number of a day, words between day and month, and words before the year: "1er mai", "4 de julio de 2026". */
export const DAY_ENDINGS = ['st', 'nd', 'rd', 'th', 'er', 'º', '°', 'o'] as const
export const BEFORE_MONTH = ['de', 'of', 'di'] as const
export const BEFORE_YEAR = ['de', 'del'] as const
