import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { type ImportedRow, rowOf, Unreadable } from './row.ts'
import { jsonOf } from './spliit.ts'

const subscriptions = z.object({
  subscriptions: z.array(
    z.object({
      name: z.string(),
      price: z.coerce.number(),
      currency_id: z.coerce.number(),
      next_payment: z.nullish(z.string()),
      /** 1 to 4: days, weeks, months, years; every so many of them. */
      cycle: z.coerce.number(),
      frequency: z.coerce.number(),
      payer_user_name: z.nullish(z.string()),
      inactive: z.coerce.number(),
    }),
  ),
})
const currencies = z.object({
  currencies: z.array(z.object({ id: z.coerce.number(), code: z.string() })),
})

const UNITS = ['day', 'week', 'month', 'year'] as const

/** Reads what get_subscriptions.php and get_currencies.php of Wallos answer, in either order. */
export function readWallos(texts: readonly string[]): ImportedRow[] {
  const answers = texts.map(jsonOf)
  const found = answers.map((answer) => subscriptions.safeParse(answer).data).find(Boolean)
  const known = answers.map((answer) => currencies.safeParse(answer).data).find(Boolean)
  if (!found || !known)
    throw new Unreadable(
      t`These are not the two answers of Wallos: your subscriptions and your currencies. Check the API key.`,
    )
  const codes = new Map(known.currencies.map(({ id, code }) => [id, code]))
  return found.subscriptions.map((one) =>
    rowOf({
      name: one.name,
      price: one.price,
      currency: codes.get(one.currency_id) ?? '?',
      unit: UNITS[one.cycle - 1] ?? null,
      every: one.frequency,
      date: one.next_payment?.slice(0, 10) || null,
      payer: one.payer_user_name ?? null,
      kind: one.inactive ? 'ended' : null,
    }),
  )
}
