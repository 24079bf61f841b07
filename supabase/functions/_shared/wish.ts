import type { Database } from '../../database.types.ts'

/**
 * How an owner wants to receive direct payments. If the CHECK constraint of `payment_wishes` allows a further kind,
 * this file does not compile until it handles that kind.
 */
export type Wish =
  | { kind: 'iban'; iban: string; holder: string }
  | { kind: 'link'; link: string }
  | { kind: 'text'; note: string }

type WishRow = Pick<
  Database['public']['Tables']['payment_wishes']['Row'],
  'kind' | 'iban' | 'holder' | 'link' | 'note'
>

/** Returns the payment details in a row of `payment_wishes`, which has the columns of all kinds. */
export function toWish({ kind, iban, holder, link, note }: WishRow): Wish {
  switch (kind) {
    case 'iban':
      return { kind, iban: iban ?? '', holder: holder ?? '' }
    case 'link':
      return { kind, link: link ?? '' }
    case 'text':
      return { kind, note: note ?? '' }
  }
}

/** Returns the payment details as text. */
export function wishText(wish: Wish, formatIban = (iban: string) => iban): string {
  switch (wish.kind) {
    case 'iban':
      return `${wish.holder}, ${formatIban(wish.iban)}`
    case 'link':
      return wish.link
    case 'text':
      return wish.note
  }
}
