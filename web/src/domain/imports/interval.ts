import type { ImportedRow, Unit } from './row.ts'
import { ADVERB_ENDING, BEFORE_INTERVAL, INTERVALS, LONGER_INTERVALS } from './words.ts'

/** The billing interval in a text; null if it is ambiguous, as "bimonthly" is. */
export function intervalIn(text: string): Pick<ImportedRow, 'unit' | 'every'> | null {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim()
  const said = [plain, plain.replace(BEFORE_INTERVAL, '')]
  for (const words of said) {
    const [, count = '', word = ''] = /^(\d*)\s*-?\s*([\p{L}-]+)\.?$/u.exec(words) ?? []
    const stem = word.replace(ADVERB_ENDING, '')
    const unit = (Object.keys(INTERVALS) as Unit[]).find((name) => INTERVALS[name].test(stem))
    if (unit) return { unit, every: Number(count || 1) }
    const several = count === '' ? LONGER_INTERVALS.find(([form]) => form.test(stem)) : undefined
    if (several) return { unit: several[1], every: several[2] }
  }
  return null
}
