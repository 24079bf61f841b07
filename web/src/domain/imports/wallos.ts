import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { dayOf } from '../renewal.ts'
import { type ImportedRow, isDay, rowOf, Unreadable } from './row.ts'
import { jsonOf } from './spliit.ts'

// As api/subscriptions/get_subscriptions.php of ellite/Wallos 5.4.4 writes it (15 August 2026). Its `notes` stay there:
// they are the person's own, and everybody in a plan reads its note.
const subscriptions = z.object({
  subscriptions: z.array(
    z.object({
      name: z.string(),
      price: z.coerce.number(),
      currency_id: z.coerce.number(),
      next_payment: z.nullish(z.string()),
      /** Unit: 1 to 4 are days, weeks, months and years; 5 is a one-time purchase. `frequency` counts the units. */
      cycle: z.coerce.number(),
      frequency: z.coerce.number(),
      payer_user_name: z.nullish(z.string()),
      url: z.nullish(z.string()),
      inactive: z.coerce.number(),
      /** YYYY-MM-DD; empty unless the subscription was cancelled. */
      cancellation_date: z.nullish(z.string()),
    }),
  ),
})
const currencies = z.object({
  currencies: z.array(z.object({ id: z.coerce.number(), code: z.string() })),
})

const UNITS = ['day', 'week', 'month', 'year'] as const
const LIFETIME = 5
/** What Wallos writes for a payer who has been deleted. */
const UNKNOWN = 'Unknown member'

/** Reads the responses of Wallos's get_subscriptions.php and get_currencies.php, in either order. */
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
      payer: one.payer_user_name === UNKNOWN ? null : (one.payer_user_name ?? null),
      website: one.url ?? '',
      kind:
        one.inactive || isPast(one.cancellation_date) ? 'ended' : one.cycle === LIFETIME ? 'lifetime' : null,
    }),
  )
}

/** True if the subscription was cancelled by today. */
const isPast = (day: string | null | undefined) => isDay(day ?? null) && String(day) <= dayOf(new Date())
