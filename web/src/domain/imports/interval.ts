import type { ImportedRow, Unit } from './row.ts'

/** Words for billing intervals in the five languages, in lower case and without accents. */
const WORDS: Record<Unit, RegExp> = {
  day: /^(days?|daily|tage?n?|taglich|jours?|quotidien(ne)?|dias?|diario|giorn[oi]|giornaliero)$/,
  week: /^(weeks?|weekly|wochen?|wochentlich|semaines?|hebdomadaire|semanas?|semanal|settiman[ae]|settimanale?)$/,
  month:
    /^(mo|mth|months?|monthly|monat(en?|s)?|monatlich|mtl|mois|mensuel(le)?|mes|meses|mensual|mes[ei]|mensile?)$/,
  year: /^(yrs?|years?|yearly|annum|annual(ly)?|jahr(en?|es)?|jahrlich|ans?|annees?|annuel(le)?|anos?|anual|ann[oi]|annuale)$/,
}
const SEVERAL: readonly [RegExp, Unit, number][] = [
  [/^(fortnight(ly)?|vierzehntaglich)$/, 'week', 2],
  [/^(quarter(ly)?|quartal(e|sweise)?|vierteljahr(lich)?|trimestr(e|al|iel(le)?|ale))$/, 'month', 3],
  [/^(half-?year(ly)?|halbjahr(lich)?|semestr(e|al|iel(le)?|ale))$/, 'month', 6],
]
const BEFORE =
  /^(?:(?:every|each|per|an?|once|alle|jede[nrs]?|pro|im|par|tou(?:te)?s|chaque|cada|por|al|ogni|les|la|le|el|los|una?|il)\s+|1x\s*|\/\s*)+/

/** The billing interval in a text; null if it is ambiguous, as "bimonthly" is. */
export function intervalIn(text: string): Pick<ImportedRow, 'unit' | 'every'> | null {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
  const said = [plain, plain.replace(BEFORE, '')]
  for (const words of said) {
    const [, count = '', word = ''] = /^(\d*)\s*-?\s*([a-z-]+)\.?$/.exec(words) ?? []
    // "mensuellement", "mensualmente"
    const stem = word.replace(/mente?$/, '')
    const unit = (Object.keys(WORDS) as Unit[]).find((name) => WORDS[name].test(stem))
    if (unit) return { unit, every: Number(count || 1) }
    const several = count === '' ? SEVERAL.find(([form]) => form.test(stem)) : undefined
    if (several) return { unit: several[1], every: several[2] }
  }
  return null
}
